import type { Hex } from "../../chains/hex.ts";
import type { Decimal } from "../../lib/decimal34.ts";
import type { Bar, Pool, Token } from "./state.ts";

/** One line of a pool's history. */
export type Trade = {
  kind: "swap" | "mint" | "burn";
  pool: Pool;
  block: number;
  index: number;
  time: number;
  transactionHash: Hex;
  amount0: Decimal;
  amount1: Decimal;
  amountUsd: Decimal;
  sender?: Hex;
  owner?: Hex;
  recipient?: Hex;
  /** Of liquidity. */
  amount?: bigint;
  sqrtPrice?: bigint;
};

/** The figures of a token that change. */
export type TokenFigures = Pick<
  Token,
  | "volume"
  | "volumeUsd"
  | "untrackedVolumeUsd"
  | "feesUsd"
  | "txCount"
  | "poolCount"
  | "totalValueLocked"
  | "totalValueLockedUsd"
  | "totalValueLockedUsdUntracked"
  | "derivedEth"
>;

/** A token as it was after a block. */
export type TokenVersion = { token: Token; block: number; figures: TokenFigures };

/** What a run of blocks changed, collected on the way and then written in one go. */
export type Changes = {
  readonly trades: Trade[];
  readonly versions: TokenVersion[];
  readonly pools: Set<Pool>;
  readonly tokens: Set<Token>;
  readonly bars: Set<Bar>;
  /** Ticks by pool. */
  readonly ticks: Map<Pool, Set<number>>;
  /** Tokens that the block in hand has changed so far. */
  readonly blockTokens: Set<Token>;
};

export function noChanges(): Changes {
  return {
    trades: [],
    versions: [],
    pools: new Set(),
    tokens: new Set(),
    bars: new Set(),
    ticks: new Map(),
    blockTokens: new Set(),
  };
}

/** Says that an event changed a pool and its two tokens. */
export function touch(changes: Changes, pool: Pool): void {
  changes.pools.add(pool);
  changes.blockTokens.add(pool.token0);
  changes.blockTokens.add(pool.token1);
}

export function touchTicks(changes: Changes, pool: Pool, ...ticks: number[]): void {
  const touched = changes.ticks.get(pool) ?? new Set();
  for (const tick of ticks) touched.add(tick);
  changes.ticks.set(pool, touched);
}

/** Keeps each token's figures as they are after the block, once however many events it had. */
export function endBlock(changes: Changes, block: number): void {
  for (const token of changes.blockTokens) {
    changes.tokens.add(token);
    changes.versions.push({ token, block, figures: figuresOf(token) });
  }
  changes.blockTokens.clear();
}

function figuresOf(token: Token): TokenFigures {
  return {
    volume: token.volume,
    volumeUsd: token.volumeUsd,
    untrackedVolumeUsd: token.untrackedVolumeUsd,
    feesUsd: token.feesUsd,
    txCount: token.txCount,
    poolCount: token.poolCount,
    totalValueLocked: token.totalValueLocked,
    totalValueLockedUsd: token.totalValueLockedUsd,
    totalValueLockedUsdUntracked: token.totalValueLockedUsdUntracked,
    derivedEth: token.derivedEth,
  };
}
