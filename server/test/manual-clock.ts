import type { Clock } from "../src/lib/clock.ts";

/** A clock that stands still until it is moved. Sleeping takes no time. */
export function manualClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    sleep: () => Promise.resolve(),
    advance(ms) {
      now += ms;
    },
  };
}
