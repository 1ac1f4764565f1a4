import type { Timeframe } from "@slipway/sdk";
import { timeframes } from "../cex/timeframes.ts";

const daySeconds = 86_400;

/** What charts call the spans of candles: minutes, or `1D`. By their seconds, and so in the same order. */
const namesBySeconds = new Map(
  [...timeframes.values()].map((seconds) => [seconds, nameOf(seconds)]),
);

const dexTimeframes = new Map<string, { timeframe: Timeframe; seconds: number }>([
  ["60", { timeframe: "hour", seconds: 3_600 }],
  ["1D", { timeframe: "day", seconds: daySeconds }],
]);

/** The resolutions in which markets of centralized exchanges are told. */
export const cexResolutions: readonly string[] = [...namesBySeconds.values()];

/** The resolutions in which pools are told. */
export const dexResolutions: readonly string[] = [...dexTimeframes.keys()];

/** The timeframe of a resolution, and its seconds. */
export function cexTimeframe(
  resolution: string,
): { timeframe: string; seconds: number } | undefined {
  const name = usualName(resolution);
  for (const [timeframe, seconds] of timeframes) {
    if (namesBySeconds.get(seconds) === name) return { timeframe, seconds };
  }
  return undefined;
}

/** The same for the bars of a pool. */
export function dexTimeframe(resolution: string) {
  return dexTimeframes.get(usualName(resolution));
}

/** A day has several names. */
function usualName(resolution: string): string {
  return /^1?d$/i.test(resolution) || resolution === "1440" ? "1D" : resolution;
}

function nameOf(seconds: number): string {
  return seconds === daySeconds ? "1D" : String(seconds / 60);
}
