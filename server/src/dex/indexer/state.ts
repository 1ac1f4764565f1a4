import type { Hex } from "../../chains/hex.ts";
import { Decimal } from "../../lib/decimal34.ts";
import { type Deployment, type Dialect, exchanges } from "../deployment.ts";
import type { Ticks } from "../math/ticks.ts";

/** A token on one exchange. Figures named `…Usd` are dollars, the others are in units of the token. */
export type Token = {
  /** Its place in the order in which the chain's pools named them. */
  readonly number: number;
  readonly address: Hex;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly pricing: "native" | "stable" | "pools";
  readonly isWhitelisted: boolean;
  /** Pools whose other token is whitelisted, oldest first. */
  readonly whitelistPools: Pool[];
  volume: Decimal;
  volumeUsd: Decimal;
  untrackedVolumeUsd: Decimal;
  feesUsd: Decimal;
  txCount: number;
  poolCount: number;
  totalValueLocked: Decimal;
  totalValueLockedUsd: Decimal;
  totalValueLockedUsdUntracked: Decimal;
  derivedEth: Decimal;
};

export type Pool = {
  readonly number: number;
  readonly address: Hex;
  readonly token0: Token;
  readonly token1: Token;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly createdBlock: number;
  readonly createdTime: number;
  readonly ticks: Ticks;
  sqrtPrice: bigint;
  /** Nothing before the pool is initialised. */
  tick: number | undefined;
  liquidity: bigint;
  feeGrowth0: bigint;
  feeGrowth1: bigint;
  feeProtocol0: number;
  feeProtocol1: number;
  /** Its swaps do not follow from its logs, however often we asked: they are believed as they are. */
  isTolerated: boolean;
  protocolOwed0: bigint;
  protocolOwed1: bigint;
  token0Price: Decimal;
  token1Price: Decimal;
  totalValueLocked0: Decimal;
  totalValueLocked1: Decimal;
  totalValueLockedEth: Decimal;
  totalValueLockedUsd: Decimal;
  volume0: Decimal;
  volume1: Decimal;
  volumeUsd: Decimal;
  untrackedVolumeUsd: Decimal;
  feesUsd: Decimal;
  txCount: number;
  /** The newest bar of each size. */
  readonly bars: Map<BarSeconds, Bar>;
};

export const barSizes = [3_600, 86_400] as const;
export type BarSeconds = (typeof barSizes)[number];

/** What happened in a pool during an hour or a day. Prices are of token1 in token0. */
export type Bar = {
  readonly pool: Pool;
  readonly seconds: BarSeconds;
  /** It starts at number × seconds. */
  readonly number: number;
  readonly open: Decimal;
  high: Decimal;
  low: Decimal;
  close: Decimal;
  volume0: Decimal;
  volume1: Decimal;
  volumeUsd: Decimal;
  feesUsd: Decimal;
  txCount: number;
  liquidity: bigint;
  sqrtPrice: bigint;
  tick: number | undefined;
  token0Price: Decimal;
  token1Price: Decimal;
  tvlUsd: Decimal;
  feeGrowth0: bigint;
  feeGrowth1: bigint;
};

/** Everything that is known about an exchange on a chain after some block. */
export type State = {
  readonly rules: Rules;
  readonly tokens: Map<Hex, Token>;
  readonly pools: Map<Hex, Pool>;
  /** Pools that are to be believed from now on, although their swaps do not follow from their logs. */
  readonly tolerated: ReadonlySet<Hex>;
  /** Of the native coin, in dollars. */
  ethPriceUsd: Decimal;
};

/** The part of a deployment that decides figures, ready to be asked. */
export type Rules = {
  readonly dialect: Dialect;
  readonly wrappedNative: Hex;
  readonly stablePool: Hex;
  readonly stablecoins: ReadonlySet<Hex>;
  readonly whitelist: ReadonlySet<Hex>;
  readonly minimumNativeLocked: Decimal;
  readonly skipPools: ReadonlySet<Hex>;
};

export function rulesOf(deployment: Deployment): Rules {
  return {
    dialect: exchanges[deployment.exchange].dialect,
    wrappedNative: deployment.wrappedNative,
    stablePool: deployment.stablePool,
    stablecoins: new Set(deployment.stablecoins),
    whitelist: new Set(deployment.whitelist),
    minimumNativeLocked: Decimal.parse(deployment.minimumNativeLocked),
    skipPools: new Set(deployment.skipPools),
  };
}

export function emptyState(rules: Rules, tolerated: ReadonlySet<Hex> = new Set()): State {
  return { rules, tokens: new Map(), pools: new Map(), tolerated, ethPriceUsd: Decimal.zero };
}

/** What a token's contract says about itself. */
export type TokenMetadata = { name: string; symbol: string; decimals: number };

/** A token nobody has traded yet. */
export function newToken(
  { tokens, rules }: State,
  address: Hex,
  { name, symbol, decimals }: TokenMetadata,
): Token {
  return {
    number: tokens.size,
    address,
    name,
    symbol,
    decimals,
    pricing: pricingOf(address, rules),
    isWhitelisted: rules.whitelist.has(address),
    whitelistPools: [],
    volume: Decimal.zero,
    volumeUsd: Decimal.zero,
    untrackedVolumeUsd: Decimal.zero,
    feesUsd: Decimal.zero,
    txCount: 0,
    poolCount: 0,
    totalValueLocked: Decimal.zero,
    totalValueLockedUsd: Decimal.zero,
    totalValueLockedUsdUntracked: Decimal.zero,
    derivedEth: Decimal.zero,
  };
}

function pricingOf(address: Hex, { wrappedNative, stablecoins }: Rules): Token["pricing"] {
  if (address === wrappedNative) return "native";
  return stablecoins.has(address) ? "stable" : "pools";
}
