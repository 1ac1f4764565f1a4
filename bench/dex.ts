import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "../server/src/database/sql.ts";
import type { ChainAnswer, ChainOrders } from "./dex/chain-process.ts";
import { type DumpedBatch, dumpTables } from "./dex/dump.ts";
import type { FloorOrders } from "./dex/floor-process.ts";
import type { IndexOrders } from "./dex/index-process.ts";
import { installPonder, ponderVersion, runPonder } from "./dex/ponder.ts";
import { type Postgres, withDatabase, withPostgres } from "./postgres.ts";
import { runProcess, startProcess } from "./process.ts";
import { median, type Usage } from "./usage.ts";

/** Ponder is given fewer, so that nobody waits for it. */
const ponderSwapsMost = 100_000;
const ponderMostMs = 120_000;
const ponderUrls = 25;

type Round = { index: Usage; floor: Usage; reindex: Usage };

/** Indexes synthetic swaps as the service does, beside the least that must be done, and beside Ponder. */
export async function benchDex(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      logs: { type: "string", default: "1000000" },
      rounds: { type: "string", default: "3" },
      "no-ponder": { type: "boolean", default: false },
    },
  });
  const swaps = Number(values.logs);
  console.log(`${swaps} swaps in 100 pools, ${values.rounds} rounds`);
  await withPostgres(async (postgres) => {
    const orders: ChainOrders = { swaps };
    const chain = await startProcess<ChainAnswer>("./dex/chain-process.ts", orders);
    const { url } = chain.answer;
    const rounds = await runRounds(postgres, url, swaps, Number(values.rounds));
    const peers = values["no-ponder"] ? [] : await measurePonder(postgres, url, swaps);
    report(swaps, rounds, peers);
    await chain.stop();
  });
}

/** Each round does everything once: where the machine was busy, it was busy for all. */
async function runRounds(postgres: Postgres, url: string, swaps: number, count: number) {
  const rounds: Round[] = [];
  let batches: DumpedBatch[] | undefined;
  while (rounds.length < count) {
    const database = await postgres.create("bench_index");
    await postgres.settle();
    const index = await runIndex({ work: "index", database, url });
    batches ??= await withDatabase(database, async (db) => {
      const [row] = await db.query<{ count: bigint }>(
        sql`select count(*) from dex_trades where kind = 'swap'`,
      );
      if (Number(row?.count) !== swaps) throw new Error(`Only ${row?.count} swaps were indexed.`);
      return dumpTables(db, join(postgres.folder, "dump"));
    });
    const emptyDatabase = await postgres.create("bench_floor");
    await postgres.settle();
    const floor = await runFloor({ database: emptyDatabase, url, batches });
    await postgres.settle();
    const reindex = await runIndex({ work: "reindex", database });
    rounds.push({ index, floor, reindex });
    const rates = [index, floor, reindex].map(({ seconds }) => Math.round(swaps / seconds));
    console.log(`round ${rounds.length} of ${count}: ${rates.join(", ")} swaps/s`);
  }
  return rounds;
}

function runIndex(orders: IndexOrders): Promise<Usage> {
  return runProcess<Usage>("./dex/index-process.ts", orders);
}

function runFloor(orders: FloorOrders): Promise<Usage> {
  return runProcess<Usage>("./dex/floor-process.ts", orders);
}

type Measured = Usage & { title: string; events: number };

/** As it comes, and with its limit of requests lifted by naming the same node many times. */
async function measurePonder(postgres: Postgres, url: string, swaps: number): Promise<Measured[]> {
  console.log("installing Ponder, unless it is there already");
  if (!installPonder()) return [];
  const run = async (title: string, urls: string[]) => {
    console.log(`${title}:`);
    const database = await postgres.createPlain("bench_ponder");
    await postgres.settle();
    const orders = {
      database,
      urls,
      swaps: Math.min(swaps, ponderSwapsMost),
      mostMs: ponderMostMs,
    };
    return { title, ...(await runPonder(orders)) };
  };
  const once = await run(`Ponder ${ponderVersion}`, [url]);
  return [once, await run(`${once.title} without its limit`, Array(ponderUrls).fill(url))];
}

function report(swaps: number, rounds: readonly Round[], peers: readonly Measured[]): void {
  const of = (name: keyof Round, what: keyof Usage) =>
    median(rounds.map((round) => round[name][what]));
  const line = (title: string, name: keyof Round) =>
    row(title, swaps / of(name, "seconds"), of(name, "cpuSeconds"), of(name, "peakMiB"));
  console.log(`\n${"".padEnd(48)}    events/s       CPU s    peak MiB`);
  console.log(line("the floor: fetch, parse, COPY", "floor"));
  console.log(line("slipway, indexing", "index"));
  console.log(line("slipway, reindexing stored logs", "reindex"));
  for (const { title, events, seconds, cpuSeconds, peakMiB } of peers)
    console.log(row(`${title}, ${events} events`, events / seconds, cpuSeconds, peakMiB));

  // Ratios are taken within each round, where the machine was equally busy for both.
  const ratio = (name: keyof Round, base: keyof Round) =>
    median(rounds.map((round) => round[base].seconds / round[name].seconds));
  console.log("");
  console.log(figure("indexing / the floor", ratio("index", "floor"), "at least 0.5"));
  console.log(figure("reindexing / indexing", ratio("reindex", "index"), "at least 1"));
  for (const { title, events, seconds } of peers) {
    const times = swaps / of("index", "seconds") / (events / seconds);
    console.log(figure(`indexing / ${title}`, times, "at least 10"));
  }
  console.log(figure("peak memory in GiB", of("index", "peakMiB") / 1_024, "below 1"));
}

function figure(title: string, value: number, aim: string): string {
  return `${title.padEnd(48)}${value.toFixed(2).padStart(8)}   aim: ${aim}`;
}

function row(title: string, ...figures: number[]): string {
  return title.padEnd(48) + figures.map((each) => each.toFixed(0).padStart(12)).join("");
}
