import type { Queryable, Transaction } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** What became of a file of the bank's when it came first. */
export type IncomingFile = { state: "taken" | "refused"; problem: string | null };

/** Makes those who take in what the bank tells take turns until `tx` ends: what one has taken, the next one knows. */
export async function lockIncoming(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('incoming bank files'))`);
}

/** The file that came with this name and these bytes. */
export async function findIncomingFile(
  db: Queryable,
  name: string,
  sha256: Buffer,
): Promise<IncomingFile | undefined> {
  const [row] = await db.query<IncomingFile>(sql`
    select state, problem from bank_files
    where direction = 'in' and name = ${name} and sha256 = ${sha256}`);
  return row;
}

/** Whether a webhook came with this name before, whatever it said. */
export async function isKnownWebhook(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from bank_files where direction = 'in' and name = ${name} and format = 'webhook'`);
  return rows.length > 0;
}
