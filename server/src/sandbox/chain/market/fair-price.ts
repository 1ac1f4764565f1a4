import { hashOf } from "./chance.ts";

/** How an asset's price in dollars moves. */
type Movement = {
  usd: number;
  /** Deviation of a day's change. */
  dailyVolatility: number;
  /** How much of that it shares with the market as a whole, from 0 to 1. */
  withMarket: number;
  /** Over longer times than this it comes back to where it was. */
  returnsInDays: number;
};

/** What has a price in the sandbox. */
export const movements = {
  ETH: { usd: 3_400, dailyVolatility: 0.03, withMarket: 0.8, returnsInDays: 32 },
  BTC: { usd: 100_000, dailyVolatility: 0.022, withMarket: 0.9, returnsInDays: 32 },
  LINK: { usd: 18, dailyVolatility: 0.045, withMarket: 0.7, returnsInDays: 32 },
  MKR: { usd: 1_500, dailyVolatility: 0.04, withMarket: 0.5, returnsInDays: 32 },
  SOL: { usd: 160, dailyVolatility: 0.042, withMarket: 0.75, returnsInDays: 32 },
  XRP: { usd: 2.2, dailyVolatility: 0.038, withMarket: 0.6, returnsInDays: 32 },
  ADA: { usd: 0.62, dailyVolatility: 0.042, withMarket: 0.7, returnsInDays: 32 },
  DOGE: { usd: 0.19, dailyVolatility: 0.05, withMarket: 0.6, returnsInDays: 32 },
  LTC: { usd: 92, dailyVolatility: 0.036, withMarket: 0.7, returnsInDays: 32 },
  BCH: { usd: 430, dailyVolatility: 0.04, withMarket: 0.7, returnsInDays: 32 },
  ETC: { usd: 19, dailyVolatility: 0.04, withMarket: 0.7, returnsInDays: 32 },
  XLM: { usd: 0.27, dailyVolatility: 0.042, withMarket: 0.6, returnsInDays: 32 },
  DOT: { usd: 4.1, dailyVolatility: 0.044, withMarket: 0.75, returnsInDays: 32 },
  AVAX: { usd: 22, dailyVolatility: 0.046, withMarket: 0.75, returnsInDays: 32 },
  ATOM: { usd: 4.4, dailyVolatility: 0.042, withMarket: 0.7, returnsInDays: 32 },
  UNI: { usd: 7.4, dailyVolatility: 0.048, withMarket: 0.7, returnsInDays: 32 },
  AAVE: { usd: 260, dailyVolatility: 0.048, withMarket: 0.7, returnsInDays: 32 },
  ALGO: { usd: 0.21, dailyVolatility: 0.044, withMarket: 0.7, returnsInDays: 32 },
  FIL: { usd: 2.6, dailyVolatility: 0.045, withMarket: 0.7, returnsInDays: 32 },
  NEAR: { usd: 2.5, dailyVolatility: 0.048, withMarket: 0.7, returnsInDays: 32 },
  EUR: { usd: 1.1, dailyVolatility: 0.004, withMarket: 0, returnsInDays: 32 },
  USD: { usd: 1, dailyVolatility: 0, withMarket: 0, returnsInDays: 1 },
  USDC: { usd: 1, dailyVolatility: 0, withMarket: 0, returnsInDays: 1 },
  USDT: { usd: 1, dailyVolatility: 0.0006, withMarket: 0, returnsInDays: 1 },
  DAI: { usd: 1, dailyVolatility: 0.0004, withMarket: 0, returnsInDays: 1 },
  KELP: { usd: 0.0021, dailyVolatility: 0.12, withMarket: 0.2, returnsInDays: 16 },
  BARNACLE: { usd: 0.000_034, dailyVolatility: 0.15, withMarket: 0.2, returnsInDays: 16 },
} as const satisfies Record<string, Movement>;

export type Asset = keyof typeof movements;

/** What all chance in the sandbox of the service comes from. */
export const sandboxSeed = 1_559;

const secondsInDay = 86_400;
const shortestDays = 2 ** -13;
const marketName = 1;

/**
 * What an asset is worth in dollars at a moment, by nobody's order book: traders of the sandbox agree on it, and pools
 * and exchanges follow. It needs no memory: any moment can be asked for, in any order, in any process.
 */
export function fairPrice(seed: number, asset: Asset, unixSeconds: number): number {
  return fairPrices(seed, asset)(unixSeconds);
}

/** The same for whoever asks for many moments: quick when each is near the one before. */
export function fairPrices(seed: number, asset: Asset): (unixSeconds: number) => number {
  const { usd, dailyVolatility, withMarket, returnsInDays }: Movement = movements[asset];
  if (dailyVolatility === 0) return () => usd;
  const shared = walk(hashOf(seed, marketName), returnsInDays);
  const own = walk(hashOf(seed, ...Buffer.from(asset)), returnsInDays);
  const alone = Math.sqrt(1 - withMarket ** 2);
  return (unixSeconds) => {
    const days = unixSeconds / secondsInDay;
    const moved = withMarket * shared(days) + alone * own(days);
    return usd * Math.exp(dailyVolatility * moved);
  };
}

/**
 * Where a walk is that moves by about 1 in a day, by the square root of the time in less, and that comes back.
 * It is a sum of waves, each half as long as the one before and lower by the square root of 2.
 */
function walk(seed: number, longestDays: number): (days: number) => number {
  // Waves shorter and longer than a span each add to how far the sum moves in it: by 6 times the square, together.
  const height = 1 / Math.sqrt(6);
  const waves: { length: number; height: number; at: (position: number) => number }[] = [];
  for (let length = longestDays; length >= shortestDays; length /= 2) {
    const at = wave(hashOf(seed, Math.log2(length)));
    waves.push({ length, height: height * Math.sqrt(length), at });
  }
  return (days) => {
    let sum = 0;
    for (const { length, height, at } of waves) sum += height * at(days / length);
    return sum;
  };
}

/** A smooth line through random heights, one at every whole number. */
function wave(seed: number): (position: number) => number {
  let left = Number.NaN;
  let leftHeight = 0;
  let rightHeight = 0;
  return (position) => {
    const floor = Math.floor(position);
    if (floor !== left) {
      left = floor;
      leftHeight = heightAt(seed, left);
      rightHeight = heightAt(seed, left + 1);
    }
    const part = position - left;
    const blend = part * part * (3 - 2 * part);
    return leftHeight * (1 - blend) + rightHeight * blend;
  };
}

/** Evenly spread around 0, with deviation 1. */
function heightAt(seed: number, position: number): number {
  return (hashOf(seed, position) / 2 ** 32 - 0.5) * Math.sqrt(12);
}
