import type { PoolBar, Timeframe } from "@slipway/sdk";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Page, TimeWindow } from "../../http/list.ts";
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
import { poolToken } from "./read-pools.ts";

/** A pool's bars and tokens, each as JSON. */
export type FoundBars = { token0: string; token1: string; bars: string };

/** Which bars of which pool. */
export type BarQuery = {
  pool: Buffer;
  timeframe: Timeframe;
  window: TimeWindow;
  page: Page<keyof PoolBar>;
};

const secondsOf: Record<Timeframe, number> = { hour: 3_600, day: 86_400 };

/** By what a bar `b` is put in order. */
const orders: Record<keyof PoolBar, Sql> = {
  id: sql`b.number`,
  timestamp: sql`b.number`,
  feeGrowthGlobal0X128: sql`b.fee_growth0`,
  feeGrowthGlobal1X128: sql`b.fee_growth1`,
  feesUSD: sql`b.fees_usd`,
  o: sql`b.open`,
  h: sql`b.high`,
  l: sql`b.low`,
  c: sql`b.close`,
  volumeUSD: sql`b.volume_usd`,
  volumeToken0: sql`b.volume0`,
  volumeToken1: sql`b.volume1`,
  token0Price: sql`b.token0_price`,
  token1Price: sql`b.token1_price`,
  liquidity: sql`b.liquidity`,
  txCount: sql`b.tx_count`,
  tvlUSD: sql`b.tvl_usd`,
  sqrtPrice: sql`b.sqrt_price`,
  // No tick is below every tick.
  tick: sql`coalesce(b.tick, -1000000)`,
};

/** A list of bars can be ordered by any of its fields. */
export const barFields = fieldsOf(orders);

/** A page of a pool's bars; nothing when there is no such pool. */
export async function listBars(
  db: Queryable,
  place: Place,
  { pool, timeframe, window, page }: BarQuery,
): Promise<Indexed<FoundBars | undefined>> {
  const seconds = secondsOf[timeframe];
  const { orderBy, direction } = page;
  const [row] = await db.query<CheckpointRow & (FoundBars | { token0: null })>(sql`
    select ${checkpoint},
      ${poolToken(sql`p.token0`)}::text as token0,
      ${poolToken(sql`p.token1`)}::text as token1,
      ${jsonArray(sql`
        select ${hex(sql`p.address`)} || '-' || b.number as id,
          b.number * ${seconds}::bigint as timestamp,
          b.fee_growth0::text as "feeGrowthGlobal0X128",
          b.fee_growth1::text as "feeGrowthGlobal1X128",
          b.fees_usd::text as "feesUSD",
          b.open::text as o,
          b.high::text as h,
          b.low::text as l,
          b.close::text as c,
          b.volume_usd::text as "volumeUSD",
          b.volume0::text as "volumeToken0",
          b.volume1::text as "volumeToken1",
          b.token0_price::text as "token0Price",
          b.token1_price::text as "token1Price",
          b.liquidity::text as liquidity,
          b.tx_count::text as "txCount",
          b.tvl_usd::text as "tvlUSD",
          b.sqrt_price::text as "sqrtPrice",
          b.tick::text as tick
        from (
          select * from dex_bars b
          where b.deployment = d.id and b.pool = p.pool and b.seconds = ${seconds}
            ${starting(window, seconds)}
          order by ${inDirection(orders[orderBy], direction)}, b.number ${slice(page)}
        ) as b`)} as bars
    from dex_deployments d left join dex_pools p on p.deployment = d.id and p.address = ${pool}
    where ${isAt(place)}`);
  return { asOf: asOfOf(row), found: row && row.token0 !== null ? row : undefined };
}

/** A bar is in a window when it starts there. */
function starting({ from, to }: TimeWindow, seconds: number): Sql {
  return sql`
    ${from === undefined ? sql`` : sql`and b.number >= ${Math.ceil(from / seconds)}::bigint`}
    ${to === undefined ? sql`` : sql`and b.number <= ${Math.floor(to / seconds)}::bigint`}`;
}
