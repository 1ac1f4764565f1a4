import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { asCents, type Cents } from "../../lib/money.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { TransactionId, WireId } from "../transaction.ts";

/** What a wire says about its sender; sealed in the database. */
export type WireDetails = { senderName: string; senderAccount: string; texts: readonly string[] };

export type WireState = "matched" | "suspense" | "returning" | "returned";

export type IncomingWire = {
  id: WireId;
  source: string;
  bankReference: string;
  cents: Cents;
  sealed: Buffer;
  state: WireState;
  reason: string | null;
  transactionId: TransactionId | null;
};

type WireRow = Omit<IncomingWire, "cents"> & { cents: string };

type NewWire = Pick<IncomingWire, "id" | "source" | "bankReference" | "cents"> & {
  details: WireDetails;
  receivedAt: Date;
  at: Date;
};

const asWire = sql`
  id, source, bank_reference as "bankReference", cents, sealed, state, reason,
  transaction_id as "transactionId"`;

/** Writes a wire down, in suspense at first. Returns whether it was new. */
export async function insertWire(tx: Transaction, sealer: Sealer, wire: NewWire): Promise<boolean> {
  const { id, source, bankReference, cents, details, receivedAt, at } = wire;
  const rows = await tx.query(sql`
    insert into incoming_wires (id, source, bank_reference, cents, sealed, state, received_at, updated_at)
    values (${id}, ${source}, ${bankReference}, ${cents},
      ${sealer.seal(JSON.stringify(details), placeOf(id))}, 'suspense', ${receivedAt}, ${at})
    on conflict (source, bank_reference) do nothing
    returning id`);
  return rows.length > 0;
}

/** What the wire says about its sender. */
export function openWire(sealer: Sealer, { id, sealed }: IncomingWire): WireDetails {
  return JSON.parse(sealer.open(sealed, placeOf(id))) as WireDetails;
}

export async function findWire(db: Queryable, id: string): Promise<IncomingWire | undefined> {
  const [row] = await db.query<WireRow>(sql`select ${asWire} from incoming_wires where id = ${id}`);
  return row && wireOf(row);
}

export async function lockWire(tx: Transaction, id: string): Promise<IncomingWire | undefined> {
  const [row] = await tx.query<WireRow>(sql`
    select ${asWire} from incoming_wires where id = ${id} for update`);
  return row && wireOf(row);
}

type WireChange = {
  state: WireState;
  reason: string | null;
  transactionId?: string | null;
  dueAt?: Date | null;
  at: Date;
};

/** Says what became of a wire. A transaction that is not named stays as it is. */
export async function changeWire(tx: Transaction, id: string, change: WireChange): Promise<void> {
  const { state, reason, transactionId = null, dueAt = null, at } = change;
  await tx.query(sql`
    update incoming_wires set state = ${state}, reason = ${reason}, due_at = ${dueAt},
      leased_until = null, transaction_id = coalesce(${transactionId}, transaction_id), updated_at = ${at}
    where id = ${id}`);
}

/** Takes the unclaimed wire that is due longest, for us alone until `until`. */
export async function claimUnclaimedWire(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<IncomingWire | undefined> {
  const [row] = await db.query<WireRow>(sql`
    update incoming_wires set leased_until = ${until}
    where id = (
      select id from incoming_wires
      where due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at limit 1 for update skip locked
    )
    returning ${asWire}`);
  return row && wireOf(row);
}

/** Looks at an unclaimed wire again later. */
export async function postponeWire(db: Queryable, id: string, until: Date): Promise<void> {
  await db.query(sql`
    update incoming_wires set due_at = ${until}, leased_until = null where id = ${id}`);
}

const placeOf = (id: string): string => `incoming_wires|sealed|${id}`;

function wireOf({ cents, ...rest }: WireRow): IncomingWire {
  return { ...rest, cents: asCents(BigInt(cents)) };
}
