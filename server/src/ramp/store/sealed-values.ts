import type { Queryable } from "../../database/database.ts";
import { type Sql, sql, verbatim } from "../../database/sql.ts";

/** A column whose values are sealed, and the columns by which its rows are known. */
export type SealedColumn = { table: string; column: string; key: readonly string[] };

/** Every place where something is sealed. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "bank_accounts", column: "sealed", key: ["id"] },
  { table: "incoming_wires", column: "sealed", key: ["id"] },
  { table: "webhook_endpoints", column: "secret", key: ["id"] },
  { table: "webhook_endpoints", column: "previous_secret", key: ["id"] },
  { table: "rail_notices", column: "sealed", key: ["id::text"] },
  { table: "bank_files", column: "sealed", key: ["id"] },
  { table: "bank_entries", column: "sealed", key: ["payout_id"] },
  { table: "wire_senders", column: "sealed", key: ["bank_reference"] },
  { table: "idempotency_keys", column: "answer", key: ["user_id", "key", "route"] },
];

export type SealedValue = { key: string[]; sealed: Buffer };

/** How many values of a column are sealed. */
export async function countSealed(db: Queryable, { table, column }: SealedColumn): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(${verbatim(column)})::int as count from ${verbatim(table)}`);
  return row?.count ?? 0;
}

/** The next values of a column, in the order of their keys; from the first on when there is no `after`. */
export function listSealed(
  db: Queryable,
  { table, column, key }: SealedColumn,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SealedValue[]> {
  const columns = verbatim(key.join(", "));
  // No part of a key is empty.
  const start = valuesOf(after ?? key.map(() => ""));
  return db.query<SealedValue>(sql`
    select array[${columns}] as key, ${verbatim(column)} as sealed from ${verbatim(table)}
    where (${columns}) > (${start}) and ${verbatim(column)} is not null
    order by ${columns} limit ${limit}`);
}

/** Puts one sealed value in the place of another, unless somebody else has done so meanwhile. */
export async function replaceSealed(
  db: Queryable,
  { table, column, key: columns }: SealedColumn,
  { key, sealed }: SealedValue,
  next: Buffer,
): Promise<void> {
  await db.query(sql`
    update ${verbatim(table)} set ${verbatim(column)} = ${next}
    where (${verbatim(columns.join(", "))}) = (${valuesOf(key)}) and ${verbatim(column)} = ${sealed}`);
}

function valuesOf(texts: readonly string[]): Sql {
  return texts.map((text) => sql`${text}`).reduce((all, next) => sql`${all}, ${next}`);
}
