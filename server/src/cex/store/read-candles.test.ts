import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { openMarket } from "./markets.ts";
import { type CandleQuery, findCandleReach, readCandles } from "./read-candles.ts";
import { putExchangeCandles, setCandleReach } from "./write-candles.ts";

const held = useDatabase();
const step = 60_000;
let markets = 0;

/** A market with candles of these minutes, whose price is the minute. */
async function marketWith(minutes: readonly number[]) {
  const name = { exchange: "kraken", market: `M${++markets}` };
  const { id } = await openMarket(held.db, name);
  const candles = minutes.map((minute) => {
    const price = String(minute);
    const figures = { open: price, high: price, low: price, close: price, volume: "1.50" };
    return { time: minute * step, ...figures, until: (minute + 1) * step - 1 };
  });
  if (candles.length > 0) await putExchangeCandles(held.db, id, 60, candles);
  return { ...name, id };
}

async function read(query: Partial<CandleQuery> & { exchange: string; market: string }) {
  const { chunks, ...page } = await readCandles(held.db, {
    seconds: 60,
    limit: 200,
    direction: "desc",
    isFilled: false,
    now: 1_000 * step,
    ...query,
  });
  const texts: string[] = [];
  for await (const text of chunks) texts.push(text);
  const candles = JSON.parse(`[${texts.join(",")}]`) as { timestamp: string; c: number }[];
  const minutes = candles.map(({ timestamp }) => Number(timestamp) / step);
  return { ...page, texts, minutes, closes: candles.map(({ c }) => c) };
}

describe("candles", () => {
  test("are as exact as they are stored, and the running one is not closed", async () => {
    const market = await marketWith([1, 2]);
    const { texts } = await read({ ...market, now: 2 * step + 5 });
    const figures = (price: number) => `"o":${price},"h":${price},"l":${price},"c":${price}`;
    expect(texts).toEqual([
      `{"timestamp":"120000",${figures(2)},"volume":1.5,"closed":false},` +
        `{"timestamp":"60000",${figures(1)},"volume":1.5,"closed":true}`,
    ]);
  });

  test.each([
    ["the newest", {}, [9, 8, 5]],
    ["the oldest", { direction: "asc" }, [1, 2, 4]],
    ["in a span", { from: 2 * step - 1, to: 8 * step }, [8, 5, 4]],
    ["older than a cursor", { after: 8 * step }, [5, 4, 2]],
    ["older than a cursor, oldest first", { after: 8 * step, direction: "asc" }, [2, 4, 5]],
    ["newer than a cursor", { before: step }, [5, 4, 2]],
    ["newer than a cursor, oldest first", { before: step, direction: "asc" }, [2, 4, 5]],
    ["after the last", { from: 10 * step }, []],
  ] as const)("%s", async (_, query, minutes) => {
    const market = await marketWith([1, 2, 4, 5, 8, 9]);
    const page = await read({ ...market, limit: 3, ...query });
    expect(page.minutes).toEqual(minutes);
    expect(page.count).toBe(minutes.length);
    expect(page.newest).toBe(minutes.length > 0 ? Math.max(...minutes) * step : undefined);
    expect(page.oldest).toBe(minutes.length > 0 ? Math.min(...minutes) * step : undefined);
  });

  test.each([
    ["to the present", { now: 10 * step }, [10, 9, 8, 7, 6, 5, 4], [8, 8, 8, 5, 5, 5, 4]],
    ["newer than a cursor", { before: 4 * step, limit: 3 }, [7, 6, 5], [5, 5, 5]],
    ["not before the first", { direction: "asc", limit: 3 }, [4, 5, 6], [4, 5, 5]],
    ["in a span", { from: 6 * step, to: 7 * step }, [7, 6], [5, 5]],
  ] as const)("that fill empty spans: %s", async (_, query, minutes, closes) => {
    const market = await marketWith([4, 5, 8]);
    const page = await read({ ...market, isFilled: true, ...query });
    expect(page.minutes).toEqual(minutes);
    expect(page.closes).toEqual(closes);
    expect(page.count).toBe(minutes.length);
  });

  test("of a long page come in chunks, in either direction, filled or not", async () => {
    const stored = Array.from({ length: 2_500 }, (_, minute) => 2 * minute);
    const market = await marketWith(stored);
    const query = { ...market, limit: 50_000, now: 4_998 * step };
    expect((await read({ ...query, direction: "asc" })).minutes).toEqual(stored);
    const rising = await read({ ...query, direction: "asc", isFilled: true });
    expect(rising.minutes).toEqual(Array.from({ length: 4_999 }, (_, minute) => minute));
    expect(rising.texts).toHaveLength(3);
    const falling = await read({ ...query, isFilled: true });
    expect(falling.minutes).toEqual(rising.minutes.reverse());
    expect(falling.closes).toEqual(rising.closes.reverse());
  });

  test("come each once in any split into pages", async () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(
        minutes,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (stored, limit, isFilled) => {
          const market = await marketWith(stored);
          const whole = await read({ ...market, isFilled, now: 61 * step });
          const seen: number[] = [];
          let after: number | undefined;
          do {
            const page = await read({ ...market, limit, after, isFilled, now: 61 * step });
            seen.push(...page.minutes);
            after = page.oldest;
          } while (after !== undefined);
          expect(seen).toEqual(whole.minutes);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("say how far back they have been asked for", async () => {
    const market = await marketWith([]);
    const reach = () => findCandleReach(held.db, { ...market, seconds: 60 });
    expect(await reach()).toBeUndefined();
    await setCandleReach(held.db, market.id, 60, 5_000);
    await setCandleReach(held.db, market.id, 60, 7_000);
    expect(await reach()).toBe(5_000);
  });
});
