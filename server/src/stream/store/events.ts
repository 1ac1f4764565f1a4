import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** The numbers of the newest events of some accounts; those without any have none. */
export async function listSequences(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ userId: string; sequence: string }>(sql`
    select user_id as "userId", last_sequence::text as sequence from event_counters
    where user_id = any(${userIds})`);
  return new Map(rows.map(({ userId, sequence }) => [userId, sequence]));
}
