import type { Queryable } from "../../database/database.ts";
import { type Sql, sql, verbatim } from "../../database/sql.ts";

/**
 * Where something falls due whose exact time matters. What is only tidied away some day, such as old quotes and kept
 * answers, is left out: time need not stop for it.
 */
const tables = [
  "ramp_transactions",
  "payouts",
  "incoming_wires",
  "deposits",
  "webhook_deliveries",
  "sandbox_payments",
  "sandbox_transfers",
].map(verbatim);

/** When the next thing falls due after a time, in Unix milliseconds. */
export async function nextDueAt(db: Queryable, after = 0): Promise<number | undefined> {
  const parts = tables.map(
    (table) => sql`select min(due_at) as due_at from ${table} where due_at > ${new Date(after)}`,
  );
  const [row] = await db.query<{ dueAt: Date | null }>(sql`
    select min(due_at) as "dueAt" from (${unionOf(parts)}) as next`);
  return row?.dueAt?.getTime();
}

/** What is due: nothing, only what anybody could take, or also something that somebody is at. */
export type DueState = "nothing" | "free" | "held";

/** What is due now. News that came and were not taken yet count as held. */
export async function findDueState(db: Queryable, now: number): Promise<DueState> {
  const at = new Date(now);
  const parts = tables.map(
    (table) => sql`
      select count(*) as due, (
        select count(*) from (
          select from ${table} where due_at <= ${at} for update skip locked
        ) as free
      ) as free
      from ${table} where due_at <= ${at}`,
  );
  const [row] = await db.query<{ state: DueState }>(sql`
    select case
      when sum(due) > sum(free) or exists (
        select from sandbox_notices notices
        left join news_cursors cursors on cursors.source = notices.source
        where notices.id > coalesce(cursors.cursor, '0')::bigint
      ) then 'held'
      when sum(due) > 0 then 'free'
      else 'nothing'
    end as state
    from (${unionOf(parts)}) as counted`);
  return row?.state ?? "nothing";
}

function unionOf(parts: readonly Sql[]): Sql {
  return parts.reduce((one, other) => sql`${one} union all ${other}`);
}
