import type { Queryable, Transaction } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Rail } from "../../ramp/step.ts";
import type { PayoutId } from "../../ramp/transaction.ts";
import type { Planned } from "../ramp/plan.ts";

/** Money that the sandbox's bank or a chain was told to send. */
export type Payment = {
  reference: PayoutId;
  /** Unique, and grows. */
  number: bigint;
  rail: Rail;
  account: string;
  amount: bigint;
  state: "refused" | "taken" | "settled" | "failed" | "returned";
  /** Why it was refused. */
  why: string | null;
  plan: readonly Planned[];
  /** Our trace of an ACH payment that came in a file. */
  trace: string | null;
  /** What answers call the file it came in; null: it was handed over directly. */
  file: string | null;
  createdAt: Date;
};

/** A row as it comes: an amount is a text. */
export type PaymentRow = Omit<Payment, "amount"> & { amount: string };

const asPayment = sql`
  payments.reference, payments.number, payments.rail, payments.account, payments.amount,
  payments.state, payments.why, payments.plan, payments.trace, payments.file,
  payments.created_at as "createdAt"`;

/** Writes payments down, except those whose references are known already. Answers those that were written. */
export async function insertPayments(
  db: Queryable,
  payments: readonly Omit<Payment, "number">[],
): Promise<Payment[]> {
  const column = <Value>(pick: (payment: Omit<Payment, "number">) => Value) => payments.map(pick);
  const rows = await db.query<PaymentRow>(sql`
    insert into sandbox_payments as payments
      (reference, rail, account, amount, state, why, plan, trace, file, created_at, due_at)
    select given.* from unnest(
      ${column(({ reference }) => reference)}::text[], ${column(({ rail }) => rail)}::text[],
      ${column(({ account }) => account)}::text[],
      ${column(({ amount }) => String(amount))}::numeric[],
      ${column(({ state }) => state)}::text[], ${column(({ why }) => why)}::text[],
      ${column(({ plan }) => JSON.stringify(plan))}::jsonb[],
      ${column(({ trace }) => trace)}::text[], ${column(({ file }) => file)}::text[],
      ${column(({ createdAt }) => createdAt)}::timestamptz[],
      ${column(({ plan }) => dueAtOf(plan))}::timestamptz[]) as given
    on conflict (reference) do nothing
    returning ${asPayment}`);
  return rows.map(paymentOfRow);
}

/** The payment with this reference. */
export async function findPayment(
  db: Queryable,
  reference: PayoutId,
): Promise<Payment | undefined> {
  const [row] = await db.query<PaymentRow>(sql`
    select ${asPayment} from sandbox_payments payments where reference = ${reference}`);
  return row && paymentOfRow(row);
}

/** Writes down what has become of a payment and what is still to come. */
export async function updatePayment(
  tx: Transaction,
  { reference, state, plan }: Pick<Payment, "reference" | "state" | "plan">,
): Promise<void> {
  await tx.query(sql`
    update sandbox_payments
    set state = ${state}, plan = ${JSON.stringify(plan)}::jsonb, due_at = ${dueAtOf(plan)}
    where reference = ${reference}`);
}

/** Settles all ACH payments of a file that have not come back before. Answers their sum. */
export async function settlePayments(tx: Transaction, file: string): Promise<bigint> {
  const [row] = await tx.query<{ sum: string }>(sql`
    with settled as (
      update sandbox_payments set state = 'settled'
      where file = ${file} and rail = 'ach' and state = 'taken'
      returning amount
    )
    select coalesce(sum(amount), 0) as sum from settled`);
  return BigInt(row?.sum ?? 0);
}

/** Locks the payment that is due longest. */
export function takeDuePayment(now: Date): Sql {
  return sql`
    select ${asPayment} from sandbox_payments payments where due_at <= ${now}
    order by due_at, number limit 1 for update skip locked`;
}

/** Puts a payment off. */
export function postponePayment(reference: string, until: Date): Sql {
  return sql`update sandbox_payments set due_at = ${until} where reference = ${reference}`;
}

/** Locks the newest ACH payment of a transaction that a bank could still send back. */
export async function lockReturnablePayment(
  tx: Transaction,
  transactionId: string,
): Promise<Payment | undefined> {
  const [row] = await tx.query<PaymentRow>(sql`
    select ${asPayment} from sandbox_payments payments
    join payouts on payouts.id = payments.reference
    where payouts.transaction_id = ${transactionId} and payments.rail = 'ach'
      and payments.state in ('taken', 'settled')
    order by payments.number desc limit 1 for update of payments`);
  return row && paymentOfRow(row);
}

/** Reads a row. */
export function paymentOfRow(row: PaymentRow): Payment {
  return { ...row, amount: BigInt(row.amount) };
}

function dueAtOf([next]: readonly Planned[]): Date | null {
  return next ? new Date(next.at) : null;
}
