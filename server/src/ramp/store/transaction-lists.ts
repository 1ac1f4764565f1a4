import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Posting } from "../present-ledger.ts";
import type { Ramp, SettlementMethod, State } from "../transaction.ts";
import { rampOfRow } from "./transactions.ts";

/** Which transactions; what is left out does not matter. */
export type TransactionFilter = {
  userId?: string | undefined;
  type?: Ramp["type"] | undefined;
  settlementMethod?: SettlementMethod | undefined;
  state?: State | undefined;
  walletId?: string | undefined;
  bankAccountId?: string | undefined;
  isFlagged?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** A transaction's place in a list of the newest first. */
export type Place = { createdAt: Date; id: string };

/** Which part of a list: what is older than a place, or what is newer and closest to it. */
export type Span = {
  limit: number;
  skip: number;
  after?: Place | undefined;
  before?: Place | undefined;
};

/** Transactions, newest first. */
export async function listRamps(
  db: Queryable,
  filter: TransactionFilter,
  { limit, skip, after, before }: Span,
): Promise<Ramp[]> {
  const conditions = conditionsOf(filter);
  if (after) conditions.push(sql`(created_at, id) < (${after.createdAt}, ${after.id})`);
  if (before) conditions.push(sql`(created_at, id) > (${before.createdAt}, ${before.id})`);
  const order = before ? sql`created_at, id` : sql`created_at desc, id desc`;
  const rows = await db.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions
    where ${conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`)}
    order by ${order} limit ${limit} offset ${skip}`);
  const ramps = rows.map(rampOfRow);
  return before ? ramps.reverse() : ramps;
}

/** Where a transaction stands in the list; only within one account when `userId` is given. */
export async function findPlace(
  db: Queryable,
  { id, userId }: { id: string; userId: string | undefined },
): Promise<Place | undefined> {
  const [place] = await db.query<Place>(sql`
    select created_at as "createdAt", id from ramp_transactions
    where id = ${id} and ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}`);
  return place;
}

/** Everything that was booked for a transaction, in the order in which it was. */
export async function listPostings(db: Queryable, transactionId: string): Promise<Posting[]> {
  const rows = await db.query<
    Omit<Posting, "amount" | "journal"> & Record<"amount" | "journal", string>
  >(sql`
    select journals.id as journal, journals.kind, journals.at, entries.account, ledger_accounts.asset, entries.amount
    from journals
    join entries on entries.journal_id = journals.id
    join ledger_accounts on ledger_accounts.name = entries.account
    where journals.transaction_id = ${transactionId}
    order by journals.id, entries.amount, entries.account`);
  return rows.map((row) => ({
    ...row,
    journal: Number(row.journal),
    amount: BigInt(row.amount),
  }));
}

function conditionsOf(filter: TransactionFilter): Sql[] {
  const { userId, type, settlementMethod, state, walletId, bankAccountId, isFlagged } = filter;
  const { from, to } = filter;
  const conditions: (Sql | undefined)[] = [
    userId === undefined ? undefined : sql`user_id = ${userId}`,
    type && sql`type = ${type}`,
    settlementMethod && sql`settlement_method = ${settlementMethod}`,
    state && sql`state = ${state}`,
    walletId === undefined ? undefined : sql`wallet_id = ${walletId}`,
    bankAccountId === undefined ? undefined : sql`bank_account_id = ${bankAccountId}`,
    isFlagged === undefined ? undefined : sql`(flagged_at is not null) = ${isFlagged}`,
    from && sql`created_at >= ${from}`,
    to && sql`created_at <= ${to}`,
  ];
  return conditions.filter((condition) => condition !== undefined);
}
