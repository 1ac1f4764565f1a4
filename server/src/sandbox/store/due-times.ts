import type { Queryable } from "../../database/database.ts";
import { prepared, type Sql, sql, verbatim } from "../../database/sql.ts";

/**
 * Where something falls due whose exact time matters. What is only tidied away some day, such as old quotes and kept
 * answers, is left out: time need not stop for it. `mark` changes when something has happened to the row, and not when
 * it was only put off.
 */
const places = [
  { table: "ramp_transactions", id: "id", mark: "version" },
  { table: "payouts", id: "id", mark: "updated_at" },
  { table: "incoming_wires", id: "id", mark: "updated_at" },
  { table: "deposits", id: "id", mark: "updated_at" },
  { table: "webhook_deliveries", id: "id", mark: "attempts" },
  { table: "sandbox_payments", id: "reference", mark: "due_at" },
  { table: "sandbox_transfers", id: "transaction_hash", mark: "due_at" },
  { table: "sandbox_bank_files", id: "name", mark: "due_at" },
  { table: "sandbox_sent_files", id: "name", mark: "due_at" },
  { table: "sandbox_bank_lines", id: "id", mark: "due_at" },
  { table: "bank_entries", id: "payout_id", mark: "updated_at" },
  { table: "bank_files", id: "id", mark: "updated_at" },
  { table: "chain_transactions", id: "id", mark: "updated_at" },
  { table: "chain_deposits", id: "transaction_hash || log_index", mark: "updated_at" },
].map(({ table, id, mark }) => ({
  table: verbatim(table),
  id: verbatim(id),
  mark: verbatim(mark),
}));

/** Where somebody is at a due row for a moment, and says so by a lease. */
const leasedPlaces = ["bank_files", "chain_cursors", "chain_transactions"].map(verbatim);

const pageSize = 100;

/** A row that falls due, at this Unix time in milliseconds. */
export type DueRow = { id: string; mark: string; dueAt: number };

/** What falls due next, earliest first; up to when all of it is listed. */
export type NextDue = { rows: readonly DueRow[]; completeUntil: number };

/** The rows that fall due next after a time. */
export async function listNextDue(db: Queryable, after: number): Promise<NextDue> {
  const parts = places.map(
    ({ table, id, mark }) => sql`(
      select ${id}::text as id, ${mark}::text as mark, due_at from ${table}
      where due_at > ${new Date(after)} order by due_at limit ${pageSize})`,
  );
  const found = await db.query<{ id: string; mark: string; dueAt: Date }>(prepared`
    select id, mark, due_at as "dueAt" from (${unionOf(parts)}) as next
    order by due_at limit ${pageSize}`);
  const rows = found.map(({ dueAt, ...row }) => ({ ...row, dueAt: dueAt.getTime() }));
  const last = rows.length < pageSize ? undefined : rows.at(-1);
  return { rows, completeUntil: last?.dueAt ?? Number.POSITIVE_INFINITY };
}

/** What is due: nothing, only what anybody could take, or also something that somebody is at. */
export type DueState = "nothing" | "free" | "held";

/**
 * What is due now. News that came and were not taken yet count as held. A chain is looked at every second, which is due
 * as well, but nothing that time would stop for.
 */
export async function findDueState(db: Queryable, now: number): Promise<DueState> {
  const at = new Date(now);
  const parts = places.map(
    ({ table }) => sql`
      select count(*) as due, (
        select count(*) from (
          select from ${table} where due_at <= ${at} for update skip locked
        ) as free
      ) as free
      from ${table} where due_at <= ${at}`,
  );
  const leased = leasedPlaces.map(
    (table) => sql`
      select count(*) as due, count(*) filter (where leased_until is null or leased_until <= ${at})
      from ${table} where due_at <= ${at}`,
  );
  const [row] = await db.query<{ state: DueState }>(prepared`
    select case
      when sum(due) > sum(free) or exists (
        select from (values ('sandbox-bank'), ('sandbox-chain'), ('bank'), ('chain:ethereum'))
          as sources (name)
        left join news_cursors as cursors on cursors.source = sources.name
        where greatest(
            (select max(id) from sandbox_notices where source = sources.name),
            (select max(id) from rail_notices where source = sources.name)
          ) > coalesce(cursors.cursor, '0')::bigint
      ) then 'held'
      when sum(due) > 0 then 'free'
      else 'nothing'
    end as state
    from (${unionOf([...parts, ...leased])}) as counted`);
  return row?.state ?? "nothing";
}

function unionOf(parts: readonly Sql[]): Sql {
  return parts.reduce((one, other) => sql`${one} union all ${other}`);
}
