import type { Advance, Step } from "../step.ts";
import type { Ramp } from "../transaction.ts";

/** The first step of a transaction: it exists. */
export function start(ramp: Ramp): Advance {
  return {
    ramp: { ...ramp, version: 1 },
    moves: [],
    orders: [],
    events: ["created"],
    dueAt: ramp.expiresAt,
  };
}

/**
 * What a step does to a transaction. "known": it says nothing new. "impossible": it cannot happen to a transaction
 * that stands where this one does.
 */
export function advance(_ramp: Ramp, _step: Step, _at: number): Advance | "known" | "impossible" {
  return "impossible";
}

/** The transaction that a list of steps, beginning with its creation, leads to. */
export function replay(steps: readonly { step: Step; at: number }[]): Ramp {
  const [first] = steps;
  if (first?.step.kind !== "created") throw new Error("A transaction begins with its creation");
  return start(first.step.ramp).ramp;
}
