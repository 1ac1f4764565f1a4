import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";

/** A number for the next file of the sandbox's bank: by it they are told apart, and in order. */
export async function nextFileNumber(tx: Transaction): Promise<bigint> {
  const [row] = await tx.query<{ number: bigint }>(
    sql`select nextval('sandbox_file_numbers') as number`,
  );
  assert(row, "a sequence has a next number");
  return row.number;
}

/** Lays a file out for us to be taken. */
export async function insertFile(
  tx: Transaction,
  file: { number: bigint; name: string; bytes: Buffer; at: Date },
): Promise<void> {
  const { number, name, bytes, at } = file;
  await tx.query(sql`
    insert into sandbox_bank_files (number, name, bytes, due_at)
    values (${number}, ${name}, ${bytes}, ${at})`);
}

/** Names of the files that wait to be taken, in their order. */
export async function listWaitingFiles(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select name from sandbox_bank_files where due_at is not null order by number`);
  return rows.map(({ name }) => name);
}

/** What is in a file of the bank's, taken or not. */
export async function findFile(db: Queryable, name: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ bytes: Buffer }>(sql`
    select bytes from sandbox_bank_files where name = ${name}`);
  return row?.bytes;
}

/** Says that a file was taken. */
export async function endFile(db: Database, name: string): Promise<void> {
  await db.query(sql`update sandbox_bank_files set due_at = null where name = ${name}`);
}

/** Writes down that the bank has a file of ours. Answers the digest of the one that had this name before, if there was one. */
export async function insertSentFile(
  tx: Transaction,
  { name, sha256, settlesAt }: { name: string; sha256: Buffer; settlesAt: Date | null },
): Promise<Buffer | undefined> {
  const inserted = await tx.query(sql`
    insert into sandbox_sent_files (name, sha256, due_at) values (${name}, ${sha256}, ${settlesAt})
    on conflict (name) do nothing returning name`);
  if (inserted.length > 0) return undefined;
  const [known] = await tx.query<{ sha256: Buffer }>(sql`
    select sha256 from sandbox_sent_files where name = ${name}`);
  assert(known, `the file ${name} is inserted or found`);
  return known.sha256;
}

/** Locks the file of ours whose payments should have settled longest ago. */
export function takeDueSentFile(now: Date): Sql {
  return sql`
    select name from sandbox_sent_files where due_at <= ${now}
    order by due_at, name limit 1 for update skip locked`;
}

/** Puts off when the payments of a file settle, or says that they have. */
export function scheduleSentFile(name: string, dueAt: Date | null): Sql {
  return sql`update sandbox_sent_files set due_at = ${dueAt} where name = ${name}`;
}
