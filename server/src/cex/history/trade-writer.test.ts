import { afterEach, describe, expect, test } from "vitest";
import { hastyClock } from "../../../test/hasty-clock.ts";
import { listedMarket } from "../../../test/listed-market.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { TapedVenue } from "../../../test/taped-venue.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { UnavailableError } from "../../lib/errors.ts";
import type { Trade } from "../market.ts";
import { insertGaps, shrinkGap } from "../store/gaps.ts";
import { openMarket } from "../store/markets.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { openTradeWriter, type WrittenMarket } from "./trade-writer.ts";

const held = useDatabase();
const start = Date.UTC(2026, 10, 14);
let markets = 0;
const opened: Recorder[] = [];
afterEach(async () => {
  for (const recorder of opened.splice(0)) await recorder.close();
});

/** A recorder whose database can go away, before it has heard of a transaction or after. */
function scene(queueMost?: number) {
  const outage: { when: "never" | "before" | "after"; refused: number } = {
    when: "never",
    refused: 0,
  };
  const db: Database = {
    ...held.db,
    async transact(work) {
      if (outage.when === "before") {
        outage.refused++;
        throw new UnavailableError("It is away.");
      }
      const result = await held.db.transact(work);
      if (outage.when === "after") throw new UnavailableError("It went away.");
      return result;
    },
  };
  const venue = new TapedVenue();
  const market = listedMarket(`W${++markets}-USD`);
  const published: string[] = [];
  const recorder = openRecorder({
    db,
    venue,
    clock: hastyClock(start),
    log: silentLog,
    published: (_, trades) => published.push(...trades.map(({ id }) => id)),
    ...(queueMost === undefined ? {} : { queueMost }),
  });
  opened.push(recorder);
  let count = 0;
  function trade(times: number): Trade[] {
    const trades = Array.from({ length: times }, (): Trade => {
      const time = start + ++count * 100;
      return { id: String(count), time, price: "2.5", size: "0.1", side: "sell" };
    });
    venue.tape.push(...trades);
    return trades;
  }
  return { outage, venue, market, recorder, published, trade };
}

async function storedIds({ id }: { id: string }): Promise<string[]> {
  const rows = await held.db.query<{ id: string }>(sql`
    select t.id from cex_trades t join cex_markets m on m.id = t.market
    where m.market = ${id} order by t.time, t.place`);
  return rows.map((row) => row.id);
}

async function gapsOf({ id }: { id: string }) {
  return held.db.query(sql`
    select from_time::float8 as from, to_time::float8 as to, reason
    from cex_gaps g join cex_markets m on m.id = g.market where m.market = ${id} order by 1`);
}

async function minutesOf({ id }: { id: string }) {
  return held.db.query(sql`
    select trades, volume::text from cex_candles c join cex_markets m on m.id = c.market
    where m.market = ${id} and seconds = 60`);
}

const allIds = (venue: TapedVenue) => venue.tape.map(({ id }) => id);

describe("while the database is away", () => {
  test.each(["before", "after"] as const)(
    "trades wait, and are stored, counted and told once (%s it heard of them)",
    async (when) => {
      const { outage, venue, market, recorder, published, trade } = scene();
      trade(3);
      await recorder.follow(market);
      recorder.add(market.id, trade(2));
      await recorder.refresh(market);
      outage.when = when;
      recorder.add(market.id, trade(4));
      await expect(recorder.refresh(market)).rejects.toThrow(UnavailableError);
      outage.when = "never";
      await recorder.refresh(market);
      expect(await storedIds(market)).toEqual(allIds(venue));
      expect(published).toEqual(allIds(venue));
      expect(await minutesOf(market)).toEqual([{ trades: 9, volume: "0.9" }]);
    },
  );

  test("a gap waits to be filled", async () => {
    const { outage, venue, market, recorder, trade } = scene();
    trade(3);
    await recorder.follow(market);
    outage.when = "before";
    venue.failures = 3;
    trade(5);
    recorder.interrupted(market.id);
    recorder.add(market.id, trade(1));
    await expect.poll(() => recorder.progressOf(market.id).gaps).toBe(1);
    const { refused } = outage;
    await expect.poll(() => outage.refused).toBeGreaterThan(refused + 50);
    outage.when = "never";
    await expect.poll(() => storedIds(market)).toEqual(allIds(venue));
    await expect.poll(() => gapsOf(market)).toEqual([]);
  });

  test("those that find no room are fetched again", async () => {
    const { outage, venue, market, recorder, trade } = scene(5);
    trade(3);
    await recorder.follow(market);
    recorder.add(market.id, trade(2));
    await recorder.refresh(market);
    outage.when = "before";
    recorder.add(market.id, trade(6));
    await expect.poll(() => recorder.progressOf(market.id).lastTrade).toEqual(venue.tape.at(-1));
    for (let times = 0; times < 6; times++) recorder.add(market.id, trade(2));
    outage.when = "never";
    await expect.poll(() => storedIds(market)).toEqual(allIds(venue));
    await expect.poll(() => gapsOf(market)).toEqual([]);
  });

  test("those that find no room and cannot be fetched again are a gap that says why", async () => {
    const { outage, venue, market, recorder, trade } = scene(3);
    trade(3);
    await recorder.follow(market);
    recorder.add(market.id, trade(1));
    await recorder.refresh(market);
    outage.when = "before";
    recorder.add(market.id, trade(4));
    await expect.poll(() => recorder.progressOf(market.id).lastTrade).toEqual(venue.tape.at(-1));
    for (let times = 0; times < 60; times++) recorder.add(market.id, trade(2));
    venue.reach = 2;
    outage.when = "never";
    await expect
      .poll(() => gapsOf(market))
      .toEqual([
        {
          from: venue.tape[7]?.time,
          to: venue.tape.at(-2)?.time,
          reason: "The database did not take the trades in time.",
        },
      ]);
    const known = allIds(venue);
    expect(await storedIds(market)).toEqual([...known.slice(0, 8), ...known.slice(-2)]);
  });
});

/** A writer that writes when it is closed, and markets whose candles are all ours. */
function writerScene() {
  const told: string[] = [];
  const writer = openTradeWriter({
    db: held.db,
    clock: { now: () => start, sleep: (_, signal) => aborted(signal) },
    log: silentLog,
    flushMs: 1,
    queueMost: 1_000,
    hasCandles: false,
    stored: (_, trades) => told.push(...trades.map(({ id }) => id)),
  });
  async function open(): Promise<WrittenMarket> {
    const name = `W${++markets}-USD`;
    const { id } = await openMarket(held.db, { exchange: "fake", market: name });
    return { id, name, foldedSince: 0, counted: new Map() };
  }
  return { writer, told, open };
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
}

function tradeAt(seconds: number): Trade {
  const time = start + seconds * 1_000;
  return { id: String(seconds), time, price: "2.5", size: "0.1", side: "sell" };
}

describe("what is written at once", () => {
  test("may be news and fill a gap in the same candle, and the same trade counts once", async () => {
    const { writer, told, open } = writerScene();
    const market = await open();
    const gap = { from: start, to: start + 4_000, reason: "not yet", isOpen: true };
    await insertGaps(held.db, market.id, [gap], new Date(start));
    writer.add(market, { trades: [3, 5].map(tradeAt) });
    writer.add(market, {
      trades: [1, 2, 3].map(tradeAt),
      isNews: false,
      also: (tx) => shrinkGap(tx, market.id, gap, undefined),
    });
    await writer.close();
    const named = { id: market.name };
    expect(await storedIds(named)).toEqual(["1", "2", "3", "5"]);
    expect(await minutesOf(named)).toEqual([{ trades: 4, volume: "0.4" }]);
    expect(await gapsOf(named)).toEqual([]);
    expect(told).toEqual(["3", "5"]);
  });

  test("is kept, but for what the tables cannot hold: that is a gap", async () => {
    const { writer, told, open } = writerScene();
    const [good, bad] = [await open(), await open()];
    const gap = { from: start, to: start + 9_000, reason: "not yet", isOpen: true };
    await insertGaps(held.db, bad.id, [gap], new Date(start));
    writer.add(good, { trades: [tradeAt(1)] });
    writer.add(bad, {
      trades: [tradeAt(2), { ...tradeAt(3), price: "much" }],
      also: (tx) => shrinkGap(tx, bad.id, gap, start + 3_000),
    });
    writer.add(bad, { trades: [tradeAt(12)], isNews: false });
    await writer.close();
    expect(await storedIds({ id: good.name })).toEqual(["1"]);
    expect(await storedIds({ id: bad.name })).toEqual(["12"]);
    expect(told).toEqual(["1"]);
    expect(await gapsOf({ id: bad.name })).toEqual([
      {
        from: start + 2_000,
        to: start + 3_000,
        reason: 'invalid input syntax for type numeric: "much"',
      },
      { from: start + 3_000, to: start + 9_000, reason: "not yet" },
    ]);
  });
});
