import type { Queryable, Transaction } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { asCents, type Cents } from "../../../lib/money.ts";
import type { Sealer } from "../../../lib/seal.ts";
import type { WireParty } from "../iso20022/wire-file.ts";

/** A wire that came in, by the bank's own reference of it. What the bank does not tell of its sender is empty. */
type ReceivedWire = { bankReference: string; sender: WireParty; cents: Cents };

type SealedPart = { sender: WireParty; cents: string };

/** Keeps where a wire came from. Answers the wire that is known by this reference already, if there is one. */
export async function insertWireSender(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  { bankReference, sender, cents }: ReceivedWire,
  at: Date,
): Promise<ReceivedWire | undefined> {
  const part: SealedPart = { sender, cents: String(cents) };
  const sealed = sealer.seal(JSON.stringify(part), placeOf(bankReference));
  const inserted = await tx.query(sql`
    insert into wire_senders (bank_reference, sealed, at)
    values (${bankReference}, ${sealed}, ${at})
    on conflict do nothing returning bank_reference`);
  return inserted.length > 0 ? undefined : findReceivedWire(tx, { sealer }, bankReference);
}

/** Writes down who sent a wire whose sender was not known, or not well enough to send it back. */
export async function changeWireSender(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  { bankReference, sender, cents }: ReceivedWire,
): Promise<void> {
  const part: SealedPart = { sender, cents: String(cents) };
  const sealed = sealer.seal(JSON.stringify(part), placeOf(bankReference));
  await tx.query(sql`
    update wire_senders set sealed = ${sealed} where bank_reference = ${bankReference}`);
}

/** Who sent the wire that the bank knows by this reference, so that it can be sent back. */
export async function findWireSender(
  db: Queryable,
  context: { sealer: Pick<Sealer, "open"> },
  bankReference: string,
): Promise<WireParty | undefined> {
  return (await findReceivedWire(db, context, bankReference))?.sender;
}

async function findReceivedWire(
  db: Queryable,
  { sealer }: { sealer: Pick<Sealer, "open"> },
  bankReference: string,
): Promise<ReceivedWire | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>(sql`
    select sealed from wire_senders where bank_reference = ${bankReference}`);
  if (!row) return undefined;
  const { sender, cents } = JSON.parse(
    sealer.open(row.sealed, placeOf(bankReference)),
  ) as SealedPart;
  return { bankReference, sender, cents: asCents(BigInt(cents)) };
}

/** The only row in which what was sealed can be opened. */
function placeOf(bankReference: string): string {
  return `wire_senders|sealed|${bankReference}`;
}
