import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Trade } from "../market.ts";
import { compareKeys, type TradeKey } from "../trade-key.ts";
import { openMarket } from "./markets.ts";
import { readTrades, type TradeQuery } from "./read-trades.ts";
import { copyTrades } from "./write-trades.ts";

const held = useDatabase();
let markets = 0;

/** A market of its own for each test. */
async function newMarket() {
  const name = { exchange: "kraken", market: `M${++markets}-USD` };
  const { id } = await openMarket(held.db, name);
  return { name, write: (trades: Trade[]) => store(id, trades) };
}

async function store(market: number, trades: Trade[]): Promise<void> {
  await held.db.transact((tx) => copyTrades(tx, [{ market, trades }]));
}

const firstMs = Date.UTC(2026, 9, 31, 23, 59, 59, 990);

function trade(time: number, id: string, more: Partial<Trade> = {}): Trade {
  return { time, id, price: "1.50", size: "0.020", side: "buy", ...more };
}

async function read(query: TradeQuery) {
  const { chunks, ...page } = await readTrades(held.db, query);
  const texts: string[] = [];
  for await (const text of chunks) texts.push(text);
  const items = JSON.parse(`[${texts.join(",")}]`) as { id: string; timestamp: string }[];
  return { ...page, texts, ids: items.map(({ id }) => id) };
}

describe("trades", () => {
  test("come newest first, with every digit they have and none more", async () => {
    const { name, write } = await newMarket();
    await write([
      trade(firstMs, "7", { price: "0.000000012300", size: "123456789012345678.1", side: "sell" }),
      trade(firstMs, '10"\\', { price: "73241.0", size: "100" }),
      trade(firstMs, "8", { price: "1E2", size: "0" }),
    ]);
    const { texts, ...page } = await read({ ...name, limit: 10 });
    expect(texts).toEqual([
      `{"id":"8","timestamp":"${firstMs}","price":100,"size":0,"cost":0,"side":"buy"},` +
        `{"id":"7","timestamp":"${firstMs}","price":0.0000000123,"size":123456789012345678.1,"cost":1518518504.85185184063,"side":"sell"},` +
        `{"id":"10\\"\\\\","timestamp":"${firstMs}","price":73241,"size":100,"cost":7324100,"side":"buy"}`,
    ]);
    expect(page).toMatchObject({
      count: 3,
      newest: { time: firstMs, id: "8" },
      oldest: { time: firstMs, id: '10"\\' },
    });
  });

  test("of a market that is not known are none", async () => {
    expect(await read({ exchange: "kraken", market: "NO-SUCH", limit: 5 })).toEqual({
      count: 0,
      newest: undefined,
      oldest: undefined,
      texts: [],
      ids: [],
    });
  });

  test("from a moment on include that moment", async () => {
    const { name, write } = await newMarket();
    await write([1, 2, 3].map((number) => trade(firstMs + number, String(number))));
    expect((await read({ ...name, limit: 10, since: firstMs + 2 })).ids).toEqual(["3", "2"]);
  });

  test("newer than a cursor are those nearest to it, still newest first", async () => {
    const { name, write } = await newMarket();
    await write([1, 2, 3, 4, 5].map((number) => trade(firstMs, String(number))));
    const before = { time: firstMs, id: "2" };
    const page = await read({ ...name, limit: 2, before });
    expect(page.ids).toEqual(["4", "3"]);
    expect(page.newest).toEqual({ time: firstMs, id: "4" });
    expect(page.oldest).toEqual({ time: firstMs, id: "3" });
  });

  test("of a long page come in chunks, and its ends are known before", async () => {
    const { name, write } = await newMarket();
    const count = 4_500;
    await write(Array.from({ length: count }, (_, n) => trade(firstMs + (n >> 2), String(n))));
    const page = await read({ ...name, limit: 50_000 });
    expect(page.texts).toHaveLength(3);
    expect(page.ids).toEqual(Array.from({ length: count }, (_, n) => String(count - 1 - n)));
    expect(page).toMatchObject({ count, newest: { id: String(count - 1) }, oldest: { id: "0" } });
  });
});

/** Ids as exchanges have them: numbers, numbers that no column holds, and text. */
const ids = fc.oneof(
  fc.nat({ max: 30 }).map(String),
  fc.nat({ max: 30 }).map((number) => `99999999999999999999${number}`),
  fc.uuid(),
  fc.constantFrom("a", "b", "A", "ä", "10-1"),
);
/** Few milliseconds, so that many trades share one; a month ends among them. */
const tapes = fc.uniqueArray(
  fc.record({ time: fc.integer({ min: firstMs, max: firstMs + 20 }), id: ids }),
  { selector: ({ time, id }) => `${time} ${id}`, minLength: 1, maxLength: 40 },
);

describe("any split into pages, while the tape grows, gives each trade exactly once", () => {
  test("from the newest to the oldest", async () => {
    await fc.assert(
      fc.asyncProperty(tapes, fc.array(fc.integer({ min: 1, max: 7 })), async (tape, limits) => {
        const { name, write } = await newMarket();
        await write(tape.map(({ time, id }) => trade(time, id)));
        const seen: string[] = [];
        let after: TradeKey | undefined;
        for (let pages = 0; ; pages++) {
          const page = await read({ ...name, limit: limits[pages] ?? 3, after });
          seen.push(...page.ids);
          if (!page.oldest) break;
          after = page.oldest;
          await write([trade(firstMs + 1_000 + pages, "new")]);
        }
        expect(seen).toEqual(
          [...tape]
            .sort(compareKeys)
            .reverse()
            .map(({ id }) => id),
        );
      }),
      { numRuns: 40 },
    );
  });

  test("from the oldest to the newest", async () => {
    await fc.assert(
      fc.asyncProperty(tapes, fc.array(fc.integer({ min: 1, max: 7 })), async (tape, limits) => {
        const { name, write } = await newMarket();
        const ordered = tape.map(({ time, id }) => trade(time, id)).sort(compareKeys);
        const half = Math.ceil(ordered.length / 2);
        await write(ordered.slice(0, half));
        const later = ordered.slice(half);
        const seen: string[] = [];
        let before: TradeKey = { time: 0, id: "0" };
        for (let isDone = false; !isDone; ) {
          const page = await read({ ...name, limit: limits.pop() ?? 3, before });
          seen.push(...page.ids.reverse());
          before = page.newest ?? before;
          isDone = !page.newest && later.length === 0;
          await write(later.splice(0, 3));
        }
        expect(seen).toEqual(ordered.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });
});

describe("the database looks up a page, instead of looking through the months", () => {
  /** How the database would answer, and did. */
  async function planOf(query: TradeQuery): Promise<string> {
    const lines: string[] = [];
    const db: Queryable = {
      async query(statement) {
        const plan = await held.db.query<{ "QUERY PLAN": string }>({
          ...statement,
          text: `explain (analyze, costs off, timing off, summary off) ${statement.text}`,
        });
        lines.push(...plan.map((line) => line["QUERY PLAN"]));
        return [];
      },
    };
    await readTrades(db, query);
    return lines.join("\n");
  }

  test("newest, older, newer and since", async () => {
    const { name, write } = await newMarket();
    const months = [7, 8, 9, 10];
    for (const month of months) {
      const start = Date.UTC(2026, month, 15);
      await write(Array.from({ length: 3_000 }, (_, n) => trade(start + n, String(n))));
    }
    await held.db.query(sql`analyze cex_trades`);
    const key = { time: Date.UTC(2026, 8, 15) + 1_500, id: "1500" };

    const newest = await planOf({ ...name, limit: 200 });
    expect(newest).toMatch(/Index Scan Backward using cex_trades_2026_11_pkey.* \(actual rows=200/);
    expect(newest).toMatch(/cex_trades_2026_10.*never executed/);
    expect(newest).not.toMatch(/Seq Scan on cex_trades|Sort/);

    const older = await planOf({ ...name, limit: 200, after: key });
    expect(older).toMatch(/Index Scan Backward using cex_trades_2026_09_pkey.* \(actual rows=200/);
    expect(older).not.toMatch(/cex_trades_2026_1[01]|Seq Scan on cex_trades/);

    const newer = await planOf({ ...name, limit: 200, before: key });
    expect(newer).toMatch(/Index Only Scan using cex_trades_2026_09_pkey.* \(actual rows=200/);
    expect(newer).not.toMatch(/cex_trades_2026_08|Seq Scan on cex_trades/);

    const since = await planOf({ ...name, limit: 200, since: key.time });
    expect(since).not.toMatch(/cex_trades_2026_08|Seq Scan on cex_trades/);
  });
});
