import type { Database, Transaction } from "../../database/database.ts";
import { sql, verbatim } from "../../database/sql.ts";
import { listMonthTables, monthTable } from "./months.ts";

const sliceRows = 20_000;
/** Nobody waits behind us for longer than this while we wait for a table. */
const lockTimeout = "2s";

/** Forgets trades from before a moment: whole months at once, the rest in slices. Candles and gaps stay. */
export async function forgetTrades(db: Database, olderThan: number): Promise<void> {
  await db.query(sql`
    update cex_markets set trades_since = ${olderThan} where trades_since < ${olderThan}`);
  for (const table of await listMonthTables(db)) {
    if (table >= monthTable(olderThan)) break;
    await db.transact(async (tx) => {
      await tx.query(sql`select set_config('lock_timeout', ${lockTimeout}, true)`);
      await tx.query(verbatim(`drop table if exists ${table}`));
    });
  }
  const markets = await db.query<{ id: number }>(sql`select id from cex_markets`);
  for (const { id } of markets) {
    while ((await db.transact((tx) => forgetSlice(tx, id, olderThan))) === sliceRows);
  }
}

/** Deletes the oldest of a market's trades from before a moment; says how many. */
async function forgetSlice(tx: Transaction, market: number, olderThan: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    with old as (
      select time, place, id from cex_trades
      where market = ${market} and time < ${olderThan}::bigint
      order by time, place, id limit ${sliceRows}
    ), gone as (
      delete from cex_trades t using old
      where t.market = ${market} and t.time < ${olderThan}::bigint
        and (t.time, t.place, t.id) = (old.time, old.place, old.id)
      returning 1
    )
    select count(*)::int as count from gone`);
  return row?.count ?? 0;
}
