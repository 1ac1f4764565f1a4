import { insertUser } from "../../src/accounts/store/users.ts";
import type { Address } from "../../src/database/address.ts";
import { type Database, openDatabase, type Transaction } from "../../src/database/database.ts";
import { verbatim } from "../../src/database/sql.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { assert } from "../../src/lib/errors.ts";
import { type Random, systemRandom } from "../../src/lib/random.ts";
import { openSealer, type Sealer } from "../../src/lib/seal.ts";
import { findToken, type SupportedToken } from "../../src/ramp/assets.ts";
import { ledgerAccounts, usd } from "../../src/ramp/ledger/accounts.ts";
import { insertBankAccount } from "../../src/ramp/store/bank-accounts.ts";
import { bookOnce } from "../../src/ramp/store/ledger.ts";
import { insertWallet } from "../../src/ramp/store/wallets.ts";
import { silentLog } from "../silent-log.ts";
import { ownersCents } from "./bank-account.ts";
import { blockchain, walletAddress } from "./chain.ts";
import { prepareToWatch } from "./watcher.ts";
import { chainAccount, type World } from "./world.ts";

export const userId = "usr-77";
export const walletId = "wal-77";
export const bankAccountIds = ["bac-71", "bac-72", "bac-73", "bac-74"] as const;
export const customerName = "Ada Lovelace";

/** The tokens of the story, by how much of each there is in the beginning: too little for everything. */
export const tokens: readonly SupportedToken[] = ["USDC", "ETH", "USDT"].map((symbol) => {
  const token = findToken(symbol, blockchain);
  assert(token, `${symbol} is supported on ${blockchain}`);
  return token;
});

const longAgo = new Date(Date.UTC(2025, 11, 1));
const leastQuantities = 40n;
const bankCents = 600_00n;

/** Seals what has to be sealed, as the seed wants it. */
export function openSceneSealer(random: Random): Sealer {
  return openSealer({ keys: [Buffer.alloc(32, 1)], digestKey: Buffer.alloc(32, 2), random });
}

/** Everything that a story has written is forgotten. */
export async function clear(db: Database): Promise<void> {
  await db.transact((tx) =>
    // What nobody can change goes only when the guards are off.
    tx.script(`
      set local session_replication_role = replica;
      ${written.map((table) => `delete from ${table};`).join(" ")}
      insert into bank_accounts select * from accounts_in_the_beginning;
      ${counters.map((name) => `select setval('${name}', 1);`).join(" ")}`),
  );
}

const written = [
  ...["ramp_transactions", "ramp_steps", "journals", "entries", "ledger_accounts", "payouts"],
  ...["incoming_wires", "deposits", "news_cursors", "kill_switches"],
  ...["event_counters", "ramp_events", "bank_accounts", "rail_notices"],
  ...["bank_entries", "bank_lines", "bank_statements", "bank_files", "wire_senders"],
  ...["chain_senders", "chain_attempts", "chain_deposits", "chain_transactions"],
  ...["chain_told", "chain_cursors", "chain_blocks", "reconciliations"],
];

const counters = ["deposit_address_indexes", "ach_trace_numbers", "rail_notices_id_seq"];

/** Tables whose rows fall due, by what puts those that do so together into an order. */
const dueOrders: readonly [table: string, order: string][] = [
  ...["ramp_transactions", "payouts", "incoming_wires", "deposits", "bank_files"].map(
    (table): [string, string] => [table, "id"],
  ),
  ["bank_entries", "payout_id"],
  ["chain_transactions", "id"],
  ["chain_deposits", "transaction_hash, log_index"],
];

/** The owners put money in, as much as in the beginning times `factor`. */
export async function endow(
  db: Database,
  world: World,
  occasion: string,
  factor: bigint,
): Promise<void> {
  const funds: [account: string, amount: bigint][] = [
    [ledgerAccounts.bank(), bankCents * factor],
    ...tokens.map(({ symbol, leastUnits }): [string, bigint] => [
      chainAccount(symbol),
      leastUnits * leastQuantities * factor,
    ]),
  ];
  const moves = funds.map(([account, amount]) => {
    const asset = account.slice(account.lastIndexOf(":") + 1);
    return { asset, amount, from: account, to: ledgerAccounts.equity(asset) };
  });
  const at = new Date(world.clock.now());
  const journal = { fact: occasion, kind: "opening", transactionId: null, at, moves };
  await db.transact((tx) => bookOnce(tx, journal));
  for (const [account, amount] of funds) world.endow(account, amount);
}

/** The owners give the rest of what they have at the bank, as if they had done so long ago. */
export async function endowRest(db: Database, { bank }: World): Promise<void> {
  const amount = ownersCents - bank.account.gifts();
  const move = { asset: usd, amount, from: ledgerAccounts.bank(), to: ledgerAccounts.equity(usd) };
  const journal = { fact: "rest", kind: "opening", transactionId: null, at: longAgo };
  await db.transact((tx) => bookOnce(tx, { ...journal, moves: [move] }));
  bank.account.endow(amount);
}

/**
 * Opens a database for stories, with a customer who has a wallet and several bank accounts. There is one connection, and
 * rows that fall due together have an order, so that a seed always tells the same story. Nothing in it has to last.
 */
export async function openSimulationDatabase(address: Address): Promise<Database> {
  const context = { clock: systemClock, random: systemRandom, log: silentLog };
  const db = openDatabase({ addresses: [address], poolSize: 1, ...context });
  await db.transact(async (tx) => {
    for (const [table, order] of dueOrders) {
      await tx.script(`
        drop index ${table}_due;
        create index ${table}_due on ${table} (due_at, ${order}) where due_at is not null`);
    }
    await populate(tx, openSceneSealer(systemRandom));
    await tx.script("create table accounts_in_the_beginning as table bank_accounts");
  });
  for (const setting of ["synchronous_commit", "jit", "enable_seqscan", "enable_sort"])
    await db.query(verbatim(`set ${setting} = off`));
  await prepareToWatch(db);
  return db;
}

async function populate(tx: Transaction, sealer: Sealer): Promise<void> {
  const now = longAgo;
  const email = "ada@example.org";
  const owner = { masterId: null, name: customerName, email, verification: "approved" } as const;
  const place = { line1: "1 Main St", line2: null, city: "Austin", province: "TX" };
  const address = { ...place, country: "UNITED_STATES" };
  const holder = { ...address, fullName: customerName, phone: "+15125550100", postalCode: "78701" };
  await insertUser(tx, { id: userId, ...owner, now });
  await insertWallet(tx, { id: walletId, userId, blockchain, address: walletAddress, now });
  for (const id of bankAccountIds) {
    const bank = { accountType: "checking", bankName: "A Bank", bankAddress: address } as const;
    const numbers = { routingNumber: "021000021", accountNumber: `1234567${id.slice(4)}` };
    await insertBankAccount(tx, { sealer }, { id, userId, ...numbers, ...bank, holder, now });
  }
}
