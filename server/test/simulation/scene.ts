import { insertUser } from "../../src/accounts/store/users.ts";
import type { Address } from "../../src/database/address.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { assert } from "../../src/lib/errors.ts";
import { type Random, systemRandom } from "../../src/lib/random.ts";
import { openSealer, type Sealer } from "../../src/lib/seal.ts";
import { findToken, type SupportedToken } from "../../src/ramp/assets.ts";
import { ledgerAccounts } from "../../src/ramp/ledger/accounts.ts";
import { bookOpening } from "../../src/ramp/ledger/book.ts";
import { insertBankAccount } from "../../src/ramp/store/bank-accounts.ts";
import { insertWallet } from "../../src/ramp/store/wallets.ts";
import { silentLog } from "../silent-log.ts";
import { blockchain, chainAccount, type World } from "./world.ts";

export const userId = "usr-77";
export const walletId = "wal-77";
export const walletAddress = "0x00000000000000000000000000000000000ADA77";
export const bankAccountIds = ["bac-71", "bac-72", "bac-73", "bac-74"] as const;
export const customerName = "Ada Lovelace";

/** The tokens of the story, by how much of each there is in the beginning: too little for everything. */
export const tokens: readonly SupportedToken[] = ["USDC", "ETH", "USDT"].map((symbol) => {
  const token = findToken(symbol, blockchain);
  assert(token, `${symbol} is supported on ${blockchain}`);
  return token;
});

const leastQuantities = 60n;
const bankCents = 900_00n;

/** Seals what has to be sealed, as the seed wants it. */
export function openSceneSealer(random: Random): Sealer {
  return openSealer({ keys: [Buffer.alloc(32, 1)], digestKey: Buffer.alloc(32, 2), random });
}

/** Everything that a story writes is forgotten. */
export async function clear(db: Database): Promise<void> {
  await db.transact(async (tx) => {
    // What cannot be changed can be forgotten only by whoever switches the guards off.
    await tx.script(`
      set local session_replication_role = replica;
      truncate ${tables.join(", ")} restart identity;
      alter sequence deposit_address_indexes restart;`);
  });
}

const tables = [
  ...["users", "wallets", "bank_accounts", "ramp_transactions", "ramp_steps", "journals"],
  ...["entries", "ledger_accounts", "incoming_wires", "deposits", "payouts", "news_cursors"],
  ...["kill_switches", "event_counters", "ramp_events", "webhook_deliveries", "quotes"],
  ...["webhook_endpoints", "idempotency_keys", "verification_decisions", "api_keys"],
];

/** A customer with a wallet and several bank accounts, and some money of ours. */
export async function populate(db: Database, world: World, sealer: Sealer): Promise<void> {
  const now = new Date(world.clock.now());
  const email = "ada@example.org";
  const owner = { masterId: null, name: customerName, email, verification: "approved" } as const;
  const place = { line1: "1 Main St", line2: null, city: "Austin", province: "TX" };
  const address = { ...place, country: "UNITED_STATES" };
  const holder = { ...address, fullName: customerName, phone: "+15125550100", postalCode: "78701" };
  await db.transact(async (tx) => {
    await insertUser(tx, { id: userId, ...owner, now });
    await insertWallet(tx, { id: walletId, userId, blockchain, address: walletAddress, now });
    for (const id of bankAccountIds) {
      await insertBankAccount(
        tx,
        { sealer },
        {
          ...{ id, userId, routingNumber: "021000021", accountNumber: `1234567${id.slice(4)}` },
          ...{ accountType: "checking", bankName: "A Bank", bankAddress: address, holder, now },
        },
      );
    }
  });
  await endow(db, world, "opening", 1n);
}

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
  const at = new Date(world.clock.now());
  await db.transact(async (tx) => {
    for (const [account, amount] of funds)
      await bookOpening(tx, account, amount, `${occasion} of ${account}`, at);
  });
  for (const [account, amount] of funds) world.endow(account, amount);
}

/** When the next row of ours falls due. */
export async function nextDueAt(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select least((select min(due_at) from ramp_transactions), (select min(due_at) from payouts),
      (select min(due_at) from incoming_wires), (select min(due_at) from deposits)) as at`);
  return row?.at?.getTime();
}

/** Opens a database for stories: one connection, so that a seed always tells the same one. Nothing in it has to last. */
export async function openSimulationDatabase(address: Address): Promise<Database> {
  const context = { clock: systemClock, random: systemRandom, log: silentLog };
  const db = openDatabase({ addresses: [address], poolSize: 1, ...context });
  await db.query(sql`set synchronous_commit = off`);
  return db;
}
