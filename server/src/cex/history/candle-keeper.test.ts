import { afterEach, describe, expect, test } from "vitest";
import { listedMarket } from "../../../test/listed-market.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { TapedVenue } from "../../../test/taped-venue.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { Candle, Trade } from "../market.ts";
import { readCandles } from "../store/read-candles.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

const held = useDatabase();
const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 14, 12);
let markets = 0;
const opened: Recorder[] = [];
afterEach(async () => {
  for (const recorder of opened.splice(0)) await recorder.close();
});

/** A clock that stands still until it is moved, while nobody sleeps for long. */
function stillClock(): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    sleep: (_, signal) => systemClock.sleep(5, signal),
    advance(ms) {
      now += ms;
    },
  };
}

function scene(native: [string, number][]) {
  const clock = stillClock();
  const venue = new TapedVenue("fake", native);
  const market = listedMarket(`C${++markets}-USD`);
  const open = () => {
    const recorder = openRecorder({
      db: held.db,
      venue,
      clock,
      log: silentLog,
      published: () => {},
    });
    opened.push(recorder);
    return recorder;
  };
  const read = async (seconds: number, isFilled = false) => {
    const query = { exchange: "fake", market: market.id, seconds, limit: 5_000, isFilled };
    const page = await readCandles(held.db, { ...query, direction: "asc", now: clock.now() });
    const texts: string[] = [];
    for await (const text of page.chunks) texts.push(text);
    return JSON.parse(`[${texts.join(",")}]`) as Record<string, unknown>[];
  };
  return { clock, venue, market, open, read };
}

let count = 0;
function trade(time: number, price: string, size = "1"): Trade {
  return { id: String(++count), time, price, size, side: "buy" };
}

function candle(time: number, price: string, volume = "5"): Candle {
  return { time, open: price, high: price, low: price, close: price, volume };
}

/** An exchange that has candles of one price, from a moment on. */
function flat(from: number, step: number, price: string) {
  return (_: string, since: number) => {
    const first = Math.max(from, Math.ceil(since / step) * step);
    return Array.from({ length: 300 }, (_, n) => candle(first + n * step, price)).filter(
      ({ time }) => time <= start,
    );
  };
}

describe("candles", () => {
  test("of trades that are all known are ours, in every timeframe, whatever the order", async () => {
    const { venue, clock, market, open, read } = scene([]);
    clock.advance(10 * 60_000);
    const recorder = open();
    venue.tape = [trade(start - 5 * hourMs, "9")];
    await recorder.follow(market);
    const trades = [
      trade(start, "10", "0.1"),
      trade(start + 1, "30.50", "0.20"),
      trade(start + 59_999, "5", "0.3"),
      trade(start + 60_000, "7", "1"),
    ];
    venue.tape.push(...trades);
    for (const late of [trades[2], trades[0], trades[3], trades[1]]) {
      recorder.add(market.id, late ? [late] : []);
      await recorder.refresh(market);
    }
    const minute = { o: 10, h: 30.5, l: 5, c: 5, volume: 0.6, txCount: 3 };
    expect((await read(60)).slice(1)).toMatchObject([
      { timestamp: String(start), ...minute },
      { timestamp: String(start + 60_000), o: 7, h: 7, l: 7, c: 7, volume: 1, txCount: 1 },
    ]);
    for (const seconds of [300, 900, 3_600, 21_600]) {
      expect((await read(seconds)).at(-1)).toMatchObject({
        ...minute,
        c: 7,
        volume: 1.6,
        txCount: 4,
      });
    }
  });

  test("from before the first trade are the exchange's, and the running one goes on", async () => {
    const { venue, clock, market, open, read } = scene([["1h", 3_600]]);
    clock.advance(30 * 60_000);
    venue.tape = [trade(start + 20 * 60_000, "50")];
    venue.candlesOf = flat(start - 100 * hourMs, hourMs, "40");
    const recorder = open();
    await recorder.follow(market);
    expect(await read(3_600)).toEqual([]);
    await recorder.ensureCandles(market, "1h", start - 3 * hourMs);
    const theirs = { o: 40, h: 40, l: 40, c: 40, volume: 5, closed: true };
    expect(await read(3_600)).toEqual([
      { timestamp: String(start - 3 * hourMs), ...theirs },
      { timestamp: String(start - 2 * hourMs), ...theirs },
      { timestamp: String(start - hourMs), ...theirs },
      { timestamp: String(start), ...theirs, closed: false },
    ]);

    // What the exchange has counted is not counted again; what came later is.
    const later = trade(clock.now() + 1_000, "60", "2");
    venue.tape.push(trade(start + 25 * 60_000, "99"), later);
    await recorder.refresh(market);
    expect((await read(3_600)).at(-1)).toMatchObject({ o: 40, h: 60, l: 40, c: 60, volume: 7 });
    const calls = venue.calls;
    await recorder.ensureCandles(market, "1h", start - 2 * hourMs);
    expect(venue.calls).toBe(calls);
  });

  test("of the exchange that were still growing are fetched again when they are finished", async () => {
    const { venue, clock, market, open, read } = scene([["1h", 3_600]]);
    clock.advance(30 * 60_000);
    venue.tape = [trade(start + 20 * 60_000, "50")];
    venue.candlesOf = flat(start - hourMs, hourMs, "40");
    const recorder = open();
    await recorder.follow(market);
    await recorder.ensureCandles(market, "1h", start - hourMs);
    venue.candlesOf = () => [candle(start, "41", "8")];
    clock.advance(hourMs);
    await expect
      .poll(() => read(3_600))
      .toMatchObject([{ c: 40 }, { c: 41, volume: 8, closed: true }]);
  });

  test("that the exchange does not have are folded from its longest that fit", async () => {
    const { venue, market, open, read } = scene([
      ["1h", 3_600],
      ["4h", 14_400],
      ["1m", 60],
    ]);
    const asked: string[] = [];
    const hours = flat(start - 12 * hourMs, hourMs, "40");
    venue.candlesOf = (label, since) => {
      asked.push(label);
      return hours(label, since);
    };
    const recorder = open();
    await recorder.ensureCandles(market, "6h", start - 12 * hourMs);
    expect(new Set(asked)).toEqual(new Set(["1h"]));
    expect((await read(21_600)).slice(0, 2)).toEqual([
      {
        timestamp: String(start - 12 * hourMs),
        o: 40,
        h: 40,
        l: 40,
        c: 40,
        volume: 30,
        closed: true,
      },
      {
        timestamp: String(start - 6 * hourMs),
        o: 40,
        h: 40,
        l: 40,
        c: 40,
        volume: 30,
        closed: true,
      },
    ]);
  });

  test("of a gap are the exchange's", async () => {
    const { venue, clock, market, open, read } = scene([["1m", 60]]);
    venue.tape = [trade(start - 3 * hourMs, "1"), trade(start, "50")];
    const recorder = open();
    await recorder.follow(market);
    clock.advance(10 * 60_000);
    venue.candlesOf = (_, since) => [candle(since, "70")];
    venue.tape = [trade(start + 4 * 60_000 + 5, "60")];
    await recorder.refresh(market);
    await expect
      .poll(async () => (await read(60)).filter(({ timestamp }) => Number(timestamp) >= start))
      .toMatchObject(
        [0, 1, 2, 3, 4].map((minute) => ({ timestamp: String(start + minute * 60_000), c: 70 })),
      );
  });

  test("fill empty spans with the close before them, when asked", async () => {
    const { venue, market, open, read } = scene([]);
    venue.tape = [trade(start - 5 * 60_000, "3"), trade(start - 2 * 60_000, "4", "0.5")];
    await open().follow(market);
    const flatAt = (minute: number, price: number) => ({
      timestamp: String(start + minute * 60_000),
      o: price,
      h: price,
      l: price,
      c: price,
      volume: 0,
      txCount: 0,
    });
    const filled = await read(60, true);
    expect(filled.slice(0, 5)).toMatchObject([
      { ...flatAt(-5, 3), volume: 1, txCount: 1, closed: true },
      { ...flatAt(-4, 3), closed: true },
      { ...flatAt(-3, 3), closed: true },
      { ...flatAt(-2, 4), volume: 0.5, txCount: 1 },
      { ...flatAt(-1, 4), closed: true },
    ]);
    expect(filled.slice(5)).toMatchObject([{ ...flatAt(0, 4), closed: false }]);
    expect(await read(60)).toHaveLength(2);
  });
});
