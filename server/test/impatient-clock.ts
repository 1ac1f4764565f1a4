import { type Clock, systemClock } from "../src/lib/clock.ts";

const longestMs = 20;

/** The real clock, but nobody sleeps longer than this, whatever they intended. */
export const impatientClock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, longestMs), signal),
};
