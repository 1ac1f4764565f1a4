import type { Clock } from "../src/lib/clock.ts";

/** A clock on which sleeping is over at once, although the time passes: it jumps to when the sleeper wakes. */
export function hastyClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
    sleep(ms, signal) {
      const until = now + ms;
      // Through the event loop, so that a loop of sleepers does not keep the network waiting.
      return new Promise((resolve) =>
        setImmediate(() => {
          if (!signal?.aborted) now = Math.max(now, until);
          resolve();
        }),
      );
    },
  };
}
