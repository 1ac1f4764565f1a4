import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candle, openMarketHistory, summaryOf } from "./history.ts";
import { type Market, markets } from "./market.ts";
import { epochMicros, firstEpoch } from "./tape.ts";

const seed = 7;
const now = Date.UTC(2026, 5, 17, 13, 7, 31) * 1_000;
const marketOf = (symbol: string) => markets.find((market) => market.symbol === symbol) as Market;
const bitcoin = marketOf("BTC/USD");
const someMarket = fc.constantFrom(bitcoin, marketOf("XRP/EUR"), marketOf("KELP/USD"));
const minute = 60;

/** Candles of a longer interval, made of shorter ones. */
function folded(candles: readonly Candle[], seconds: number) {
  const groups = new Map<number, Candle[]>();
  for (const candle of candles) {
    const start = candle.start - (candle.start % seconds);
    groups.set(start, [...(groups.get(start) ?? []), candle]);
  }
  return [...groups].map(([start, parts]) => ({
    start,
    open: parts[0]?.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: parts.at(-1)?.close,
    volume: parts.reduce((sum, { volume }) => sum + volume, 0),
    count: parts.reduce((sum, { count }) => sum + count, 0),
  }));
}

describe("trades of the past", () => {
  test("come in pages that follow each other, each trade once", () => {
    fc.assert(
      fc.property(someMarket, fc.integer({ min: 1, max: 700 }), (market, limit) => {
        const history = openMarketHistory(seed, market);
        const from = now - 2 * epochMicros;
        const paged: number[] = [];
        for (let at = from; ; ) {
          const page = history.after(at, now, limit);
          if (page.length === 0) break;
          paged.push(...page.map(({ id }) => id));
          at = page.at(-1)?.time ?? now;
        }
        expect(paged).toEqual(history.after(from, now, 100_000).map(({ id }) => id));
        expect(paged.every((id, at) => at === 0 || id === (paged[at - 1] ?? 0) + 1)).toBe(true);
        expect(history.latest(now, 5).map(({ id }) => id)).toEqual(paged.slice(-5));
      }),
      { numRuns: 20 },
    );
  });

  test("end with now and begin with the first ever", () => {
    const history = openMarketHistory(seed, bitcoin);
    expect(history.latest(now, 1)[0]?.time).toBeLessThanOrEqual(now);
    expect(history.after(0, now, 2).map(({ id }) => id)).toEqual([1, 2]);
    expect(history.latest(firstEpoch * epochMicros - 1, 10)).toEqual([]);
  });

  test("are found by their ids, as far as they have happened", () => {
    const history = openMarketHistory(seed, bitcoin);
    const last = history.latest(now, 1)[0]?.id ?? 0;
    const found = history.between(last - 1_999, last + 100, now);
    expect(found.map(({ id }) => id)).toEqual(
      Array.from({ length: 2_000 }, (_, at) => last - 1_999 + at),
    );
  });
});

describe("candles", () => {
  test("of a minute are the trades of that minute", async () => {
    const history = openMarketHistory(seed, bitcoin);
    const candles = await history.candles(minute, now, 720);
    expect(candles.length).toBe(720);
    for (const { start, ...summary } of candles.filter((_, at) => at % 50 === 0)) {
      const trades = history.after(start * 1e6 - 1, (start + minute) * 1e6 - 1, 1_000);
      expect(summary).toEqual(summaryOf(trades));
    }
  });

  test.each([5, 15, 30, 60])(
    "of %i minutes are those of a minute taken together",
    async (minutes) => {
      for (const market of [bitcoin, marketOf("XRP/EUR")]) {
        const history = openMarketHistory(seed, market);
        const short = await history.candles(minute, now, 720);
        const long = await history.candles(minutes * minute, now, 720);
        const first = (short[0]?.start ?? 0) + minutes * minute;
        const expected = folded(short, minutes * minute).filter(({ start }) => start > first);
        const actual = long
          .filter(({ start }) => start > first)
          .map(({ average: _, ...rest }) => rest);
        expect(actual).toEqual(expected);
      }
    },
  );

  test.each([
    [60, 240],
    [240, 1_440],
    [1_440, 10_080],
    [1_440, 21_600],
  ])("of %i minutes taken together are those of %i", async (short, long) => {
    const history = openMarketHistory(seed, marketOf("XRP/EUR"));
    const parts = await history.candles(short * minute, now, 200);
    const whole = await history.candles(long * minute, now, 100);
    const first = (parts[0]?.start ?? 0) + long * minute;
    const expected = folded(parts, long * minute).filter(({ start }) => start > first);
    const actual = whole
      .filter(({ start }) => start > first)
      .map(({ average: _, ...rest }) => rest);
    expect(expected.length).toBeGreaterThan(3);
    expect(actual).toEqual(expected);
  });

  test("that are over never change, whoever asks and however late", async () => {
    const day = 86_400;
    const early = await openMarketHistory(seed, bitcoin).candles(900, now, 100);
    const late = await openMarketHistory(seed, bitcoin).candles(900, now + 3 * day * 1e6, 500);
    const starts = new Set(early.slice(0, -1).map(({ start }) => start));
    expect(late.filter(({ start }) => starts.has(start))).toEqual(early.slice(0, -1));
  });

  test("of a quiet market stand still where nothing was traded", async () => {
    const candles = await openMarketHistory(seed, marketOf("KELP/USD")).candles(minute, now, 720);
    const empty = candles.findIndex(({ count }) => count === 0);
    expect(empty).toBeGreaterThan(0);
    const before = candles[empty - 1]?.close;
    expect(candles[empty]).toMatchObject({ open: before, high: before, low: before, volume: 0 });
    expect(
      candles.every(
        ({ start }, at) => at === 0 || start === (candles[at - 1]?.start ?? 0) + minute,
      ),
    ).toBe(true);
  });

  test("of two years of days are there", async () => {
    const candles = await openMarketHistory(seed, marketOf("KELP/USD")).candles(86_400, now, 720);
    expect(candles.length).toBe(720);
    for (const { open, high, low, close } of candles) {
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    }
  });
});
