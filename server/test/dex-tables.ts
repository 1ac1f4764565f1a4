import type { Database } from "../src/database/database.ts";
import { sql, verbatim } from "../src/database/sql.ts";
import type { Deployment } from "../src/dex/deployment.ts";
import { unpackLogs } from "../src/dex/indexer/raw-logs.ts";

const tables = [
  "dex_tokens",
  "dex_token_versions",
  "dex_pools",
  "dex_ticks",
  "dex_bars",
  "dex_trades",
] as const;

/** What only matters while blocks may still be replaced. */
const headTables = ["dex_undo", "dex_block_hashes"] as const;

/** Every row of a deployment's tables as text, and its stored logs, in a form that can be compared. */
export async function readTables(
  db: Database,
  { exchange, blockchain }: Pick<Deployment, "exchange" | "blockchain">,
  { withHead = false }: { withHead?: boolean } = {},
): Promise<Record<string, unknown[]>> {
  const [row] = await db.query<{ id: number; block: string; hash: string; covered: string }>(sql`
    select id, block, encode(block_hash, 'hex') as hash, covered_block as covered
    from dex_deployments where exchange = ${exchange} and blockchain = ${blockchain}`);
  if (!row) throw new Error(`${exchange} on ${blockchain} has not been indexed.`);
  const { id, ...checkpoint } = row;
  const all: Record<string, unknown[]> = { checkpoint: [checkpoint] };
  for (const name of withHead ? [...tables, ...headTables] : tables) {
    const rows = await db.query<{ text: string }>(sql`
      select (to_jsonb(row) - 'deployment' #- '{image,deployment}')::text as text
      from ${verbatim(name)} row where deployment = ${id} order by 1`);
    all[name] = rows.map(({ text }) => text);
  }
  const raw = await db.query<{ logs: Buffer }>(sql`
    select logs from dex_raw_logs where deployment = ${id} order by from_block`);
  all.logs = raw.flatMap(({ logs }) => [...unpackLogs(logs)]);
  return all;
}
