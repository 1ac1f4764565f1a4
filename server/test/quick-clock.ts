import { type Clock, systemClock } from "../src/lib/clock.ts";

/** The real clock, running faster: a test of long waits takes this many times less. */
export function quickClock(speed: number): Clock {
  const start = systemClock.now();
  return {
    now: () => start + speed * (systemClock.now() - start),
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}
