import type { Database } from "../../src/database/database.ts";
import type { DueRunner } from "../../src/database/due.ts";
import { sql } from "../../src/database/sql.ts";
import { assert } from "../../src/lib/errors.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { RampContext } from "../../src/ramp/engine.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import { achRail } from "../../src/ramp/rails/bank/ach-rail.ts";
import { bankRunners } from "../../src/ramp/rails/bank/bank-runners.ts";
import { openFolderExchange } from "../../src/ramp/rails/bank/folder-exchange.ts";
import { wireRail } from "../../src/ramp/rails/bank/wire-rail.ts";
import { chainBalances } from "../../src/ramp/rails/evm/chain-books.ts";
import { evmRail } from "../../src/ramp/rails/evm/chain-rail.ts";
import { evmDepositAddress } from "../../src/ramp/rails/evm/deposit-addresses.ts";
import type { EvmNodes } from "../../src/ramp/rails/evm/evm-nodes.ts";
import { evmRunners } from "../../src/ramp/rails/evm/evm-runners.ts";
import type { RampChain } from "../../src/ramp/rails/evm/ramp-chain.ts";
import { railNews } from "../../src/ramp/rails/store/notices.ts";
import { rampRunners } from "../../src/ramp/run-ramp.ts";
import type { LocalRpc } from "../../src/sandbox/ramp/local-chain/local-rpc.ts";
import { sandboxPrices } from "../../src/sandbox/ramp/prices.ts";
import { sandboxScreening } from "../../src/sandbox/ramp/screening.ts";
import type { MovedClock } from "../ramp-crash/life.ts";
import type { Points } from "../ramp-crash/points.ts";
import { sealer } from "../ramp-crash/stories.ts";
import { silentLog as log } from "../silent-log.ts";
import { chainKeys, headOf, mineAt } from "./customer-chain.ts";
import {
  databaseWithPoints,
  exchangeWithPoints,
  keysWithPoints,
  nodesWithPoints,
} from "./points.ts";
import { profile, type SmallBank } from "./small-bank.ts";
import { bankOpening, begin, type CustomerContext, goOn, type Plot } from "./stories.ts";

/** What outlives a service that dies: its database, the chain, and the folder that it shares with the bank. */
export type Place = {
  db: Database;
  /** Another way to the same database, for everybody else. */
  outside: Database;
  chain: RampChain;
  nodes: EvmNodes;
  /** Another way to the same chain, for everybody else. */
  rpc: LocalRpc;
  folder: string;
  bank: SmallBank;
};

const roundsMost = 300;

/** One life of the service: it does what is left of a story, to its end or until it dies on the way. */
export async function live(
  place: Place,
  points: Points,
  clock: MovedClock,
  plot: Plot,
  afterRound: (id: string) => Promise<void> = async () => {},
): Promise<string> {
  const { db, outside, rpc, bank } = place;
  const { context, runners } = openService(place, points, clock);
  const customer: CustomerContext = { context, outside, rpc, bank };
  const id = await begin(customer, plot);
  for (let rounds = 0; rounds < roundsMost; rounds++) {
    await goOn(customer, plot, id);
    const dueAt = await nextDueAt(db, customer, clock.now());
    if (dueAt === undefined) return id;
    clock.moveTo(dueAt);
    bank.act(clock.now());
    if (await isWaitingForBlocks(db)) await mineAt(rpc, clock.now());
    for (const runner of runners) await runner.run();
    await afterRound(id);
  }
  assert(false, `${plot.story} comes to an end`);
}

/** The ramp with its real rails: what it works with, and everything that it does by itself. */
export function openService(
  { db, chain, nodes, folder, bank: theirs }: Place,
  points: Points,
  clock: MovedClock,
): { context: RampContext; runners: DueRunner[] } {
  const mortal = databaseWithPoints(db, points);
  const rails = { db: mortal, clock, random: systemRandom, sealer, log };
  const evm = {
    ...{ ...rails, chain, nodes: nodesWithPoints(nodes, points) },
    keys: keysWithPoints(chainKeys, points),
    blockTime: (unixSeconds: number) => unixSeconds * 1_000,
    // Everything is swept, whatever it is worth.
    worthCents: () => undefined,
  };
  const exchange = exchangeWithPoints(openFolderExchange(folder), points);
  const bank = { ...rails, bank: profile, exchange, everyMs: 0 };
  const context: RampContext = {
    ...rails,
    ports: {
      serves: () => true,
      rails: { ach: achRail(bank), wire: wireRail(bank), chain: evmRail(evm) },
      news: [railNews(rails, "bank"), railNews(rails, "chain:ethereum")],
      books: { balances: async () => [...(await chainBalances(evm)), balanceAt(theirs)] },
      prices: sandboxPrices(),
      screening: sandboxScreening,
      depositAddresses: { at: (_, index) => evmDepositAddress(chain.depositKey, index) },
    },
  };
  const runners = [...evmRunners(evm), ...bankRunners(bank), ...rampRunners(context)];
  return { context, runners: runners.filter(({ name }) => name !== "invariants") };
}

const balanceAt = (bank: SmallBank) => ({
  ...{ account: ledgerAccounts.bank(), balance: bankOpening + bank.change() },
});

/** Whether a deposit or a transaction of ours is not for good yet: blocks come, whatever we do. */
async function isWaitingForBlocks(db: Database): Promise<boolean> {
  const [row] = await db.query<{ isWaiting: boolean }>(sql`
    select exists (select from chain_deposits where state = 'seen') or exists (
      select from chain_transactions where state in ('reserved', 'signed', 'mined')
    ) as "isWaiting"`);
  return row?.isWaiting === true;
}

/** When there is something to do, for us or outside, that nobody has taken for himself: news and new blocks at once. */
async function nextDueAt(
  db: Database,
  { rpc, bank }: CustomerContext,
  now: number,
): Promise<number | undefined> {
  const head = await headOf(rpc);
  const [row] = await db.query<{ dueAt: Date | null }>(sql`
    select least(
      (select min(greatest(due_at, leased_until)) from ramp_transactions where due_at is not null),
      (select min(greatest(due_at, leased_until)) from payouts where due_at is not null),
      (select min(greatest(due_at, leased_until)) from bank_files where due_at is not null),
      (select min(greatest(due_at, leased_until)) from chain_transactions where due_at is not null),
      (select min(due_at) from bank_entries), (select min(due_at) from chain_deposits),
      (select min(at) from rail_notices notices left join news_cursors using (source)
        where notices.id > coalesce(cursor, '0')::bigint),
      (select greatest(due_at, leased_until) from chain_cursors
        where next_block <= ${head.number}
          or exists (select from chain_deposits where state = 'seen'))
    ) as "dueAt"`);
  const [ours, theirs] = [row?.dueAt?.getTime(), bank.dueAt(now)];
  return ours === undefined || theirs === undefined ? (ours ?? theirs) : Math.min(ours, theirs);
}
