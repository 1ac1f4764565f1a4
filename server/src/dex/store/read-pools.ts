import type { DexPool } from "@slipway/sdk";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Page } from "../../http/list.ts";
import {
  asOfOf,
  type CheckpointRow,
  checkpoint,
  fieldsOf,
  hex,
  type Indexed,
  inDirection,
  isAt,
  jsonArray,
  type Place,
  slice,
} from "./read-list.ts";

/** What a pool can be ordered by. */
export type PoolField = Exclude<keyof DexPool, "token0" | "token1">;

/** By what a pool `p` is put in order. */
const orders: Record<PoolField, Sql> = {
  id: sql`p.address`,
  feeTier: sql`p.fee`,
  liquidity: sql`p.liquidity`,
  tvlUSD: sql`p.total_value_locked_usd`,
  volumeUSD: sql`p.volume_usd`,
  txCount: sql`p.tx_count`,
  token0Price: sql`p.token0_price`,
  token1Price: sql`p.token1_price`,
};

/** A list of pools can be ordered by any of its fields that is no token. */
export const poolFields = fieldsOf(orders);

/** Which pools: the one with this address, those that hold this token. */
type PoolFilter = { pool?: Buffer | undefined; token?: Buffer | undefined };

/** A page of pools as JSON: all, or those that hold a token. */
export async function listPools(
  db: Queryable,
  place: Place,
  { pool, token }: PoolFilter,
  page: Page<PoolField>,
): Promise<Indexed<string>> {
  const { orderBy, direction } = page;
  const holding = token === undefined ? sql`` : sql`and ${numberOf(token)} in (p.token0, p.token1)`;
  const named = pool === undefined ? sql`` : sql`and p.address = ${pool}`;
  const [row] = await db.query<CheckpointRow & { pools: string }>(sql`
    select ${checkpoint}, ${jsonArray(sql`
      select ${hex(sql`p.address`)} as id,
        ${poolToken(sql`p.token0`)} as token0,
        ${poolToken(sql`p.token1`)} as token1,
        p.fee::text as "feeTier",
        p.liquidity::text as liquidity,
        p.total_value_locked_usd::text as "tvlUSD",
        p.volume_usd::text as "volumeUSD",
        p.tx_count::text as "txCount",
        p.token0_price::text as "token0Price",
        p.token1_price::text as "token1Price"
      from (
        select * from dex_pools p where p.deployment = d.id ${holding} ${named}
        order by ${inDirection(orders[orderBy], direction)}, p.address ${slice(page)}
      ) as p`)} as pools
    from dex_deployments d where ${isAt(place)}`);
  return { asOf: asOfOf(row), found: row?.pools ?? "[]" };
}

function numberOf(token: Buffer): Sql {
  return sql`(select t.token from dex_tokens t where t.deployment = d.id and t.address = ${token})`;
}

/** A pool's token of the deployment `d`, as JSON. */
export function poolToken(number: Sql): Sql {
  return sql`(
    select row_to_json(token) from (
      select t.name, ${hex(sql`t.address`)} as id, t.symbol
      from dex_tokens t where t.deployment = d.id and t.token = ${number}
    ) as token)`;
}
