import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { hastyClock } from "../../../test/hasty-clock.ts";
import { listedMarket } from "../../../test/listed-market.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { TapedVenue } from "../../../test/taped-venue.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { sql } from "../../database/sql.ts";
import type { Trade } from "../market.ts";
import { openRecorder, type Recorder, type RecorderOptions } from "./recorder.ts";

const held = useDatabase();
const start = Date.UTC(2026, 9, 31, 23, 50);
let markets = 0;
const opened: Recorder[] = [];
afterEach(async () => {
  for (const recorder of opened.splice(0)) await recorder.close();
});

/** A market of its own, an exchange that has it, and a recorder that can be abandoned and replaced. */
function scene(exchange = "fake", options: Partial<RecorderOptions> = {}) {
  const clock = hastyClock(start);
  const venue = new TapedVenue(exchange);
  const market = listedMarket(`M${++markets}-USD`);
  const published: string[] = [];
  const open = () => {
    const recorder = openRecorder({
      db: held.db,
      venue,
      clock,
      log: silentLog,
      published: (_, trades) => published.push(...trades.map(({ id }) => id)),
      ...options,
    });
    opened.push(recorder);
    return recorder;
  };
  let count = 0;
  /** Something is traded at the exchange. */
  function trade(times = 1, stepMs = 400): Trade[] {
    const trades = Array.from({ length: times }, (): Trade => {
      const id = String(++count);
      const time = start + count * stepMs;
      return { id, time, price: `${100 + (count % 7)}.5`, size: "0.10", side: "buy" };
    });
    venue.tape.push(...trades);
    return trades;
  }
  return { clock, venue, market, published, open, trade };
}

type Row = { id: string; time: number };

async function stored({ id }: { id: string }): Promise<Row[]> {
  return held.db.query<Row>(sql`
    select t.id, t.time::float8 as time from cex_trades t join cex_markets m on m.id = t.market
    where m.market = ${id} order by t.time, t.place, t.id`);
}

async function gapsOf({ id }: { id: string }) {
  return held.db.query<{ from: number; to: number; reason: string; isOpen: boolean }>(sql`
    select from_time::float8 as from, to_time::float8 as to, reason, is_open as "isOpen"
    from cex_gaps g join cex_markets m on m.id = g.market where m.market = ${id} order by 1`);
}

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
    await open().follow(market);
    await opened.pop()?.close();
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
      { time: start * 1_000 },
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

const upTo = (max: number, min = 1) => fc.integer({ min, max });
/** What may happen to an exchange and to us. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("stream" as const), count: upTo(9) }),
    fc.record({ kind: fc.constant("repeat" as const), count: upTo(9) }),
    fc.record({ kind: fc.constant("reverse" as const), count: upTo(9) }),
    fc.record({ kind: fc.constant("miss" as const), count: upTo(70) }),
    fc.record({ kind: fc.constant("fail" as const), count: upTo(6) }),
    fc.record({ kind: fc.constant("forget" as const), count: upTo(40, 3) }),
    fc.record({ kind: fc.constant("lag" as const), count: upTo(5, 0) }),
    fc.record({ kind: fc.constant("wait" as const), count: upTo(3) }),
    fc.record({ kind: fc.constant("crash" as const), count: fc.constant(1) }),
  ),
  { minLength: 1, maxLength: 16 },
);

/** A market to which things happen. */
function story(exchange: string) {
  const { venue, market, open, trade, published } = scene(exchange);
  let recorder = open();
  const happens: Record<string, (count: number) => unknown> = {
    stream: (count) => recorder.add(market.id, trade(count)),
    repeat: (count) => {
      const trades = trade(count);
      for (let times = 0; times < 3; times++) recorder.add(market.id, trades);
    },
    reverse: (count) => recorder.add(market.id, trade(count).reverse()),
    miss: (count) => {
      trade(count);
      recorder.interrupted(market.id);
    },
    fail: (count) => {
      venue.failures = count;
    },
    forget: (count) => {
      venue.reach = count;
    },
    lag: (count) => {
      venue.lag = count;
    },
    wait: () => recorder.refresh(market).catch(() => {}),
    crash: () => {
      recorder = open();
      return recorder.follow(market).catch(() => {});
    },
  };
  /** The exchange is well again, and everything comes to rest. */
  async function end(): Promise<void> {
    venue.failures = 0;
    venue.lag = 0;
    recorder.interrupted(market.id);
    recorder.add(market.id, trade(2));
    await recorder.refresh(market);
    await recorder.refresh(market);
    await expect.poll(async () => (await gapsOf(market)).some(({ isOpen }) => isOpen)).toBe(false);
    for (const each of opened.splice(0)) await each.close();
  }
  const follow = () => recorder.follow(market);
  return { venue, market, published, trade, follow, happens, end };
}

test.each(["fake", "kraken"])(
  "%s: whatever happens, nothing is stored twice, and what is missing is in a gap",
  async (exchange) => {
    await fc.assert(
      fc.asyncProperty(happenings, async (events) => {
        const { venue, market, published, trade, follow, happens, end } = story(exchange);
        trade(5);
        await follow();
        for (const { kind, count } of events) await happens[kind]?.(count);
        await end();

        const [rows, gaps] = [await stored(market), await gapsOf(market)];
        const known = new Set(ids(rows));
        expect(known.size).toBe(rows.length);
        expect(ids(venue.tape)).toEqual(expect.arrayContaining(ids(rows)));
        const isInGap = ({ time }: Trade) =>
          gaps.some(({ from, to }) => from <= time && time <= to);
        const lost = venue.tape.filter(({ id }) => !known.has(id));
        expect(lost.filter((trade) => !isInGap(trade))).toEqual([]);
        expect(new Set(published).size).toBe(published.length);
      }),
      { numRuns: 40 },
    );
  },
);
