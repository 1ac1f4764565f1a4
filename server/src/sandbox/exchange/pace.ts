import { setImmediate } from "node:timers/promises";
import { monotonicMs } from "../../lib/clock.ts";

const sliceMs = 10;

/** For long work: awaited between its parts, it lets others have their turn whenever some time has passed. */
export function newPace(): () => Promise<void> | undefined {
  let since = monotonicMs();
  return () => {
    if (monotonicMs() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = monotonicMs();
    });
  };
}
