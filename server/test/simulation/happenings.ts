import type { Clock } from "../../src/lib/clock.ts";

/** What is going to happen outside, each at its time. */
export type Happenings = {
  /** Lets something happen after a while. */
  later(waitMs: number, happen: () => void | Promise<void>): void;
  /** When the next thing happens. */
  nextAt(): number | undefined;
  /** Lets everything happen whose time has come, in order. */
  catchUp(): Promise<void>;
};

/** Opens an empty list. What happens at the same time happens in the order in which it was planned. */
export function openHappenings(clock: Pick<Clock, "now">): Happenings {
  const planned: { at: number; happen: () => void | Promise<void> }[] = [];
  return {
    later(waitMs, happen) {
      const at = clock.now() + waitMs;
      const after = planned.findIndex((one) => one.at > at);
      planned.splice(after < 0 ? planned.length : after, 0, { at, happen });
    },
    nextAt: () => planned[0]?.at,
    async catchUp() {
      while (planned[0] && planned[0].at <= clock.now()) await planned.shift()?.happen();
    },
  };
}
