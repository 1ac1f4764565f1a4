import type { Random } from "../../lib/random.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long to wait before each attempt after the first; three days together. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** How long the next event of a transaction waits for the one before. */
export const orderWaitMs = hourMs;

/** An endpoint to which nothing got through for this long gets nothing any more. */
export const failingMostMs = 5 * 24 * hourMs;

/** How long an old secret signs beside the new one. */
export const secretOverlapMs = 24 * hourMs;

/** How long to wait after so many attempts, up to a tenth longer by chance; nothing when that was the last. */
export function pauseAfter(attempts: number, random: Random): number | undefined {
  const pauseMs = pausesMs[attempts - 1];
  return pauseMs === undefined ? undefined : pauseMs + random.below(pauseMs / 10 + 1);
}
