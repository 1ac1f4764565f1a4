import type { Hex } from "../../chains/hex.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { bytesOf } from "./checkpoints.ts";

export async function insertOrigins(db: Queryable, origins: ReadonlyMap<Hex, Hex>): Promise<void> {
  if (origins.size === 0) return;
  await db.query(sql`
    insert into dex_origins (transaction_hash, origin)
    select * from unnest(${[...origins.keys()].map(bytesOf)}::bytea[], ${[...origins.values()].map(bytesOf)}::bytea[])
    on conflict do nothing`);
}

/** The oldest trades whose origin is not known, with how far they reach. */
export async function listUnknownOrigins(
  db: Queryable,
  deployment: number,
  limit: number,
): Promise<{ hash: Hex; block: number }[]> {
  return db.query<{ hash: Hex; block: number }>(sql`
    select '0x' || encode(trade.transaction_hash, 'hex') as hash, trade.block::float8 as block
    from dex_trades trade
    left join dex_origins known on known.transaction_hash = trade.transaction_hash
    where trade.deployment = ${deployment} and known.transaction_hash is null
      and trade.block > coalesce((select origins_block from dex_deployments where id = ${deployment}), -1)
    order by trade.block, trade.log_index
    limit ${limit}`);
}

/** Every trade up to this block has its origin; where to look on from. */
export async function setOriginsBlock(
  db: Queryable,
  deployment: number,
  block: number,
): Promise<void> {
  await db.query(sql`
    update dex_deployments set origins_block = ${block}
    where id = ${deployment} and coalesce(origins_block, -1) < ${block}`);
}
