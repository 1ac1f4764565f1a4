import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** Remembers the check value of the first secret; returns the one that is remembered. */
export async function rememberSecret(
  db: Queryable,
  secretCheck: Buffer,
  now: Date,
): Promise<Buffer> {
  await db.query(sql`
    insert into installation (secret_check, created_at) values (${secretCheck}, ${now})
    on conflict do nothing`);
  const [row] = await db.query<{ secretCheck: Buffer }>(sql`
    select secret_check as "secretCheck" from installation`);
  return row?.secretCheck ?? secretCheck;
}
