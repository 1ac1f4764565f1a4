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
  createdAt: Date;
};

/** A row as it comes: an amount is a text. */
export type PaymentRow = Omit<Payment, "amount"> & { amount: string };

const asPayment = sql`
  payments.reference, payments.number, payments.rail, payments.account, payments.amount,
  payments.state, payments.why, payments.plan, payments.created_at as "createdAt"`;

/** Writes a payment down, unless its reference is known already. */
export async function insertPayment(
  db: Queryable,
  payment: Omit<Payment, "number">,
): Promise<void> {
  const { reference, rail, account, amount, state, why, plan, createdAt } = payment;
  await db.query(sql`
    insert into sandbox_payments
      (reference, rail, account, amount, state, why, plan, created_at, due_at)
    values (${reference}, ${rail}, ${account}, ${String(amount)}, ${state}, ${why},
      ${JSON.stringify(plan)}::jsonb, ${createdAt}, ${dueAtOf(plan)})
    on conflict (reference) do nothing`);
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
