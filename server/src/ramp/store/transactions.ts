import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, type Sql, sql } from "../../database/sql.ts";
import { parseBigints, stringifyBigints } from "../../lib/bigint-json.ts";
import type { Advance, Step } from "../step.ts";
import { isOpen, type Ramp } from "../transaction.ts";
import { journalParts } from "./ledger.ts";

/** The whole transaction as its row keeps it. Select `ramp::text`: what pg makes of jsonb has no bigints. */
export function rampOfRow({ ramp }: { ramp: string }): Ramp {
  return parseBigints(ramp) as Ramp;
}

/** A transaction of this account. */
export async function findRamp(
  db: Queryable,
  userId: string,
  id: string,
): Promise<Ramp | undefined> {
  const [row] = await db.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions where id = ${id} and user_id = ${userId}`);
  return row && rampOfRow(row);
}

/** A transaction, whoever's it is. */
export async function findAnyRamp(db: Queryable, id: string): Promise<Ramp | undefined> {
  const [row] = await db.query<{ ramp: string }>(sql`
    select ramp::text as ramp from ramp_transactions where id = ${id}`);
  return row && rampOfRow(row);
}

/** A transaction that nobody else can change until `tx` ends. */
export async function lockRamp(tx: Transaction, id: string): Promise<Ramp | undefined> {
  const [row] = await tx.query<{ ramp: string }>(prepared`
    select ramp::text as ramp from ramp_transactions where id = ${id} for update`);
  return row && rampOfRow(row);
}

/** Writes a new transaction and its first step. */
export async function insertRamp(tx: Transaction, advance: Advance, step: Step): Promise<void> {
  const { ramp, dueAt } = advance;
  await tx.query(prepared`
    with created as (
      insert into ramp_transactions (
        id, user_id, type, settlement_method, state, version, is_open, source_order_id,
        destination_order_id, wallet_id, bank_account_id, blockchain, currency, reference,
        deposit_address, deposit_index, reason, ramp, created_at, updated_at, flagged_at, completed_at, due_at)
      values (
        ${ramp.id}, ${ramp.userId}, ${ramp.type}, ${ramp.settlementMethod}, ${ramp.state},
        ${ramp.version}, ${isOpen(ramp)}, ${ramp.sourceOrderId}, ${ramp.destinationOrderId},
        ${ramp.walletId}, ${ramp.bankAccountId}, ${ramp.token.blockchain}, ${ramp.token.symbol},
        ${ramp.type === "ON_RAMP" ? ramp.reference : null},
        ${ramp.type === "OFF_RAMP" ? ramp.depositAddress : null},
        ${ramp.type === "OFF_RAMP" ? (ramp.depositIndex ?? null) : null}, ${ramp.reason},
        ${stringifyBigints(ramp)}, ${dateOf(ramp.createdAt)}, ${dateOf(ramp.updatedAt)},
        ${dateOf(ramp.flaggedAt)}, ${dateOf(ramp.completedAt)}, ${dateOf(dueAt)})
    )
    ${insertStep(ramp, step)}`);
}

/** Writes what a step changed: the row, the step, and the journal, in one statement. */
export async function writeAdvance(tx: Transaction, advance: Advance, step: Step): Promise<void> {
  const { ramp, moves, dueAt } = advance;
  const journal = {
    fact: `${ramp.id}#${ramp.version}`,
    kind: step.kind,
    transactionId: ramp.id,
    at: new Date(ramp.updatedAt),
    moves,
  };
  await tx.query(prepared`
    with changed as (
      update ramp_transactions set
        state = ${ramp.state}, version = ${ramp.version}, is_open = ${isOpen(ramp)},
        bank_account_id = ${ramp.bankAccountId}, reason = ${ramp.reason},
        ramp = ${stringifyBigints(ramp)}, updated_at = ${dateOf(ramp.updatedAt)},
        flagged_at = ${dateOf(ramp.flaggedAt)}, completed_at = ${dateOf(ramp.completedAt)},
        due_at = ${dateOf(dueAt)}, leased_until = null
      where id = ${ramp.id}
    )${moves.length > 0 ? sql`, ${journalParts(journal)}` : sql``}
    ${insertStep(ramp, step)}`);
}

/** Locks the transaction that is due longest. */
export function takeDueRamp(now: Date): Sql {
  return sql`
    select ramp::text as ramp from ramp_transactions
    where due_at <= ${now} and (leased_until is null or leased_until <= ${now})
    order by due_at limit 1 for update skip locked`;
}

/** Leaves a due transaction to us alone until `until`; whoever dies with it leaves it to the others then. */
export async function leaseRamp(tx: Transaction, id: string, until: Date): Promise<void> {
  await tx.query(sql`update ramp_transactions set leased_until = ${until} where id = ${id}`);
}

/** Says when a transaction needs attention again. It is no step: nothing happened. */
export async function postponeRamp(db: Queryable, id: string, until: Date | null): Promise<void> {
  await db.query(sql`
    update ramp_transactions set due_at = ${until}, leased_until = null where id = ${id}`);
}

/** The transactions that wait for a wire with one of these references. */
export function findByReferences(
  db: Queryable,
  references: readonly string[],
): Promise<{ id: string; isOpen: boolean }[]> {
  return db.query<{ id: string; isOpen: boolean }>(sql`
    select id, is_open as "isOpen" from ramp_transactions where reference = any(${references})`);
}

/** The transaction whose deposits go to this address. */
export async function findIdByDepositAddress(
  db: Queryable,
  blockchain: string,
  address: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from ramp_transactions
    where blockchain = ${blockchain} and lower(deposit_address) = lower(${address})`);
  return row?.id;
}

function insertStep(ramp: Ramp, step: Step): Sql {
  return sql`
    insert into ramp_steps (transaction_id, version, kind, data, state, at)
    values (${ramp.id}, ${ramp.version}, ${step.kind}, ${stringifyBigints(step)}, ${ramp.state},
      ${dateOf(ramp.updatedAt)})`;
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));
