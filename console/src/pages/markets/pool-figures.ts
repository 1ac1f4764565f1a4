import type { PoolBar, PoolToken } from "@slipway/sdk";
import type { Candle } from "../../charts/candle-chart.tsx";
import { changeOf, decimal } from "../../lib/figures.ts";

/** Which of the two tokens a price is in: `token1Price` says how much token1 one token0 costs. */
export type PriceOf = "token0" | "token1";

const hourSeconds = 3_600;
/** What others are counted in, the most usual first. */
const measures = ["USDC", "USDT", "DAI", "USD", "WETH", "WBTC"];

/** The side that people look from: the price is counted in dollars where it can be. */
export function usualSide(pool: { token0: PoolToken; token1: PoolToken }): PriceOf {
  return rankOf(pool.token0) < rankOf(pool.token1) ? "token1" : "token0";
}

function rankOf({ symbol }: PoolToken): number {
  const index = measures.indexOf(symbol.toUpperCase());
  return index === -1 ? measures.length : index;
}

/** A fee as people say it: 3000 hundredths of a basis point are 0.3 %. */
export function feeText(feeTier: string): string {
  return `${decimal(Number(feeTier) / 10_000, 4)} %`;
}

/** The price of one token in the other. */
export function priceOf(of: PriceOf, prices: { token0Price: string; token1Price: string }): string {
  return of === "token0" ? prices.token1Price : prices.token0Price;
}

/**
 * Bars as they are drawn, the oldest first. They hold what one token1 costs in token0; seen from the other side every
 * price is one divided by it, so that the highest becomes the lowest.
 */
export function drawnBars(bars: readonly PoolBar[], of: PriceOf): Candle[] {
  return bars
    .map(({ timestamp, o, h, l, c, volumeUSD }) => {
      const [open, high, low, close] = [Number(o), Number(h), Number(l), Number(c)];
      const volume = Number(volumeUSD);
      if (of === "token1") return { time: timestamp, open, high, low, close, volume };
      const flipped = { open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close };
      return { time: timestamp, ...flipped, volume };
    })
    .filter(({ open, high, low, close }) => [open, high, low, close].every(Number.isFinite))
    .reverse();
}

/**
 * How the price moved in so many seconds, from the pool's hours, newest first: since the end of the hour before.
 * Nothing when they do not reach so far.
 */
export function changeSince(
  hours: readonly PoolBar[],
  seconds: number,
  now: number,
  of: PriceOf,
): number | undefined {
  const newest = hours[0];
  const start = startOf(seconds, now);
  const before = hours.find(({ timestamp }) => timestamp < start);
  if (!newest || !before) return undefined;
  return changeOf(priceOf(of, before), priceOf(of, newest));
}

/** What the pool's hours of so many seconds come to together, to be read at a glance. */
export function sumSince(
  hours: readonly PoolBar[],
  field: "volumeUSD" | "feesUSD" | "txCount",
  seconds: number,
  now: number,
): number {
  const start = startOf(seconds, now);
  return hours
    .filter(({ timestamp }) => timestamp >= start)
    .reduce((sum, bar) => sum + Number(bar[field]), 0);
}

function startOf(seconds: number, now: number): number {
  return Math.floor((now - seconds) / hourSeconds) * hourSeconds;
}

/** The bars, newest first, with one that the stream told. */
export function withBar(bars: readonly PoolBar[], told: PoolBar | undefined): readonly PoolBar[] {
  const newest = bars[0];
  if (!told || !newest) return bars;
  if (told.timestamp < newest.timestamp) return bars;
  return told.timestamp === newest.timestamp ? [told, ...bars.slice(1)] : [told, ...bars];
}
