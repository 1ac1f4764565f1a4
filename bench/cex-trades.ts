import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Trade } from "../server/src/cex/market.ts";
import type { Database } from "../server/src/database/database.ts";
import { sql } from "../server/src/database/sql.ts";
import { built, context, openBenchDatabase } from "./built.ts";
import { type Postgres, withPostgres } from "./postgres.ts";
import { median, percentile } from "./usage.ts";

type Store = typeof import("../server/src/cex/store/markets.ts") &
  typeof import("../server/src/cex/store/months.ts") &
  typeof import("../server/src/cex/store/read-trades.ts");

const { openMarket, ensureMonths, readTrades } = {
  ...(await built<Store>("cex/store/markets")),
  ...(await built<Store>("cex/store/months")),
  ...(await built<Store>("cex/store/read-trades")),
};
const { openTradeWriter } = await built<typeof import("../server/src/cex/history/trade-writer.ts")>(
  "cex/history/trade-writer",
);

const marketCount = 10;
const batchTrades = 20_000;
const firstTime = Date.UTC(2026, 0, 1);
const limit = 200;
const warmUps = 100;

/** How fast trades are stored beside the least that must be done, and how long a page takes when there are many. */
export async function benchCexTrades(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      small: { type: "string", default: "100000" },
      large: { type: "string", default: "10000000" },
    },
  });
  const { quick, small, large } = values;
  await withPostgres(async (postgres) => {
    await benchWriting(
      postgres,
      quick ? { trades: 100_000, rounds: 3 } : { trades: 400_000, rounds: 7 },
    );
    const sizes = quick ? [small, "1000000"] : [small, large];
    await benchPages(postgres, sizes.map(Number), quick ? 500 : 2_000);
  });
}

type Batch = { market: string; trades: Trade[] }[];

/** Trades of several markets in turn, a thousandth of a second apart, with figures as exchanges have them. */
function makeBatches(count: number): Batch[] {
  return Array.from({ length: count / batchTrades }, (_, batch) =>
    Array.from({ length: marketCount }, (_, market) => ({
      market: `M${market}-USD`,
      trades: Array.from({ length: batchTrades / marketCount }, (_, place): Trade => {
        const number = (batch * batchTrades) / marketCount + place;
        return {
          id: String(90_000_000 + number),
          time: firstTime + number * 37,
          price: `${60_000 + (number % 977)}.${String(number % 100).padStart(2, "0")}`,
          size: `0.${String((number * 7_919) % 100_000_000).padStart(8, "0")}`,
          side: number % 3 ? "buy" : "sell",
        };
      }),
    })),
  );
}

/** Stores the same trades by the recorder's way and by a bare COPY, in turn, each into empty tables. */
async function benchWriting(
  postgres: Postgres,
  { trades, rounds }: { trades: number; rounds: number },
): Promise<void> {
  const batches = makeBatches(trades);
  const db = openBenchDatabase(await postgres.create("bench_cex_writing"), 2);
  const markets = new Map<string, number>();
  for (const { market } of batches[0] ?? []) {
    markets.set(market, (await openMarket(db, { exchange: "kraken", market })).id);
  }
  const ways = { copy: copyBatches, recorder: recordBatches };
  const perSecond: Record<keyof typeof ways, number[]> = { copy: [], recorder: [] };
  for (let round = -1; round < rounds; round++) {
    for (const way of ["copy", "recorder"] as const) {
      await empty(db, batches);
      await postgres.settle();
      const began = performance.now();
      await ways[way](db, markets, batches);
      if (round >= 0) perSecond[way].push((1_000 * trades) / (performance.now() - began));
    }
  }
  await db.close();
  const shares = perSecond.recorder.map((value, round) => value / (perSecond.copy[round] ?? 1));
  console.log(
    `\n${trades} trades of ${marketCount} markets in batches of ${batchTrades}, ${rounds} rounds`,
  );
  console.log(row("a bare COPY", `${median(perSecond.copy).toFixed(0)}/s`));
  console.log(
    row(
      "the recorder, with candles",
      `${median(perSecond.recorder).toFixed(0)}/s`,
      `${(100 * median(shares)).toFixed(0)} % of it (aim: at least 70 %)`,
    ),
  );
}

async function empty(db: Database, batches: readonly Batch[]): Promise<void> {
  await db.query(sql`truncate cex_trades, cex_candles`);
  const times = batches.flatMap((batch) => batch.flatMap(({ trades }) => trades[0]?.time ?? []));
  await db.transact((tx) => ensureMonths(tx, times));
}

async function copyBatches(
  db: Database,
  markets: ReadonlyMap<string, number>,
  batches: readonly Batch[],
): Promise<void> {
  const columns = ["market", "time", "place", "id", "price", "size", "is_buy"];
  for (const batch of batches) {
    await db.transact((tx) =>
      tx.copy({ table: "cex_trades", columns, lines: linesOf(markets, batch) }),
    );
  }
}

function* linesOf(markets: ReadonlyMap<string, number>, batch: Batch): Generator<string> {
  for (const { market, trades } of batch) {
    const number = markets.get(market);
    for (const { id, time, price, size, side } of trades) {
      yield `${number}\t${time}\t${id}\t${id}\t${price}\t${size}\t${side === "buy" ? "t" : "f"}\n`;
    }
  }
}

async function recordBatches(
  db: Database,
  markets: ReadonlyMap<string, number>,
  batches: readonly Batch[],
): Promise<void> {
  const { clock, log } = context;
  let stored = 0;
  const writer = openTradeWriter({
    db,
    clock,
    log,
    flushMs: 60_000,
    queueMost: batchTrades,
    hasCandles: true,
    stored: (_, trades) => {
      stored += trades.length;
    },
  });
  const written = [...markets].map(([name, id]) => ({
    id,
    name,
    foldedSince: 0,
    counted: new Map(),
  }));
  for (const batch of batches) {
    for (const { market, trades } of batch) {
      const found = written.find(({ name }) => name === market);
      if (found) writer.add(found, { trades });
    }
    await writer.flush();
  }
  await writer.close();
  if (stored !== batches.length * batchTrades) throw new Error(`Only ${stored} were stored.`);
}

/** Asks for pages of trades where there are few and where there are many, in turn. */
async function benchPages(
  postgres: Postgres,
  sizes: readonly number[],
  requests: number,
): Promise<void> {
  const sites: Site[] = [];
  for (const size of sizes) {
    console.log(`\nfilling in ${size} trades`);
    const db = openBenchDatabase(await postgres.create(`bench_cex_${size}`), 1);
    sites.push({ size, db, lastTime: await fill(db, size) });
  }
  console.log(
    `pages of ${limit} trades of one market out of ${marketCount}, ${requests} of each kind`,
  );
  console.log(row("milliseconds", ...sizes.flatMap((size) => [`p50 of ${size}`, "p99"]), "ratio"));
  for (const kind of ["newest", "older"] as const) {
    const times = await readPages(sites, kind, requests);
    const [small = 1, large = 1] = times.map((own) => percentile(own, 50));
    const cells = times.flatMap((own) => [percentile(own, 50), percentile(own, 99)]);
    const ratio = `${(large / small).toFixed(2)} (aim: at most 1.5)`;
    console.log(row(kind, ...cells.map((cell) => cell.toFixed(2)), ratio));
  }
  for (const { db } of sites) await db.close();
}

/** More trades are a longer history, as in life: ten million are about a year of ten markets. */
async function fill(db: Database, size: number): Promise<number> {
  const stepMs = 31_000;
  const perMarket = size / marketCount;
  const lastTime = firstTime + (perMarket - 1) * stepMs;
  for (let market = 0; market < marketCount; market++) {
    await openMarket(db, { exchange: "kraken", market: `M${market}-USD` });
  }
  const months = Array.from(
    { length: perMarket / 1_000 },
    (_, n) => firstTime + n * 1_000 * stepMs,
  );
  await db.transact((tx) => ensureMonths(tx, [...months, lastTime]));
  await db.query(sql`set statement_timeout = 0`);
  await db.query(sql`
    insert into cex_trades
    select 1 + n % ${marketCount}, ${firstTime} + n / ${marketCount} * ${stepMs}::bigint, n, n::text,
      60000 + n % 977 + 0.25, 0.00012345 * (1 + n % 991), n % 3 > 0
    from generate_series(0, ${size - 1}::bigint) n`);
  await db.query(sql`vacuum analyze cex_trades`);
  return lastTime;
}

type Site = { size: number; db: Database; lastTime: number };
type Kind = "newest" | "older";

async function readPages(
  sites: readonly Site[],
  kind: Kind,
  requests: number,
): Promise<number[][]> {
  const times = sites.map((): number[] => []);
  for (let request = -warmUps; request < requests; request++) {
    for (const [index, site] of sites.entries()) {
      const ms = await readPage(site, kind, request + warmUps);
      if (request >= 0) times[index]?.push(ms);
    }
  }
  return times;
}

/** Milliseconds of one page; older ones begin anywhere in the history. */
async function readPage({ db, lastTime }: Site, kind: Kind, number: number): Promise<number> {
  const back = (number * 7_919_000) % (0.9 * (lastTime - firstTime));
  const after = kind === "older" ? { time: Math.floor(lastTime - back), id: "0" } : undefined;
  const market = `M${number % marketCount}-USD`;
  const began = performance.now();
  const page = await readTrades(db, { exchange: "kraken", market, limit, after });
  let length = 0;
  for await (const text of page.chunks) length += text.length;
  if (page.count !== limit || length < limit) throw new Error(`A page has ${page.count} trades.`);
  return performance.now() - began;
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(28) + cells.map((cell) => cell.padStart(18)).join("  ");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await benchCexTrades(process.argv.slice(2));
}
