import type { Clock } from "../src/lib/clock.ts";

/** A clock that stands still until it is moved; whoever sleeps wakes when it has been moved far enough. */
export function steppingClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = start;
  const sleepers = new Set<{ until: number; wake(): void }>();
  return {
    now: () => now,
    sleep(ms, signal) {
      if (signal?.aborted || ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = {
          until: now + ms,
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake);
      });
    },
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    },
  };
}
