import { afterEach, describe, expect, test } from "vitest";
import {
  recorderScene,
  sceneStart,
  storedGaps,
  storedTrades,
} from "../../../test/recorder-scene.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import type { ListedMarket, Trade } from "../market.ts";

const held = useDatabase();
const scenes: ReturnType<typeof recorderScene>[] = [];
afterEach(async () => {
  for (const { close } of scenes.splice(0)) await close();
});

function scene(exchange?: string) {
  const made = recorderScene(held.db, exchange);
  scenes.push(made);
  return made;
}

const stored = (market: ListedMarket) => storedTrades(held.db, market);
const gapsOf = (market: ListedMarket) => storedGaps(held.db, market);
const ids = (trades: readonly { id: string }[]) => trades.map(({ id }) => id);

describe("a market that is followed", () => {
  test("has its newest trades at once, and then those of the stream, each once", async () => {
    const { venue, market, open, trade, published } = scene();
    trade(25);
    const recorder = open();
    await recorder.follow(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape.slice(-10)));
    expect(recorder.progressOf(market.id)).toEqual({
      lastTrade: venue.tape.at(-1),
      tradesSince: (venue.tape[15]?.time ?? 0) + 1,
      gaps: 0,
    });

    const news = trade(3);
    recorder.add(market.id, news);
    recorder.add(market.id, news);
    await recorder.refresh(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape.slice(15)));
    expect(published).toEqual(ids(venue.tape.slice(15)));
    expect(await gapsOf(market)).toEqual([]);
  });

  test("gets back what it missed while the stream was interrupted", async () => {
    const { venue, market, open, trade } = scene();
    const recorder = open();
    trade(5);
    await recorder.follow(market);
    recorder.add(market.id, trade(2));
    trade(30);
    recorder.interrupted(market.id);
    recorder.add(market.id, trade(2));
    await recorder.refresh(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape));
    expect(await gapsOf(market)).toEqual([]);
  });

  test("has its newest trades before a long absence is made up for", async () => {
    const { venue, market, open, trade } = scene();
    trade(5);
    const closed = open();
    await closed.follow(market);
    await closed.close();
    trade(200);
    const recorder = open();
    await recorder.follow(market);
    expect(recorder.progressOf(market.id).lastTrade).toEqual(venue.tape.at(-1));
    await expect.poll(() => gapsOf(market)).toEqual([]);
    await expect.poll(async () => ids(await stored(market))).toEqual(ids(venue.tape));
  });

  test("shows what the exchange does not have any more", async () => {
    const { venue, market, open, trade } = scene();
    trade(5);
    const recorder = open();
    await recorder.follow(market);
    const before = venue.tape.at(-1);
    trade(20);
    venue.reach = 4;
    await recorder.refresh(market);
    const after = venue.tape.at(-4);
    expect(ids(await stored(market))).toEqual(
      ids([...venue.tape.slice(0, 5), ...venue.tape.slice(-4)]),
    );
    expect(await gapsOf(market)).toEqual([
      {
        from: before?.time,
        to: after?.time,
        reason: "The exchange's REST API does not reach back far enough.",
        isOpen: false,
      },
    ]);
    expect(recorder.progressOf(market.id).gaps).toBe(1);
  });

  test("goes on when the exchange does not answer, and fills the gap when it does", async () => {
    const { venue, market, open, trade } = scene();
    trade(5);
    const recorder = open();
    await recorder.follow(market);
    trade(8);
    venue.failures = 3;
    recorder.interrupted(market.id);
    recorder.add(market.id, trade(2));
    await expect.poll(async () => ids(await stored(market))).toEqual(ids(venue.tape));
    await expect.poll(() => gapsOf(market)).toEqual([]);
    expect(recorder.progressOf(market.id).gaps).toBe(1);
  });

  test("is known under one id even if REST dates its trades differently", async () => {
    const { venue, market, open, trade } = scene();
    const recorder = open();
    await recorder.follow(market);
    recorder.add(market.id, trade(20));
    await recorder.refresh(market);
    venue.skewMs = 1_500;
    await recorder.refresh(market);
    await recorder.close();
    await open().follow(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape));
  });

  test("loses nothing when the recorder dies, as long as REST has it", async () => {
    const { venue, market, open, trade } = scene();
    trade(3);
    // Nothing is flushed by itself.
    const abandoned = open();
    await abandoned.follow(market);
    abandoned.add(market.id, trade(12));
    trade(7);
    const recorder = open();
    await recorder.follow(market);
    await recorder.refresh(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape));
    expect(await gapsOf(market)).toEqual([]);
  });

  test("keeps what waits when the recorder is closed, and makes sure of it later", async () => {
    const { venue, market, open, trade } = scene();
    trade(3);
    const closed = open();
    await closed.follow(market);
    trade(2);
    closed.interrupted(market.id);
    closed.add(market.id, trade(2));
    await closed.close();
    expect(ids(await stored(market))).toEqual(expect.arrayContaining(["1", "2", "3", "6", "7"]));

    await open().follow(market);
    await expect.poll(async () => ids(await stored(market))).toEqual(ids(venue.tape));
    await expect.poll(() => gapsOf(market)).toEqual([]);
  });

  test("gets back what it missed in the millisecond of its last trade", async () => {
    const { venue, market, open, trade } = scene();
    trade(5);
    const recorder = open();
    await recorder.follow(market);
    const time = venue.tape.at(-1)?.time ?? 0;
    venue.tape = [...venue.tape, ...trade(80).map((each) => ({ ...each, time }))];
    await recorder.refresh(market);
    await expect.poll(async () => ids(await stored(market))).toEqual(ids(venue.tape));
    await expect.poll(() => gapsOf(market)).toEqual([]);
  });

  test("crosses the end of a month", async () => {
    const { venue, market, open, trade } = scene();
    const recorder = open();
    await recorder.follow(market);
    recorder.add(market.id, trade(4, 290_000));
    await recorder.refresh(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape));
    const tables = await held.db.query<{ name: string; count: number }>(sql`
      select t.tableoid::regclass::text as name, count(*)::int from cex_trades t
      join cex_markets m on m.id = t.market where m.market = ${market.id} group by 1 order by 1`);
    expect(tables).toEqual([
      { name: "cex_trades_2026_10", count: 2 },
      { name: "cex_trades_2026_11", count: 2 },
    ]);
  });

  test("is not spoilt by trades that make no sense", async () => {
    const { venue, market, open, trade } = scene();
    const recorder = open();
    await recorder.follow(market);
    const [good] = trade();
    const bad: Partial<Trade>[] = [
      { id: "" },
      { id: "\0" },
      { id: "\ud800" },
      { time: Number.NaN },
      { time: sceneStart * 1_000 },
      { time: 0 },
      { price: "NaN" },
      { price: "-1" },
      { size: "" },
      { size: "1e999" },
    ];
    for (const part of bad) recorder.add(market.id, [{ ...(good as Trade), id: "x", ...part }]);
    recorder.add(market.id, good ? [good] : []);
    await recorder.refresh(market);
    expect(ids(await stored(market))).toEqual(ids(venue.tape));
  });
});

describe("where ids rise by one", () => {
  test("trades that arrive out of order close their hole by themselves", async () => {
    const { venue, market, open, trade } = scene("kraken");
    trade(3);
    const recorder = open();
    await recorder.follow(market);
    recorder.add(market.id, trade(1));
    await recorder.refresh(market);
    const { calls } = venue;
    const [first, second, third] = trade(3);
    recorder.add(market.id, third ? [third] : []);
    recorder.add(market.id, first && second ? [second, first] : []);
    await expect.poll(async () => ids(await stored(market))).toEqual(ids(venue.tape));
    expect(venue.calls).toBe(calls);
  });

  test("a hole is noticed without any interruption, and filled over REST", async () => {
    const { venue, market, open, trade } = scene("kraken");
    trade(3);
    const recorder = open();
    await recorder.follow(market);
    recorder.add(market.id, trade(1));
    const [first, , , fourth] = trade(4);
    recorder.add(market.id, first ? [first] : []);
    recorder.add(market.id, fourth ? [fourth] : []);
    await expect.poll(async () => ids(await stored(market))).toEqual(ids(venue.tape));
    expect(await gapsOf(market)).toEqual([]);
  });

  test("a hole that REST has no trades for is a gap", async () => {
    const { venue, market, open, trade } = scene("kraken");
    trade(3);
    const recorder = open();
    await recorder.follow(market);
    recorder.add(market.id, trade(1));
    const [first, lost, last] = trade(3);
    venue.lag = 2;
    recorder.add(market.id, first ? [first] : []);
    await recorder.refresh(market);
    recorder.add(market.id, last ? [last] : []);
    await expect.poll(() => gapsOf(market)).toMatchObject([{ from: first?.time, to: last?.time }]);
    expect(ids(await stored(market))).toEqual(ids(venue.tape.filter((trade) => trade !== lost)));
  });
});
