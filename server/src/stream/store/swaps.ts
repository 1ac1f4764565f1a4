import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { isAt, type Place } from "../../dex/store/read-list.ts";
import { tradeColumns } from "../../dex/store/read-trades.ts";

/** A pool of an exchange on a blockchain. */
export type PoolName = { place: Place; pool: Buffer };

/** Where a swap stands in its pool. */
export type SwapKey = { time: number; block: number; logIndex: number };

/** A swap as JSON, and where it stands. */
export type ReadSwap = SwapKey & { json: string };

/** How often an exchange's tables have been written; nothing when they were never begun. */
export async function findVersion(db: Queryable, place: Place): Promise<string | undefined> {
  const [row] = await db.query<{ version: string }>(sql`
    select d.version::text as version from dex_deployments d where ${isAt(place)}`);
  return row?.version;
}

/** Whether there is such a pool. */
export async function hasPool(db: Queryable, { place, pool }: PoolName): Promise<boolean> {
  const rows = await db.query(sql`
    select p.pool from dex_deployments d join dex_pools p on p.deployment = d.id and p.address = ${pool}
    where ${isAt(place)}`);
  return rows.length > 0;
}

const ofPool = ({ place, pool }: PoolName) => sql`
  dex_deployments d join dex_pools p on p.deployment = d.id and p.address = ${pool}
  join dex_trades t on t.deployment = d.id and t.pool = p.pool and t.kind = 'swap'
  where ${isAt(place)}`;

const key = sql`t.time::float8 as time, t.block::float8 as block, t.log_index as "logIndex"`;

const isLater = ({ time, block, logIndex }: SwapKey) => sql`
  (t.time, t.block, t.log_index) > (${time}::bigint, ${block}::bigint, ${logIndex}::int)`;

/** The swaps of a pool that follow one, oldest first. */
export function readSwapsAfter(
  db: Queryable,
  name: PoolName,
  after: SwapKey,
  limit: number,
): Promise<ReadSwap[]> {
  return db.query<ReadSwap>(sql`
    select ${key}, row_to_json(swap)::text as json
    from (
      select t.* from ${ofPool(name)} and ${isLater(after)}
      order by t.time, t.block, t.log_index limit ${limit}
    ) as t, lateral (select ${tradeColumns("swap")}, t.block) as swap
    order by t.time, t.block, t.log_index`);
}

/** The newest swap of a pool, or, with `skip`, the one so many before it among those after a swap. */
export async function findNewestSwap(
  db: Queryable,
  name: PoolName,
  { after, skip = 0 }: { after?: SwapKey; skip?: number } = {},
): Promise<SwapKey | undefined> {
  const [row] = await db.query<SwapKey>(sql`
    select ${key} from ${ofPool(name)} ${after ? sql`and ${isLater(after)}` : sql``}
    order by t.time desc, t.block desc, t.log_index desc limit 1 offset ${skip}`);
  return row;
}

/** The last swap of a pool before a block. */
export async function findSwapBefore(
  db: Queryable,
  name: PoolName,
  block: number,
): Promise<SwapKey | undefined> {
  const [row] = await db.query<SwapKey>(sql`
    select ${key} from ${ofPool(name)} and t.block < ${block}::bigint
      and t.time <= (select max(b.time) from (
        select b.time from dex_trades b where b.deployment = d.id and b.block < ${block}::bigint
        order by b.block desc limit 1) as b)
    order by t.time desc, t.block desc, t.log_index desc limit 1`);
  return row;
}

/**
 * Marks of blocks, in the order of the blocks: a block that has been replaced has another. It is the hash at the end of
 * the stored logs that the block is in; they outlive everything that is derived from them.
 */
export async function findMarks(
  db: Queryable,
  place: Place,
  blocks: readonly number[],
): Promise<string[]> {
  const rows = await db.query<{ mark: string | null }>(sql`
    select encode(substr(r.to_hash, 1, 4), 'hex') as mark
    from unnest(${blocks}::bigint[]) with ordinality as asked (block, position)
    left join dex_deployments d on ${isAt(place)}
    left join lateral (
      select r.to_hash, r.to_block from dex_raw_logs r
      where r.deployment = d.id and r.from_block <= asked.block order by r.from_block desc limit 1
    ) as r on r.to_block >= asked.block
    order by asked.position`);
  return rows.map(({ mark }) => mark ?? "");
}

/** The last blocks with swaps of a pool up to one, newest first. */
export async function listNewestBlocks(
  db: Queryable,
  name: PoolName,
  { time, block, logIndex }: SwapKey,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ block: number }>(sql`
    select distinct block from (
      select t.block::float8 as block from ${ofPool(name)}
        and (t.time, t.block, t.log_index) <= (${time}::bigint, ${block}::bigint, ${logIndex}::int)
      order by t.time desc, t.block desc, t.log_index desc limit 100
    ) as newest order by block desc limit ${limit}`);
  return rows.map((row) => row.block);
}
