import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../server/src/database/database.ts";
import { sql, verbatim } from "../../server/src/database/sql.ts";

/** Rows of a table in COPY's text form. */
type DumpedRows = { table: string; columns: string[]; file: string };

/** What the index wrote in one transaction. */
export type DumpedBatch = { from: number; to: number; count: number; files: DumpedRows[] };

/** Tables whose rows are of one block, and those whose rows go on changing. */
const tablesByBlock = ["dex_trades", "dex_token_versions"];
const changingTables = ["dex_tokens", "dex_pools", "dex_ticks", "dex_bars"];

/**
 * Writes all rows of an index to files, batch by batch. What goes on changing is written once, at the end, where the
 * index writes it with each batch: the floor does less, never more.
 */
export async function dumpTables(db: Database, folder: string): Promise<DumpedBatch[]> {
  mkdirSync(folder);
  // The server writes the files, as another user when we are root.
  chmodSync(folder, 0o777);
  const columns = await listColumns(db);
  async function dump(table: string, where: string, order: string, name: string) {
    const file = join(folder, `${name}-${table}`);
    await db.query(
      sql`copy (${verbatim(`select * from ${table} ${where} ${order}`)}) to ${verbatim(`'${file}'`)}`,
    );
    return { table, columns: columns.get(table) ?? [], file };
  }
  const ranges = await db.query<{ from: string; to: string; count: number }>(sql`
    select from_block::text as "from", to_block::text as "to", count from dex_raw_logs order by from_block`);
  const batches: DumpedBatch[] = [];
  const deployments = await dump("dex_deployments", "", "", "first");
  for (const [index, { from, to, count }] of ranges.entries()) {
    const files = index === 0 ? [deployments] : [];
    const within = `where block between ${from} and ${to}`;
    for (const table of tablesByBlock)
      files.push(await dump(table, within, "order by block", `${index}`));
    files.push(await dump("dex_raw_logs", `where from_block = ${from}`, "", `${index}`));
    batches.push({ from: Number(from), to: Number(to), count, files });
  }
  for (const table of changingTables) batches.at(-1)?.files.push(await dump(table, "", "", "last"));
  return batches;
}

async function listColumns(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.query<{ table: string; columns: string[] }>(sql`
    select table_name::text as "table", array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' group by 1`);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}
