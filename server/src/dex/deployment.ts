import type { Hex } from "../chains/hex.ts";

/** Exchanges we can index, and what differs between them. */
export const exchanges = {
  "uniswap-v3": { name: "Uniswap v3", dialect: "uniswap" },
  "sushiswap-v3": { name: "SushiSwap v3", dialect: "uniswap" },
  "pancakeswap-v3": { name: "PancakeSwap v3", dialect: "pancake" },
} as const satisfies Record<string, { name: string; dialect: Dialect }>;

export type ExchangeId = keyof typeof exchanges;

/** PancakeSwap's Swap event carries the protocol fees, and its shares are counted in ten-thousandths. */
export type Dialect = "uniswap" | "pancake";

export type TokenOverride = { address: Hex; symbol: string; name: string; decimals: number };

/** An exchange on a blockchain: its contracts, and the rules by which it is priced. Addresses are lower-case. */
export type Deployment = {
  exchange: ExchangeId;
  blockchain: string;
  factory: Hex;
  startBlock: number;
  wrappedNative: Hex;
  /** The pool whose price is the native coin's in dollars. */
  stablePool: Hex;
  stablecoins: readonly Hex[];
  /** Tokens whose prices are believed. */
  whitelist: readonly Hex[];
  /** A pool gives prices when more than this many native coins are locked in it. */
  minimumNativeLocked: string;
  pools: "all" | readonly Hex[];
  skipPools: readonly Hex[];
  tokenOverrides: readonly TokenOverride[];
  /** Pools that are older than the chain's logs. */
  preexistingPools: readonly { pool: Hex; token0: Hex; token1: Hex }[];
};
