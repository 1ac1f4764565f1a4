import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { parseBigints } from "../../lib/bigint-json.ts";
import type { Posting } from "../present-ledger.ts";
import type { Ramp, State } from "../transaction.ts";
import type { Deposit, DepositUse } from "./deposits.ts";
import type { IncomingWire, WireState } from "./incoming-wires.ts";
import type { Payout, PayoutState } from "./payouts.ts";
import { rampOfRow } from "./transactions.ts";

/** Which part of an operator's list: so many, after the item with this name. */
export type Page = { limit: number; after: string | undefined };

/** A step as it was written down. */
export type StepRow = { version: number; kind: string; state: string; at: Date; data: unknown };

/** A payout, and when it was what. */
export type PayoutRow = Payout & { sendOn: string | null; createdAt: Date; updatedAt: Date };

/** A deposit, and when it was what. */
export type DepositRow = Omit<Deposit, "toldAt"> & {
  blockTime: Date;
  createdAt: Date;
  updatedAt: Date;
};

/** A wire, and when it came and goes back. */
export type WireRow = IncomingWire & {
  receivedAt: Date;
  updatedAt: Date;
  dueAt: Date | null;
};

/** Payouts of one rail, day and asset that are in one state. */
export type BatchPart = {
  rail: Payout["rail"];
  sendOn: string | null;
  asset: string;
  state: PayoutState;
  count: number;
  total: bigint;
};

/** Amounts come as text: they may be larger than a number holds. */
type Raw<Row, Field extends keyof Row> = Omit<Row, Field> & Record<Field, string>;

const asPayout = sql`
  id, purpose, transaction_id as "transactionId", wire_id as "wireId", deposit_id as "depositId",
  rail, asset, amount, state, is_accepted as "isAccepted", trace, attempts,
  to_char(send_on, 'YYYY-MM-DD') as "sendOn", created_at as "createdAt", updated_at as "updatedAt"`;

const asDeposit = sql`
  id, blockchain, transaction_hash as "transactionHash", log_index as "logIndex", address,
  from_address as "fromAddress", currency, units, state, use, reason,
  transaction_id as "transactionId", block_time as "blockTime", created_at as "createdAt",
  updated_at as "updatedAt"`;

const asWire = sql`
  id, source, bank_reference as "bankReference", cents, sealed, state, reason,
  transaction_id as "transactionId", received_at as "receivedAt", updated_at as "updatedAt",
  due_at as "dueAt"`;

/** Transactions in these states, those that have been there longest first. */
export async function listInStates(
  db: Queryable,
  states: readonly State[],
  { limit, after }: Page,
): Promise<Ramp[]> {
  const rows = await db.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions
    where state = any(${states}) and ${
      after === undefined
        ? sql`true`
        : sql`(updated_at, id) > (select updated_at, id from ramp_transactions where id = ${after})`
    }
    order by updated_at, id limit ${limit}`);
  return rows.map(rampOfRow);
}

/** Everything that happened to a transaction. */
export async function listSteps(db: Queryable, transactionId: string): Promise<StepRow[]> {
  const rows = await db.query<Omit<StepRow, "data"> & { data: string }>(sql`
    select version, kind, state, at, data::text as data from ramp_steps
    where transaction_id = ${transactionId} order by version`);
  return rows.map((row) => ({ ...row, data: parseBigints(row.data) }));
}

/** Events of a transaction in its account's list, as they were sent. */
export async function listEventPayloads(
  db: Queryable,
  { id, userId }: Pick<Ramp, "id" | "userId">,
): Promise<string[]> {
  const rows = await db.query<{ payload: string }>(sql`
    select payload from ramp_events
    where transaction_id = ${id} and user_id = ${userId} order by sequence`);
  return rows.map(({ payload }) => payload);
}

/** Payouts, newest first. */
export function listPayouts(
  db: Queryable,
  { state, limit, after }: Page & { state: PayoutState | undefined },
): Promise<PayoutRow[]> {
  return queryPayouts(
    db,
    sql`${state === undefined ? sql`true` : sql`state = ${state}`} and ${
      after === undefined
        ? sql`true`
        : sql`(created_at, id) < (select created_at, id from payouts where id = ${after})`
    }
    order by created_at desc, id desc limit ${limit}`,
  );
}

/** Payouts of one transaction, oldest first. */
export function listPayoutsOf(db: Queryable, transactionId: string): Promise<PayoutRow[]> {
  return queryPayouts(db, sql`transaction_id = ${transactionId} order by created_at, id`);
}

async function queryPayouts(db: Queryable, condition: Sql): Promise<PayoutRow[]> {
  const rows = await db.query<Raw<PayoutRow, "amount">>(sql`
    select ${asPayout} from payouts where ${condition}`);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** How many payouts go out on which day, and what they come to, newest day first. Days are `2026-11-16`. */
export async function countBatches(
  db: Queryable,
  { from, to }: { from: string | undefined; to: string | undefined },
): Promise<BatchPart[]> {
  const day = sql`to_char(send_on, 'YYYY-MM-DD')`;
  const rows = await db.query<Raw<BatchPart, "count" | "total">>(sql`
    select rail, ${day} as "sendOn", asset, state, count(*) as count, sum(amount) as total
    from payouts
    where ${from === undefined ? sql`true` : sql`${day} >= ${from}`}
      and ${to === undefined ? sql`true` : sql`${day} <= ${to}`}
    group by rail, send_on, asset, state
    order by send_on desc nulls last, rail, asset, state`);
  return rows.map((row) => ({ ...row, count: Number(row.count), total: BigInt(row.total) }));
}

/** Deposits, those that came first first. */
export function listDeposits(
  db: Queryable,
  { use, limit, after }: Page & { use: DepositUse | undefined },
): Promise<DepositRow[]> {
  return queryDeposits(
    db,
    sql`${use === undefined ? sql`true` : sql`use = ${use}`} and ${
      after === undefined
        ? sql`true`
        : sql`(created_at, id) > (select created_at, id from deposits where id = ${after})`
    }
    order by created_at, id limit ${limit}`,
  );
}

/** Deposits of one transaction, oldest first. */
export function listDepositsOf(db: Queryable, transactionId: string): Promise<DepositRow[]> {
  return queryDeposits(db, sql`transaction_id = ${transactionId} order by created_at, id`);
}

/** One deposit. */
export async function readDeposit(db: Queryable, id: string): Promise<DepositRow | undefined> {
  const [deposit] = await queryDeposits(db, sql`id = ${id}`);
  return deposit;
}

async function queryDeposits(db: Queryable, condition: Sql): Promise<DepositRow[]> {
  const rows = await db.query<Raw<DepositRow, "units">>(sql`
    select ${asDeposit} from deposits where ${condition}`);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) as DepositRow["units"] }));
}

/** Wires that came in, those that came first first. */
export function listWires(
  db: Queryable,
  { state, limit, after }: Page & { state: WireState | undefined },
): Promise<WireRow[]> {
  return queryWires(
    db,
    sql`${state === undefined ? sql`true` : sql`state = ${state}`} and ${
      after === undefined
        ? sql`true`
        : sql`(received_at, id) > (select received_at, id from incoming_wires where id = ${after})`
    }
    order by received_at, id limit ${limit}`,
  );
}

/** Wires of one transaction, oldest first. */
export function listWiresOf(db: Queryable, transactionId: string): Promise<WireRow[]> {
  return queryWires(db, sql`transaction_id = ${transactionId} order by received_at, id`);
}

/** One wire. */
export async function readWire(db: Queryable, id: string): Promise<WireRow | undefined> {
  const [wire] = await queryWires(db, sql`id = ${id}`);
  return wire;
}

async function queryWires(db: Queryable, condition: Sql): Promise<WireRow[]> {
  const rows = await db.query<Raw<WireRow, "cents">>(sql`
    select ${asWire} from incoming_wires where ${condition}`);
  return rows.map((row) => ({ ...row, cents: BigInt(row.cents) as WireRow["cents"] }));
}

/** Accounts of the ledger whose names begin so, in the order of their names. */
export async function listAccounts(
  db: Queryable,
  { prefix, limit, after }: Page & { prefix: string },
): Promise<{ name: string; asset: string; balance: bigint }[]> {
  const rows = await db.query<{ name: string; asset: string; balance: string }>(sql`
    select name, asset, balance from ledger_accounts
    where starts_with(name, ${prefix}) and name > ${after ?? ""}
    order by name limit ${limit}`);
  return rows.map((row) => ({ ...row, balance: BigInt(row.balance) }));
}

/** Whether anything was ever booked to an account of this name. */
export async function hasAccount(db: Queryable, name: string): Promise<boolean> {
  const found = await db.query(sql`select from ledger_accounts where name = ${name}`);
  return found.length > 0;
}

/** What was booked to an account, newest first; each journal has one entry at most. */
export async function listAccountEntries(
  db: Queryable,
  account: string,
  { limit, after }: Page,
): Promise<(Posting & { transactionId: string | null })[]> {
  const rows = await db.query<
    Raw<Posting, "journal" | "amount"> & { transactionId: string | null }
  >(sql`
    select journals.id as journal, journals.kind, journals.at, journals.transaction_id as "transactionId",
      entries.account, ledger_accounts.asset, entries.amount
    from entries
    join journals on journals.id = entries.journal_id
    join ledger_accounts on ledger_accounts.name = entries.account
    where entries.account = ${account} and ${after === undefined ? sql`true` : sql`entries.journal_id < ${after}`}
    order by entries.journal_id desc limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    journal: Number(row.journal),
    amount: BigInt(row.amount),
  }));
}

/** All debits and credits of each asset. Debits are negative. */
export async function sumEntries(
  db: Queryable,
): Promise<{ asset: string; debits: bigint; credits: bigint }[]> {
  const rows = await db.query<{ asset: string; debits: string; credits: string }>(sql`
    select asset, coalesce(sum(amount) filter (where amount < 0), 0) as debits,
      coalesce(sum(amount) filter (where amount > 0), 0) as credits
    from entries join ledger_accounts on ledger_accounts.name = entries.account
    group by asset order by asset`);
  return rows.map(({ asset, debits, credits }) => ({
    asset,
    debits: BigInt(debits),
    credits: BigInt(credits),
  }));
}
