import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import type { BankDestination } from "../../server/src/ramp/ports.ts";
import type { DepositContext } from "../../server/src/ramp/rails/evm/deposit-watch.ts";
import { hashOf } from "../../server/test/fake-chain.ts";
import { memoryExchange } from "../../server/test/memory-exchange.ts";
import { built, openBenchDatabase } from "../built.ts";
import type { Postgres } from "../postgres.ts";
import { percentile } from "../usage.ts";
import { fillPast, pastBlocks } from "./past.ts";
import { type QuietNodes, quietNodes } from "./quiet-nodes.ts";
import {
  addPayouts,
  bank,
  chainPayout,
  dollar,
  hot,
  payoutIds,
  type Rails,
  railsOn,
  rampChain,
} from "./scene.ts";
import { depositAddress } from "./synthetic-blocks.ts";

const { asCents, asUnits } =
  await built<typeof import("../../server/src/lib/money.ts")>("lib/money");
const { achRail } = await built<typeof import("../../server/src/ramp/rails/bank/ach-rail.ts")>(
  "ramp/rails/bank/ach-rail",
);
const { fileMaker } = await built<typeof import("../../server/src/ramp/rails/bank/out-files.ts")>(
  "ramp/rails/bank/out-files",
);
const { entrySettler } = await built<
  typeof import("../../server/src/ramp/rails/bank/settle-entries.ts")
>("ramp/rails/bank/settle-entries");
const { evmRail } = await built<typeof import("../../server/src/ramp/rails/evm/chain-rail.ts")>(
  "ramp/rails/evm/chain-rail",
);
const { depositWatch } = await built<
  typeof import("../../server/src/ramp/rails/evm/deposit-watch.ts")
>("ramp/rails/evm/deposit-watch");
const { hexSigner } =
  await built<typeof import("../../server/src/ramp/rails/evm/keys.ts")>("ramp/rails/evm/keys");
const { ownTransactionsWatch } = await built<
  typeof import("../../server/src/ramp/rails/evm/own-transactions.ts")
>("ramp/rails/evm/own-transactions");
const { insertCursor } = await built<
  typeof import("../../server/src/ramp/rails/store/chain-blocks.ts")
>("ramp/rails/store/chain-blocks");
const { railNews } = await built<typeof import("../../server/src/ramp/rails/store/notices.ts")>(
  "ramp/rails/store/notices",
);

const warmUps = 10;
const amount = 250_50n;
const source = "chain:ethereum";

/** How much is over already: first little, then a lot; and how many payouts are watched through their lives. */
type Amount = { little: number; lots: number; lives: number };

/** What is measured, in the order of a life. Each returns how much it did. */
type Operations = Record<string, (life: number) => Promise<number>>;

/** A database with a past, and what is done on it. */
type Site = { rails: Rails; operations: Operations };

/** Does the same where little and where a lot is over already, in turn: the past should cost nothing. */
export async function benchHistory(
  postgres: Postgres,
  { little, lots, lives }: Amount,
): Promise<void> {
  const sites: Site[] = [];
  for (const size of [little, lots]) {
    console.log(`\nfilling in ${size} payouts, entries, deposits and notices`);
    sites.push(await openSite(postgres, size, warmUps + lives + 1));
  }
  const names = Object.keys(sites[0]?.operations ?? {});
  const times = sites.map(() => new Map(names.map((name) => [name, [] as number[]])));
  for (let life = 0; life < warmUps + lives; life++) {
    for (const [index, site] of sites.entries())
      await live(site, life, async (name, work) => {
        const began = performance.now();
        await work();
        if (life >= warmUps) times[index]?.get(name)?.push(performance.now() - began);
      });
  }
  const rows = await Promise.all(sites.map((site) => countRows(site, warmUps + lives)));
  console.log(`${lives} times each, in turn, among ${little} and among ${lots} that are over:`);
  console.log(row("", "p50 ms", "p50 ms", "ratio", "noise", "rows read", "rows read"));
  for (const name of names) {
    const [small = [], large = []] = times.map((own) => own.get(name) ?? []);
    report(
      name,
      small,
      large,
      rows.map((own) => own.get(name) ?? 0),
    );
  }
  console.log("The ratio is how much longer it takes among more of them (aim: about 1).");
  for (const { rails } of sites) await rails.db.close();
}

/** Does everything once, and what belongs to it around. */
async function live(
  { rails, operations }: Site,
  life: number,
  around: (name: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const [name, operation] of Object.entries(operations)) {
    let handled = 0;
    await around(name, async () => {
      handled = await operation(life);
    });
    if (handled !== 1) throw new Error(`${name}: ${handled} instead of 1.`);
    await passTime(rails);
  }
}

/** Moves the clock to when the next thing is due at the bank, or on a bit, and says that the bank has all files. */
async function passTime({ db, clock }: Rails): Promise<void> {
  const [next] = await db.query<{ dueAt: Date | null }>(sql`
    select min(due_at) as "dueAt" from bank_entries where due_at is not null`);
  await db.query(
    sql`update bank_files set state = 'delivered', due_at = null where due_at is not null`,
  );
  clock.advance(Math.max(2_000, (next?.dueAt?.getTime() ?? 0) - clock.now()));
}

async function openSite(postgres: Postgres, size: number, lives: number): Promise<Site> {
  const address = await postgres.create(`bench_rails_past_${size}`);
  const chainIds = payoutIds(1, lives);
  const achIds = payoutIds(1_000_000, lives);
  await fillPast(address, size, async (db) => {
    await addPayouts(db, "chain", chainIds, amount);
    await addPayouts(db, "ach", achIds, amount);
    await db.query(sql`
      insert into ledger_accounts (name, asset, is_guarded, balance)
      values ('out:ach:USD', 'USD', false, ${amount * BigInt(lives)})`);
  });
  await postgres.settle();
  // One connection: what it has read can be counted.
  const rails = railsOn(openBenchDatabase(address, 1));
  const nodes = quietNodes(pastBlocks, () => rails.clock.now());
  const at = new Date(rails.clock.now());
  await rails.db.transact((tx) => insertCursor(tx, "ethereum", nodes.head(), at));
  const onChain = chainOperations(rails, nodes, (life) =>
    chainPayout(idAt(chainIds, life), amount),
  );
  return {
    rails,
    operations: { ...onChain, ...bankOperations(rails, (life) => idAt(achIds, life)) },
  };
}

function chainOperations(
  rails: Rails,
  nodes: QuietNodes,
  payoutOf: (life: number) => ReturnType<typeof chainPayout>,
): Operations {
  const perDay = asUnits(10n ** 30n);
  const limits = { [dollar.symbol]: { floor: asUnits(0n), perPayout: undefined, perDay } };
  const context: DepositContext = {
    ...{ ...rails, nodes, chain: { ...rampChain([], 0), limits } },
    keys: { hot: hexSigner(hot.key), deposit: () => undefined },
    ...{ blockTime: (seconds) => seconds * 1_000, worthCents: () => undefined },
  };
  const [rail, watch, deposits] = [
    evmRail(context),
    ownTransactionsWatch(context),
    depositWatch(context),
  ];
  const news = railNews(rails, source);
  let cursor: string | null = null;
  return {
    "a payout submitted on a chain": async (life) => countOf(await rail.submit(payoutOf(life))),
    "found there again": async (life) => countOf(await rail.find(payoutOf(life).reference)),
    "watched, final and told": () => watch.run(),
    "a block with a deposit, which is final": async (life) => {
      const to = depositAddress(0);
      const place = { transactionHash: hashOf(`deposit ${life}`), logIndex: 0, token: dollar };
      nodes.add([{ ...place, from: hot.address, to, units: asUnits(amount) }]);
      // The block, and the deposit in it.
      return (await deposits.run()) - 1;
    },
    "what the chain told, read": async () => {
      cursor ??= await newestBefore(rails.db);
      const page = await news.read(cursor);
      ({ cursor } = page);
      return Math.min(1, page.notices.length);
    },
  };
}

/** The last notice of the past. */
async function newestBefore(db: Database): Promise<string | null> {
  const [newest] = await db.query<{ id: string | null }>(sql`
    select max(id)::text as id from rail_notices where source = ${source} and length(sealed) = 300
      and sealed = decode(repeat('ab', 300), 'hex')`);
  return newest?.id ?? null;
}

function bankOperations(rails: Rails, idOf: (life: number) => ReturnType<typeof idAt>): Operations {
  const context = { ...rails, bank };
  const rail = achRail(context);
  const maker = fileMaker(context);
  const settler = entrySettler({ ...context, exchange: memoryExchange() });
  const to: BankDestination = {
    ...{ routingNumber: "021000021", accountNumber: "4000000000", accountType: "checking" },
    holderName: "Ada Lovelace",
  };
  const order = { rail: "ach", cents: asCents(amount), to, memo: "CRYPTOSELL" } as const;
  return {
    "an ACH payout submitted": async (life) =>
      countOf(await rail.submit({ ...order, reference: idOf(life) })),
    "found there": async (life) => countOf(await rail.find(idOf(life))),
    "its file made": () => maker.run(),
    "settled and told": () => settler.run(),
  };
}

const countOf = (submission: { outcome: string } | undefined): number =>
  submission?.outcome === "accepted" ? 1 : 0;

function idAt(ids: ReturnType<typeof payoutIds>, life: number) {
  const id = ids[life];
  if (!id) throw new Error(`There is no payout for life ${life}.`);
  return id;
}

/** How many rows the server reads for each operation. */
async function countRows(site: Site, life: number): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  const { db } = site.rails;
  await live(site, life, async (name, work) => {
    const before = await rowsRead(db);
    await work();
    rows.set(name, (await rowsRead(db)) - before);
  });
  return rows;
}

async function rowsRead(db: Database): Promise<number> {
  await db.query(sql`select pg_stat_force_next_flush()`);
  const [read] = await db.query<{ rows: number }>(sql`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_user_tables`);
  return read?.rows ?? 0;
}

function report(
  name: string,
  small: readonly number[],
  large: readonly number[],
  rows: readonly number[],
): void {
  const ratio = percentile(large, 50) / percentile(small, 50);
  const noise = (percentile(small, 75) - percentile(small, 25)) / percentile(small, 50);
  const medians = [small, large].map((own) => percentile(own, 50).toFixed(2));
  const cells = [...medians, ratio.toFixed(2), `${(100 * noise).toFixed(0)} %`];
  console.log(row(name, ...cells, ...rows.map(String)));
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(42) + cells.map((cell) => cell.padStart(11)).join("");
}
