import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "../server/src/database/sql.ts";
import type { ChainAnswer, ChainOrders } from "./dex/chain-process.ts";
import { type DumpedBatch, dumpTables } from "./dex/dump.ts";
import type { FloorOrders } from "./dex/floor-process.ts";
import type { IndexOrders } from "./dex/index-process.ts";
import { installPonder, ponderVersion, runPonder } from "./dex/ponder.ts";
import { type Postgres, startPostgres, withDatabase } from "./postgres.ts";
import { runProcess, startProcess } from "./process.ts";
import { median, type Usage } from "./usage.ts";

/** Ponder is given fewer, so that nobody waits for it. */
const ponderSwapsMost = 100_000;
const ponderMostMs = 120_000;

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
  const postgres = await startPostgres();
  const chain = await startProcess<ChainAnswer>("./dex/chain-process.ts", {
    swaps,
  } satisfies ChainOrders);
  try {
    const { url } = chain.answer;
    const rounds = await runRounds(postgres, url, swaps, Number(values.rounds));
    const ponder = values["no-ponder"] ? undefined : await measurePonder(postgres, url, swaps);
    report(swaps, rounds, ponder);
  } finally {
    await chain.stop();
    await postgres.stop();
  }
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
    const floor = await runProcess<Usage>("./dex/floor-process.ts", {
      database: emptyDatabase,
      url,
      batches,
    } satisfies FloorOrders);
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

type Measured = Usage & { events: number };

async function measurePonder(
  postgres: Postgres,
  url: string,
  swaps: number,
): Promise<Measured | undefined> {
  console.log("installing Ponder, unless it is there already");
  if (!installPonder()) return undefined;
  const database = await postgres.createPlain("bench_ponder");
  await postgres.settle();
  return runPonder({
    database,
    url,
    swaps: Math.min(swaps, ponderSwapsMost),
    mostMs: ponderMostMs,
  });
}

function report(swaps: number, rounds: readonly Round[], ponder: Measured | undefined): void {
  const of = (name: keyof Round, figure: keyof Usage) =>
    median(rounds.map((round) => round[name][figure]));
  const line = (title: string, name: keyof Round) =>
    row(title, swaps / of(name, "seconds"), of(name, "cpuSeconds"), of(name, "peakMiB"));
  console.log(`\n${"".padEnd(40)}    events/s       CPU s    peak MiB`);
  console.log(line("the floor: fetch, parse, COPY", "floor"));
  console.log(line("slipway, indexing", "index"));
  console.log(line("slipway, reindexing stored logs", "reindex"));
  if (ponder) {
    const { events, seconds, cpuSeconds, peakMiB } = ponder;
    const title = `Ponder ${ponderVersion}, ${events} events`;
    console.log(row(title, events / seconds, cpuSeconds, peakMiB));
  }

  // Ratios are taken within each round, where the machine was equally busy for both.
  const ratio = (faster: keyof Round, slower: keyof Round) =>
    median(rounds.map((round) => round[slower].seconds / round[faster].seconds));
  console.log("");
  console.log(
    `indexing, of the floor    ${ratio("index", "floor").toFixed(2)}  (aim: 0.5 or more)`,
  );
  console.log(
    `reindexing, of indexing   ${ratio("reindex", "index").toFixed(2)}  (aim: 1 or more)`,
  );
  console.log(`peak memory, MiB          ${of("index", "peakMiB").toFixed(0)}  (aim: below 1024)`);
  if (!ponder) return;
  const times = swaps / of("index", "seconds") / (ponder.events / ponder.seconds);
  console.log(`times as fast as Ponder   ${times.toFixed(1)}  (aim: 10 or more)`);
}

function row(title: string, ...figures: number[]): string {
  return title.padEnd(40) + figures.map((figure) => figure.toFixed(0).padStart(12)).join("");
}
