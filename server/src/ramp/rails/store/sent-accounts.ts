import type { Queryable } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { Sealer } from "../../../lib/seal.ts";
import type { BankOrder } from "./bank-entries.ts";

/** The account to which an ACH payment was sent; nothing when it was no such payment. */
export async function findSentAccount(
  db: Queryable,
  { sealer }: { sealer: Pick<Sealer, "open"> },
  payoutId: string,
): Promise<BankOrder["ach"] | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>(sql`
    select sealed from bank_entries where payout_id = ${payoutId} and rail = 'ach'`);
  // Written by `insertEntry`.
  return row && (JSON.parse(sealer.open(row.sealed, placeOf(payoutId))) as BankOrder["ach"]);
}

const placeOf = (payoutId: string): string => `bank_entries|sealed|${payoutId}`;
