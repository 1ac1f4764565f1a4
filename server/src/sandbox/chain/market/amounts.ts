import type { Pool, Token } from "../layout.ts";

/** Dollars per whole token, at a moment. */
export type UsdPrices = (token: Token) => number;

/** Whole tokens in the token's smallest unit. */
export function toUnits(amount: number, { decimals }: Token): bigint {
  return BigInt(Math.round(amount * 10 ** decimals));
}

/** What so many dollars buy of a token, in its smallest unit. */
export function unitsWorth(usd: number, token: Token, usdOf: UsdPrices): bigint {
  return toUnits(usd / usdOf(token), token);
}

/** The price at which nobody gains by trading in a pool: smallest units of token 1 for one of token 0. */
export function fairPoolPrice({ token0, token1 }: Pool, usdOf: UsdPrices): number {
  return (usdOf(token0) / usdOf(token1)) * 10 ** (token1.decimals - token0.decimals);
}

/** A price as pools keep it: its square root, times 2^96. */
export function sqrtPriceX96Of(price: number): bigint {
  return BigInt(Math.floor(Math.sqrt(price) * 2 ** 96));
}

/** The price that a pool keeps. */
export function priceOf(sqrtPriceX96: bigint): number {
  return (Number(sqrtPriceX96) / 2 ** 96) ** 2;
}

/** The nearest tick to a price at which a position of this pool may begin or end. */
export function tickNear(price: number, { tickSpacing }: Pool): number {
  return Math.round(Math.log(price) / Math.log(1.0001) / tickSpacing) * tickSpacing;
}
