import type { Clock } from "../lib/clock.ts";

/** Microseconds since 1970 fit below 2^53 until the year 2255. */
const perMillisecond = 1_000;

/** Numbers the states of books. */
export type Nonces = {
  /** The number of the state that a whole book or a change leads to; `own` is the exchange's, where it has one. */
  next(market: string, kind: "whole" | "change", own: number | undefined): number;
  /** The number of the state that was numbered last. */
  last(market: string): number | undefined;
};

/**
 * Numbers never go back, also over a restart: where the exchange has none of its own they start from the time, and
 * no book changes a thousand times a millisecond.
 */
export function openNonces(clock: Clock): Nonces {
  const lastOf = new Map<string, number>();

  function next(last: number, kind: "whole" | "change", own: number | undefined): number {
    if (own === undefined) {
      return kind === "change" ? last + 1 : Math.max(last + 1, clock.now() * perMillisecond);
    }
    // Told twice, the same state keeps its number; an exchange that starts anew does not take us back.
    if (kind === "whole" && own === last) return own;
    return Math.max(own, last + 1);
  }

  return {
    next(market, kind, own) {
      const number = next(lastOf.get(market) ?? 0, kind, own);
      lastOf.set(market, number);
      return number;
    },
    last: (market) => lastOf.get(market),
  };
}
