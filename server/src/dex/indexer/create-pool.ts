import type { Hex } from "../../chains/hex.ts";
import { Decimal } from "../../lib/decimal34.ts";
import { Ticks } from "../math/ticks.ts";
import { type Changes, touch } from "./changes.ts";
import type { EventOf } from "./events.ts";
import { newToken, type Pool, type State, type Token, type TokenMetadata } from "./state.ts";

/** What the reducer has to be told beside the events: nothing for tokens whose contract does not say. */
export type TokenBook = ReadonlyMap<Hex, TokenMetadata>;

type Creation = {
  state: State;
  changes: Changes;
  place: { block: number; time: number };
  event: EventOf<"poolCreated">;
};

type Found = NonNullable<EventOf<"poolCreated">["found"]>;

/** Adds a pool, and its tokens when they are new, with nothing in them but what was found there. */
export function createPool({ state, changes, place, event }: Creation, tokens: TokenBook): void {
  if (state.pools.has(event.pool) || state.rules.skipPools.has(event.pool)) return;
  const metadata0 = tokens.get(event.token0);
  const metadata1 = tokens.get(event.token1);
  // A token that does not tell its decimals has no amounts: its pools are left out.
  if (!metadata0 || !metadata1) return;
  const token0 = findOrAddToken(state, event.token0, metadata0);
  const token1 = findOrAddToken(state, event.token1, metadata1);
  const pool = newPool(state, place, event, token0, token1);
  state.pools.set(pool.address, pool);
  if (token0.isWhitelisted) token1.whitelistPools.push(pool);
  if (token1.isWhitelisted) token0.whitelistPools.push(pool);
  token0.poolCount++;
  token1.poolCount++;
  if (event.found) putIn(pool, event.found);
  touch(changes, pool);
}

/** Where the liquidity of a pool lies is told by logs that are gone, so its swaps cannot be checked. */
function putIn(pool: Pool, { liquidity, balance0, balance1 }: Found): void {
  const { token0, token1 } = pool;
  pool.isTolerated = true;
  pool.liquidity = liquidity;
  pool.totalValueLocked0 = Decimal.fromUnits(balance0, token0.decimals);
  pool.totalValueLocked1 = Decimal.fromUnits(balance1, token1.decimals);
  token0.totalValueLocked = token0.totalValueLocked.plus(pool.totalValueLocked0);
  token1.totalValueLocked = token1.totalValueLocked.plus(pool.totalValueLocked1);
}

function findOrAddToken(state: State, address: Hex, metadata: TokenMetadata): Token {
  const known = state.tokens.get(address);
  if (known) return known;
  const token = newToken(state, address, metadata);
  state.tokens.set(address, token);
  return token;
}

function newPool(
  { pools }: State,
  { block, time }: Creation["place"],
  { pool, fee, tickSpacing }: EventOf<"poolCreated">,
  token0: Token,
  token1: Token,
): Pool {
  return {
    number: pools.size,
    address: pool,
    token0,
    token1,
    fee,
    tickSpacing,
    createdBlock: block,
    createdTime: time,
    ticks: new Ticks(),
    sqrtPrice: 0n,
    tick: undefined,
    liquidity: 0n,
    feeGrowth0: 0n,
    feeGrowth1: 0n,
    feeProtocol0: 0,
    feeProtocol1: 0,
    isTolerated: false,
    protocolOwed0: 0n,
    protocolOwed1: 0n,
    token0Price: Decimal.zero,
    token1Price: Decimal.zero,
    totalValueLocked0: Decimal.zero,
    totalValueLocked1: Decimal.zero,
    totalValueLockedEth: Decimal.zero,
    totalValueLockedUsd: Decimal.zero,
    volume0: Decimal.zero,
    volume1: Decimal.zero,
    volumeUsd: Decimal.zero,
    untrackedVolumeUsd: Decimal.zero,
    feesUsd: Decimal.zero,
    txCount: 0,
    bars: new Map(),
  };
}
