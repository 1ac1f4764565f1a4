import { asPriceE18, type PriceE18, parseDecimal } from "../../../lib/money.ts";

/** What one market says, in whole numbers. */
export type Sighting = {
  market: string;
  bidE18: bigint;
  askE18: bigint;
  /** Never zero: what nobody trades counts for next to nothing, not for nothing. */
  weight: bigint;
};

/** How far sources may be apart, in millionths. */
type Tolerance = { disagreeMillionths: bigint };

/** Why there is no price. The cause stays the same while the figures change. */
export type Refusal = { cause: string; detail: string };

/** A market whose best offers are further apart than this part of their middle says nothing about a price. */
const widestSpreadPercent = 10n;
const million = 1_000_000n;

/** The middle of all markets, each counting by its weight, unless one of them says something else. */
export function fairPrice(
  sightings: readonly Sighting[],
  cross: { source: string; priceE18: bigint } | undefined,
  tolerance: Tolerance,
): { priceE18: PriceE18 } | Refusal {
  const priceE18 = weightedMid(sightings);
  const strangers = sightings.filter((each) => isApart(weightedMid([each]), priceE18, tolerance));
  if (strangers.length > 0) {
    const names = strangers.map(({ market }) => market).join(", ");
    return { cause: "markets disagree", detail: `${names} is too far from the other markets` };
  }
  if (cross && isApart(cross.priceE18, priceE18, tolerance)) {
    return {
      cause: "the decentralized exchange disagrees",
      detail: `${cross.source} is too far from the markets`,
    };
  }
  return { priceE18: asPriceE18(priceE18) };
}

/** The weighted middle of best bids and asks, cut off after 18 decimals. */
export function weightedMid(sightings: readonly Sighting[]): bigint {
  let weights = 0n;
  let sum = 0n;
  for (const { bidE18, askE18, weight } of sightings) {
    weights += weight;
    sum += weight * (bidE18 + askE18);
  }
  return sum / (2n * weights);
}

/** Reads what a market says; nothing when its figures make no price. */
export function readSighting(quote: {
  market: string;
  bid: string;
  ask: string;
  volume: string;
}): Sighting | undefined {
  const [bidE18, askE18] = [parseDecimal(quote.bid, 18), parseDecimal(quote.ask, 18)];
  const volume = parseDecimal(quote.volume, 18);
  if (!bidE18 || !askE18 || volume === undefined) return undefined;
  const isWide = 200n * (askE18 - bidE18) > widestSpreadPercent * (askE18 + bidE18);
  if (bidE18 > askE18 || isWide) return undefined;
  return { market: quote.market, bidE18, askE18, weight: volume || 1n };
}

function isApart(one: bigint, other: bigint, { disagreeMillionths }: Tolerance): boolean {
  const gap = one > other ? one - other : other - one;
  return gap * million > disagreeMillionths * other;
}
