import type { Hex } from "../../chains/hex.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { Decimal } from "../../lib/decimal34.ts";
import { assert } from "../../lib/errors.ts";
import { nativePriceUsd } from "../indexer/pricing.ts";
import {
  type Bar,
  type BarSeconds,
  barSizes,
  emptyState,
  newToken,
  type Pool,
  type State,
  type Token,
} from "../indexer/state.ts";
import { type Tick, Ticks } from "../math/ticks.ts";

/** Brings everything about a deployment back into memory, as it was after the checkpoint. */
export async function loadState(
  db: Queryable,
  deployment: number,
  { rules, tolerated }: Pick<State, "rules" | "tolerated">,
  checkpointTime: number,
): Promise<State> {
  const state = emptyState(rules, tolerated);
  const tokens = await loadTokens(db, deployment, state);
  const ticks = await loadTicks(db, deployment);
  const pools = await loadPools(db, deployment, { state, tokens, ticks });
  for (const seconds of barSizes) {
    await loadBars(db, deployment, pools, seconds, Math.floor(checkpointTime / seconds));
  }
  state.ethPriceUsd = nativePriceUsd(state);
  return state;
}

type TokenRow = {
  address: Hex;
  name: string;
  symbol: string;
  decimals: number;
  volume: string;
  volumeUsd: string;
  untrackedVolumeUsd: string;
  feesUsd: string;
  txCount: string;
  poolCount: number;
  totalValueLocked: string;
  totalValueLockedUsd: string;
  totalValueLockedUsdUntracked: string;
  derivedEth: string;
};

async function loadTokens(db: Queryable, deployment: number, state: State): Promise<Token[]> {
  const rows = await db.query<TokenRow>(sql`
    select '0x' || encode(address, 'hex') as address, name, symbol, decimals, volume,
      volume_usd as "volumeUsd", untracked_volume_usd as "untrackedVolumeUsd", fees_usd as "feesUsd",
      tx_count as "txCount", pool_count as "poolCount", total_value_locked as "totalValueLocked",
      total_value_locked_usd as "totalValueLockedUsd",
      total_value_locked_usd_untracked as "totalValueLockedUsdUntracked", derived_eth as "derivedEth"
    from dex_tokens where deployment = ${deployment} order by token`);
  return rows.map((row) => {
    const token: Token = {
      ...newToken(state, row.address, row),
      volume: Decimal.parse(row.volume),
      volumeUsd: Decimal.parse(row.volumeUsd),
      untrackedVolumeUsd: Decimal.parse(row.untrackedVolumeUsd),
      feesUsd: Decimal.parse(row.feesUsd),
      txCount: Number(row.txCount),
      poolCount: row.poolCount,
      totalValueLocked: Decimal.parse(row.totalValueLocked),
      totalValueLockedUsd: Decimal.parse(row.totalValueLockedUsd),
      totalValueLockedUsdUntracked: Decimal.parse(row.totalValueLockedUsdUntracked),
      derivedEth: Decimal.parse(row.derivedEth),
    };
    state.tokens.set(token.address, token);
    return token;
  });
}

type PoolRow = {
  number: number;
  address: Hex;
  token0: number;
  token1: number;
  fee: number;
  tickSpacing: number;
  createdBlock: string;
  createdTime: string;
  sqrtPrice: string;
  tick: number | null;
  liquidity: string;
  feeGrowth0: string;
  feeGrowth1: string;
  feeProtocol0: number;
  feeProtocol1: number;
  isTolerated: boolean;
  protocolOwed0: string;
  protocolOwed1: string;
  token0Price: string;
  token1Price: string;
  totalValueLocked0: string;
  totalValueLocked1: string;
  totalValueLockedEth: string;
  totalValueLockedUsd: string;
  volume0: string;
  volume1: string;
  volumeUsd: string;
  untrackedVolumeUsd: string;
  feesUsd: string;
  txCount: string;
};

async function loadPools(
  db: Queryable,
  deployment: number,
  known: { state: State; tokens: readonly Token[]; ticks: ReadonlyMap<number, Tick[]> },
): Promise<Pool[]> {
  const { state, tokens, ticks } = known;
  const rows = await db.query<PoolRow>(sql`
    select pool as number, '0x' || encode(address, 'hex') as address, token0, token1, fee,
      tick_spacing as "tickSpacing", created_block as "createdBlock", created_time as "createdTime",
      sqrt_price as "sqrtPrice", tick, liquidity, fee_growth0 as "feeGrowth0", fee_growth1 as "feeGrowth1",
      fee_protocol0 as "feeProtocol0", fee_protocol1 as "feeProtocol1", is_tolerated as "isTolerated",
      protocol_owed0 as "protocolOwed0", protocol_owed1 as "protocolOwed1",
      token0_price as "token0Price", token1_price as "token1Price",
      total_value_locked0 as "totalValueLocked0", total_value_locked1 as "totalValueLocked1",
      total_value_locked_eth as "totalValueLockedEth", total_value_locked_usd as "totalValueLockedUsd",
      volume0, volume1, volume_usd as "volumeUsd", untracked_volume_usd as "untrackedVolumeUsd",
      fees_usd as "feesUsd", tx_count as "txCount"
    from dex_pools where deployment = ${deployment} order by pool`);
  return rows.map((row) => {
    const pool = poolOf(row, tokens, ticks.get(row.number));
    state.pools.set(pool.address, pool);
    if (pool.token0.isWhitelisted) pool.token1.whitelistPools.push(pool);
    if (pool.token1.isWhitelisted) pool.token0.whitelistPools.push(pool);
    return pool;
  });
}

function poolOf(row: PoolRow, tokens: readonly Token[], ticks: readonly Tick[] = []): Pool {
  const token0 = tokens[row.token0];
  const token1 = tokens[row.token1];
  assert(token0 && token1, "a pool's tokens are stored");
  return {
    number: row.number,
    address: row.address,
    token0,
    token1,
    fee: row.fee,
    tickSpacing: row.tickSpacing,
    createdBlock: Number(row.createdBlock),
    createdTime: Number(row.createdTime),
    ticks: new Ticks(ticks),
    sqrtPrice: BigInt(row.sqrtPrice),
    tick: row.tick ?? undefined,
    liquidity: BigInt(row.liquidity),
    feeGrowth0: BigInt(row.feeGrowth0),
    feeGrowth1: BigInt(row.feeGrowth1),
    feeProtocol0: row.feeProtocol0,
    feeProtocol1: row.feeProtocol1,
    isTolerated: row.isTolerated,
    protocolOwed0: BigInt(row.protocolOwed0),
    protocolOwed1: BigInt(row.protocolOwed1),
    token0Price: Decimal.parse(row.token0Price),
    token1Price: Decimal.parse(row.token1Price),
    totalValueLocked0: Decimal.parse(row.totalValueLocked0),
    totalValueLocked1: Decimal.parse(row.totalValueLocked1),
    totalValueLockedEth: Decimal.parse(row.totalValueLockedEth),
    totalValueLockedUsd: Decimal.parse(row.totalValueLockedUsd),
    volume0: Decimal.parse(row.volume0),
    volume1: Decimal.parse(row.volume1),
    volumeUsd: Decimal.parse(row.volumeUsd),
    untrackedVolumeUsd: Decimal.parse(row.untrackedVolumeUsd),
    feesUsd: Decimal.parse(row.feesUsd),
    txCount: Number(row.txCount),
    bars: new Map(),
  };
}

/** By pool. */
async function loadTicks(db: Queryable, deployment: number): Promise<Map<number, Tick[]>> {
  const rows = await db.query<{ pool: number; tick: number; gross: string; net: string }>(sql`
    select pool, tick, liquidity_gross as gross, liquidity_net as net
    from dex_ticks where deployment = ${deployment} order by pool, tick`);
  const byPool = new Map<number, Tick[]>();
  for (const { pool, tick, gross, net } of rows) {
    const ticks = byPool.get(pool) ?? [];
    ticks.push({ tick, liquidityGross: BigInt(gross), liquidityNet: BigInt(net) });
    byPool.set(pool, ticks);
  }
  return byPool;
}

type BarRow = {
  pool: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume0: string;
  volume1: string;
  volumeUsd: string;
  feesUsd: string;
  txCount: string;
  liquidity: string;
  sqrtPrice: string;
  tick: number | null;
  token0Price: string;
  token1Price: string;
  tvlUsd: string;
  feeGrowth0: string;
  feeGrowth1: string;
};

/** Only bars of the checkpoint's own hour and day can still change: one probe for each pool. */
async function loadBars(
  db: Queryable,
  deployment: number,
  pools: readonly Pool[],
  seconds: BarSeconds,
  number: number,
): Promise<void> {
  const rows = await db.query<BarRow>(sql`
    select bar.* from dex_pools,
      lateral (
        select dex_bars.pool, open, high, low, close, dex_bars.volume0, dex_bars.volume1,
          dex_bars.volume_usd as "volumeUsd", dex_bars.fees_usd as "feesUsd", dex_bars.tx_count as "txCount",
          dex_bars.liquidity, dex_bars.sqrt_price as "sqrtPrice", dex_bars.tick,
          dex_bars.token0_price as "token0Price", dex_bars.token1_price as "token1Price",
          tvl_usd as "tvlUsd", dex_bars.fee_growth0 as "feeGrowth0", dex_bars.fee_growth1 as "feeGrowth1"
        from dex_bars
        where dex_bars.deployment = dex_pools.deployment and dex_bars.pool = dex_pools.pool
          and seconds = ${seconds} and number = ${number}
        limit 1
      ) bar
    where dex_pools.deployment = ${deployment}`);
  for (const row of rows) {
    const pool = pools[row.pool];
    assert(pool, "a bar's pool is stored");
    pool.bars.set(seconds, barOf(row, { pool, seconds, number }));
  }
}

function barOf(row: BarRow, which: Pick<Bar, "pool" | "seconds" | "number">): Bar {
  return {
    ...which,
    open: Decimal.parse(row.open),
    high: Decimal.parse(row.high),
    low: Decimal.parse(row.low),
    close: Decimal.parse(row.close),
    volume0: Decimal.parse(row.volume0),
    volume1: Decimal.parse(row.volume1),
    volumeUsd: Decimal.parse(row.volumeUsd),
    feesUsd: Decimal.parse(row.feesUsd),
    txCount: Number(row.txCount),
    liquidity: BigInt(row.liquidity),
    sqrtPrice: BigInt(row.sqrtPrice),
    tick: row.tick ?? undefined,
    token0Price: Decimal.parse(row.token0Price),
    token1Price: Decimal.parse(row.token1Price),
    tvlUsd: Decimal.parse(row.tvlUsd),
    feeGrowth0: BigInt(row.feeGrowth0),
    feeGrowth1: BigInt(row.feeGrowth1),
  };
}
