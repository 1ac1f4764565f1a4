import { Decimal } from "../../lib/decimal34.ts";

const q192 = Decimal.fromInteger(1n << 192n);

/** What one token of a pool costs in the other: `token0Price` is the price of token1 in token0. */
export type TokenPrices = { token0Price: Decimal; token1Price: Decimal };

/** Both prices of a pool; zero as long as it has none. */
export function tokenPrices(sqrtPrice: bigint, decimals0: number, decimals1: number): TokenPrices {
  const token1Price = Decimal.fromInteger(sqrtPrice * sqrtPrice)
    .dividedBy(q192)
    .shiftedBy(decimals0 - decimals1);
  return { token0Price: Decimal.one.safeDividedBy(token1Price), token1Price };
}
