import type { Ramp } from "../transaction.ts";

/** Where a transaction stands, in words, and what lets it go on. */
export function explain(ramp: Ramp): { explanation: string; unblockedBy: string | null } {
  return { explanation: ramp.state, unblockedBy: null };
}
