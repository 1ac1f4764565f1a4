import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";
import type { Rail } from "../step.ts";
import type { DepositId, PayoutId, TransactionId, WireId } from "../transaction.ts";

export type PayoutState = "queued" | "submitted" | "settled" | "failed" | "returned" | "canceled";

/** Money that goes out, for a transaction or to send back what nobody could claim. */
export type Payout = {
  id: PayoutId;
  purpose: "payout" | "refund" | "wire_return" | "deposit_return";
  transactionId: TransactionId | null;
  wireId: WireId | null;
  depositId: DepositId | null;
  rail: Rail;
  asset: string;
  amount: bigint;
  state: PayoutState;
  isAccepted: boolean;
  trace: string | null;
  attempts: number;
};

type PayoutRow = Omit<Payout, "amount"> & { amount: string };

const asPayout = sql`
  id, purpose, transaction_id as "transactionId", wire_id as "wireId", deposit_id as "depositId",
  rail, asset, amount, state, is_accepted as "isAccepted", trace, attempts`;

type NewPayout = Pick<Payout, "id" | "purpose" | "rail" | "asset" | "amount"> & {
  of: { transactionId: string } | { wireId: string } | { depositId: string };
  sendOn: string | null;
  sendAt: Date;
  at: Date;
};

/** Queues a payout that is handed over at `sendAt`. */
export async function insertPayout(tx: Transaction, payout: NewPayout): Promise<void> {
  const { id, purpose, of, rail, asset, amount, sendOn, sendAt, at } = payout;
  await tx.query(prepared`
    insert into payouts (id, purpose, transaction_id, wire_id, deposit_id, rail, asset, amount,
      state, send_on, created_at, updated_at, due_at)
    values (${id}, ${purpose}, ${"transactionId" in of ? of.transactionId : null},
      ${"wireId" in of ? of.wireId : null}, ${"depositId" in of ? of.depositId : null}, ${rail},
      ${asset}, ${amount}, 'queued', ${sendOn}, ${at}, ${at}, ${sendAt})`);
}

/** Calls off a payout that has not been handed over. */
export async function cancelPayout(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query(sql`
    update payouts set state = 'canceled', updated_at = ${at}, due_at = null
    where id = ${id} and state = 'queued'`);
}

/** Takes the payout that is due longest for us alone until `until`; whoever dies with it leaves it to the others then. */
export async function claimPayout(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<Payout | undefined> {
  const [row] = await db.query<PayoutRow>(prepared`
    update payouts set leased_until = ${until}
    where id = (
      select id from payouts
      where due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at limit 1 for update skip locked
    )
    returning ${asPayout}`);
  return row && payoutOf(row);
}

export async function findPayout(db: Queryable, id: string): Promise<Payout | undefined> {
  const [row] = await db.query<PayoutRow>(sql`select ${asPayout} from payouts where id = ${id}`);
  return row && payoutOf(row);
}

/** Lock the transaction it belongs to first: everybody takes the two in this order. */
export async function lockPayout(tx: Transaction, id: string): Promise<Payout | undefined> {
  const [row] = await tx.query<PayoutRow>(prepared`
    select ${asPayout} from payouts where id = ${id} for update`);
  return row && payoutOf(row);
}

/** Counts an attempt to hand a payout over, before it is made. */
export async function beginAttempt(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query(prepared`
    update payouts set state = 'submitted', attempts = attempts + 1, updated_at = ${at}
    where id = ${id}`);
}

/** The rail took it; a confirmation has to come until `dueAt`. */
export async function acceptPayout(
  tx: Transaction,
  id: string,
  { trace, at, dueAt }: { trace: string; at: Date; dueAt: Date },
): Promise<void> {
  await tx.query(sql`
    update payouts set is_accepted = true, trace = ${trace}, updated_at = ${at}, due_at = ${dueAt},
      leased_until = null
    where id = ${id}`);
}

/** Nothing more is to be done about it, unless news come. */
export async function endPayout(
  tx: Transaction,
  id: string,
  { state, trace, at }: { state: PayoutState; trace: string | null; at: Date },
): Promise<void> {
  await tx.query(sql`
    update payouts set state = ${state}, trace = coalesce(${trace}, trace), updated_at = ${at},
      overdue_since = null, due_at = null, leased_until = null
    where id = ${id}`);
}

export async function postponePayout(db: Queryable, id: string, until: Date): Promise<void> {
  await db.query(sql`
    update payouts set due_at = ${until}, leased_until = null
    where id = ${id} and state in ('queued', 'submitted')`);
}

/** Writes down that a confirmation did not come in time. */
export async function markOverdue(db: Queryable, id: string, at: Date, until: Date): Promise<void> {
  await db.query(sql`
    update payouts set overdue_since = coalesce(overdue_since, ${at}), due_at = ${until},
      leased_until = null
    where id = ${id} and state = 'submitted'`);
}

/** What has been promised of an asset and not been handed over yet. */
export async function sumQueued(tx: Transaction, asset: string): Promise<bigint> {
  const [row] = await tx.query<{ sum: string }>(sql`
    select coalesce(sum(amount), 0) as sum from payouts where asset = ${asset} and state = 'queued'`);
  return BigInt(row?.sum ?? 0);
}

/** Makes those who count what is left of an asset take turns until `tx` ends. */
export async function lockInventory(tx: Transaction, asset: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`inventory ${asset}`}))`);
}

function payoutOf({ amount, ...rest }: PayoutRow): Payout {
  return { ...rest, amount: BigInt(amount) };
}
