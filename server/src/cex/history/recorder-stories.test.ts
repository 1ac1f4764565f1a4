import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recorderScene, storedGaps, storedTrades } from "../../../test/recorder-scene.ts";
import { useDatabase } from "../../../test/test-database.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Trade } from "../market.ts";

const held = useDatabase();
const ids = (trades: readonly { id: string }[]) => trades.map(({ id }) => id);

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

/** How many turns of the event loop the answers of an exchange and of the database take, one after the other. */
const delays = fc.array(upTo(4, 0), { minLength: 1, maxLength: 20 });

/** A market to which things happen. */
function story(exchange: string, turns: readonly number[]) {
  let answers = 0;
  async function delay(): Promise<void> {
    for (let left = turns[answers++ % turns.length] ?? 0; left > 0; left--) await setImmediate();
  }
  const db: Database = {
    ...held.db,
    async transact(work) {
      await delay();
      return held.db.transact(work);
    },
  };
  const { venue, market, open, trade, published, close } = recorderScene(db, exchange);
  const answer = venue.trades.bind(venue);
  venue.trades = async (...question) => {
    await delay();
    return answer(...question);
  };
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
    // What was under way may fail, because the exchange did not answer just now.
    await recorder.refresh(market).catch(() => {});
    await recorder.refresh(market);
    await expect
      .poll(async () => (await storedGaps(held.db, market)).some(({ isOpen }) => isOpen))
      .toBe(false);
  }
  const follow = () => recorder.follow(market);
  return { venue, market, published, trade, follow, happens, end, close };
}

/** How many trades the candles of a minute have, and how much was traded in them. */
async function minutesOf({ id }: { id: string }) {
  const [minutes] = await held.db.query(sql`
    select sum(trades)::int as trades, sum(volume)::text as volume
    from cex_candles c join cex_markets m on m.id = c.market
    where m.market = ${id} and seconds = 60`);
  return minutes;
}

test.each(["fake", "kraken"])(
  "%s: whatever happens, nothing is stored twice, and what is missing is in a gap",
  async (exchange) => {
    await fc.assert(
      fc.asyncProperty(happenings, delays, async (events, turns) => {
        const { venue, market, published, trade, ...told } = story(exchange, turns);
        trade(5);
        try {
          await told.follow();
          for (const { kind, count } of events) await told.happens[kind]?.(count);
          await told.end();
        } finally {
          await told.close();
        }

        const [rows, gaps] = [
          await storedTrades(held.db, market),
          await storedGaps(held.db, market),
        ];
        const known = new Set(ids(rows));
        expect(known.size).toBe(rows.length);
        expect(ids(venue.tape)).toEqual(expect.arrayContaining(ids(rows)));
        const isInGap = ({ time }: Trade) =>
          gaps.some(({ from, to }) => from <= time && time <= to);
        const lost = venue.tape.filter(({ id }) => !known.has(id));
        expect(lost.filter((trade) => !isInGap(trade))).toEqual([]);
        expect(new Set(published).size).toBe(published.length);
        const volume = (rows.length / 10).toFixed(2);
        expect(await minutesOf(market)).toEqual({ trades: rows.length, volume });
      }),
      { numRuns: 40, interruptAfterTimeLimit: 45_000 },
    );
  },
);
