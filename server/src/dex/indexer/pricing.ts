import { Decimal } from "../../lib/decimal34.ts";
import type { Pool, State, Token } from "./state.ts";

/** A pool that values our side at more than this many times its other side is not believed. */
const believableRatio = Decimal.fromInteger(1_000);
const two = Decimal.fromInteger(2);

/** The native coin in dollars: the price in one pool that was chosen for it. */
export function nativePriceUsd({ rules, pools }: State): Decimal {
  if (rules.stablePool === rules.wrappedNative) return Decimal.one;
  const pool = pools.get(rules.stablePool);
  if (!pool) return Decimal.zero;
  return pool.token0.pricing === "native" ? pool.token1Price : pool.token0Price;
}

/** A token in native coins. Zero: no pool can be believed. */
export function derivedEth(token: Token, { rules, ethPriceUsd }: State): Decimal {
  if (token.pricing === "native") return Decimal.one;
  if (token.pricing === "stable") return Decimal.one.safeDividedBy(ethPriceUsd);
  return priceInPools(token, rules.minimumNativeLocked);
}

/** What the token's holdings would be worth if small pools gave prices too. */
export function untrackedValueUsd(token: Token, { ethPriceUsd }: State): Decimal {
  if (token.derivedEth.greaterThan(Decimal.zero)) return token.totalValueLockedUsd;
  return token.totalValueLocked.times(priceInPools(token, Decimal.zero)).times(ethPriceUsd);
}

/** The price in the pool with the most native coins locked on the other side, above the minimum. */
function priceInPools(token: Token, minimum: Decimal): Decimal {
  let mostLocked = Decimal.zero;
  let price = Decimal.zero;
  for (const pool of token.whitelistPools) {
    if (pool.liquidity <= 0n) continue;
    const side = sideOf(pool, token);
    const locked = side.otherLocked.times(side.other.derivedEth);
    if (!locked.greaterThan(mostLocked) || !locked.greaterThan(minimum)) continue;
    const candidate = side.price.times(side.other.derivedEth);
    if (isPoisoned(side.locked.times(candidate), locked)) continue;
    mostLocked = locked;
    price = candidate;
  }
  return price;
}

function sideOf(pool: Pool, token: Token) {
  return pool.token0 === token
    ? {
        locked: pool.totalValueLocked0,
        price: pool.token1Price,
        other: pool.token1,
        otherLocked: pool.totalValueLocked1,
      }
    : {
        locked: pool.totalValueLocked1,
        price: pool.token0Price,
        other: pool.token0,
        otherLocked: pool.totalValueLocked0,
      };
}

/** Somebody moved the price of a nearly empty pool: its two sides cannot be worth such different sums. */
export function isPoisoned(ownValue: Decimal, otherValue: Decimal): boolean {
  return ownValue.greaterThan(otherValue.times(believableRatio));
}

export type Amounts = { amount0: Decimal; amount1: Decimal };

/** Dollars that count: both sides of a pair of whitelisted tokens, twice the whitelisted side, or nothing. */
export function trackedUsd(
  { token0, token1 }: Pick<Pool, "token0" | "token1">,
  { amount0, amount1 }: Amounts,
  ethPriceUsd: Decimal,
): Decimal {
  const usd0 = () => amount0.times(token0.derivedEth.times(ethPriceUsd));
  const usd1 = () => amount1.times(token1.derivedEth.times(ethPriceUsd));
  if (token0.isWhitelisted && token1.isWhitelisted) return usd0().plus(usd1());
  if (token0.isWhitelisted) return usd0().times(two);
  if (token1.isWhitelisted) return usd1().times(two);
  return Decimal.zero;
}
