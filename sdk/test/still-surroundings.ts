import type { Surroundings } from "../src/surroundings.ts";

/** Surroundings in which pauses take no time and are written down, and nothing happens by chance. */
export function stillSurroundings(given: Partial<Surroundings> = {}) {
  const pauses: number[] = [];
  let keys = 0;
  const surroundings: Surroundings = {
    now: () => 1_700_000_000_000,
    random: () => 1,
    uniqueText: () => `key-${++keys}`,
    after(ms, callback) {
      let isCancelled = false;
      // What is cancelled in time was no pause.
      setImmediate(() => {
        if (isCancelled) return;
        pauses.push(ms);
        callback();
      });
      return () => {
        isCancelled = true;
      };
    },
    ...given,
  };
  return { surroundings, pauses };
}
