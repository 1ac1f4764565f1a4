import type { Queryable, Transaction } from "../../database/database.ts";
import { sql, verbatim } from "../../database/sql.ts";

/** A month in UTC, as long as a partition of cex_trades is: from its first millisecond to that of the next month. */
type Month = { from: number; to: number };

/** An arbitrary number that only this lock uses. */
const monthLock = 7_264_513;

function monthOf(time: number): Month {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

/** The partition that holds the month of a moment, such as `cex_trades_2026_11`. */
export function monthTable(time: number): string {
  return `cex_trades_${new Date(time).toISOString().slice(0, 7).replace("-", "_")}`;
}

/** Makes the partitions that trades of these times need, where they are missing. */
export async function ensureMonths(tx: Transaction, times: Iterable<number>): Promise<void> {
  const missing = await missingMonths(tx, monthsOf(times));
  if (missing.length === 0) return;
  // Whoever comes second finds the work done.
  await tx.query(sql`select pg_advisory_xact_lock(${monthLock})`);
  for (const month of await missingMonths(tx, missing)) await makeMonth(tx, month);
}

/** The months of some times. Most of them are in the month of the one before. */
function monthsOf(times: Iterable<number>): Month[] {
  const months = new Map<number, Month>();
  let month: Month = { from: 0, to: 0 };
  for (const time of times) {
    if (time >= month.from && time < month.to) continue;
    month = monthOf(time);
    months.set(month.from, month);
  }
  return [...months.values()];
}

async function missingMonths(db: Queryable, months: readonly Month[]): Promise<Month[]> {
  const tables = new Set(await listMonthTables(db));
  return months.filter(({ from }) => !tables.has(monthTable(from)));
}

/** Attaching a finished table, unlike making a partition, keeps nobody from reading or writing the others. */
async function makeMonth(tx: Transaction, { from, to }: Month): Promise<void> {
  const table = monthTable(from);
  await tx.query(verbatim(`create table ${table} (like cex_trades including all)`));
  await tx.query(
    verbatim(
      `alter table cex_trades attach partition ${table} for values from (${from}) to (${to})`,
    ),
  );
}

/** The partitions there are, oldest first. */
export async function listMonthTables(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid
    where inhparent = 'cex_trades'::regclass order by child.relname`);
  return rows.map(({ name }) => name);
}
