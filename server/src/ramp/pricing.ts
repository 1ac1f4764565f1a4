import { assert } from "../lib/errors.ts";
import { asCents, asUnits, type Cents, type PriceE18, type Units } from "../lib/money.ts";

// Every division rounds against the customer, by less than one cent or one smallest unit.

/** What tokens are sold for, before the fee. */
export function grossCents(units: Units, priceE18: PriceE18, decimals: number): Cents {
  return asCents((units * priceE18) / centScale(decimals));
}

/** What cents buy. */
export function unitsForCents(cents: Cents, priceE18: PriceE18, decimals: number): Units {
  assert(priceE18 > 0n, "a price is positive");
  return asUnits((cents * centScale(decimals)) / priceE18);
}

/** The fewest tokens that are sold for at least these cents. */
export function unitsNeeded(cents: Cents, priceE18: PriceE18, decimals: number): Units {
  assert(priceE18 > 0n, "a price is positive");
  return asUnits(divideUp(cents * centScale(decimals), priceE18));
}

/** The fewest cents that buy at least these tokens. */
export function centsNeeded(units: Units, priceE18: PriceE18, decimals: number): Cents {
  return asCents(divideUp(units * priceE18, centScale(decimals)));
}

/** What stands between units times price and cents: 10^decimals units in a token, a price times 10^18, 100 cents. */
function centScale(decimals: number): bigint {
  return 10n ** BigInt(decimals + 16);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
