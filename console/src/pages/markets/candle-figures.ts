import type { CexCandle } from "@slipway/sdk";
import type { Candle } from "../../charts/candle-chart.tsx";
import { changeOf } from "../../lib/figures.ts";

const dayMs = 86_400_000;

/** What the last day was like, from hourly candles, the newest first. */
export type DayFigures = { change: number | undefined; high: number; low: number; volume: number };

/** The last 24 whole hours and the running one. */
export function dayFigures(hours: readonly CexCandle[], price: number): DayFigures | undefined {
  const newest = hours[0];
  if (!newest) return undefined;
  const start = Number(newest.timestamp) - dayMs;
  const day = hours.filter(({ timestamp }) => Number(timestamp) >= start);
  const first = day.at(-1);
  return {
    change: Number(first?.timestamp) === start ? changeOf(first?.o, price) : undefined,
    high: Math.max(price, ...day.map(({ h }) => h)),
    low: Math.min(price, ...day.map(({ l }) => l)),
    volume: day.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** Candles, the newest first, with one that the stream told: it replaces its older self, or begins a new time. */
export function withCandle(
  candles: readonly CexCandle[],
  told: CexCandle | undefined,
): readonly CexCandle[] {
  const newest = candles[0];
  if (!told || !newest) return candles;
  const age = Number(told.timestamp) - Number(newest.timestamp);
  if (age < 0) return candles;
  return age === 0 ? [told, ...candles.slice(1)] : [told, ...candles];
}

/** As they are drawn: the oldest first. */
export function drawnCandles(candles: readonly CexCandle[]): Candle[] {
  return candles
    .map(({ timestamp, o, h, l, c, volume }) => ({
      time: Number(timestamp) / 1_000,
      open: o,
      high: h,
      low: l,
      close: c,
      volume,
    }))
    .reverse();
}
