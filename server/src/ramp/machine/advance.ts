import { assert } from "../../lib/errors.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import type { Advance, Move, Step, StepKind, TransactionEvent } from "../step.ts";
import type { Ramp } from "../transaction.ts";
import { dueOf } from "./due-action.ts";
import { insideOf } from "./money-moves.ts";
import { saysNothingNew } from "./nothing-new.ts";
import { offRampTransitions } from "./off-ramp.ts";
import { onRampTransitions } from "./on-ramp.ts";
import type { Change, Handlers, Outcome, StepOf } from "./transition.ts";

/** The first step of a transaction: it exists. */
export function start(ramp: Ramp): Advance {
  const first = { ...ramp, version: 1, updatedAt: ramp.createdAt };
  return {
    ramp: first,
    moves: [],
    orders: [],
    events: ["created"],
    dueAt: dueOf(first)?.at ?? null,
  };
}

/**
 * What a step does to a transaction. "known": it says nothing new. "impossible": it cannot happen to a transaction
 * that stands where this one does.
 */
export function advance(ramp: Ramp, step: Step, at: number): Advance | "known" | "impossible" {
  const outcome =
    ramp.type === "ON_RAMP"
      ? take(onRampTransitions[ramp.state], ramp, step.kind, step, at)
      : take(offRampTransitions[ramp.state], ramp, step.kind, step, at);
  if (outcome === "impossible") return saysNothingNew(ramp, step) ? "known" : "impossible";
  return outcome === "known" ? "known" : finish(ramp, outcome, at);
}

/** The transaction that a list of steps, beginning with its creation, leads to. */
export function replay(steps: readonly { step: Step; at: number }[]): Ramp {
  const [first, ...rest] = steps;
  assert(first?.step.kind === "created", "a transaction begins with its creation");
  let { ramp } = start(first.step.ramp);
  for (const { step, at } of rest) {
    const next = advance(ramp, step, at);
    assert(typeof next === "object", `${ramp.id} took the step ${step.kind} before`);
    ramp = next.ramp;
  }
  return ramp;
}

function take<R extends Ramp, K extends StepKind>(
  handlers: Handlers<R>,
  ramp: R,
  kind: K,
  step: StepOf[K],
  at: number,
): Outcome<R> {
  return handlers[kind]?.(ramp, step, at) ?? "impossible";
}

/** What every step does: count it, note the time, and tell what it means for the customer. */
function finish(before: Ramp, change: Change<Ramp>, at: number): Advance {
  const { moves = [], orders = [], events = [] } = change;
  const ramp: Ramp = {
    ...change.ramp,
    ...heldAfter(before, moves),
    version: before.version + 1,
    updatedAt: at,
  };
  return {
    ramp,
    moves,
    orders,
    events: withFlagEvents(before, ramp, events),
    dueAt: dueOf(ramp)?.at ?? null,
  };
}

/** What is inside a transaction changes by what moves, and by nothing else. */
function heldAfter(ramp: Ramp, moves: readonly Move[]): Pick<Ramp, "heldCents" | "heldUnits"> {
  const inside = insideOf(ramp);
  const gain = (account: string) =>
    moves
      .map(({ amount, from, to }) => (to === account ? amount : from === account ? -amount : 0n))
      .reduce((sum, amount) => sum + amount, 0n);
  const heldCents = asCents(ramp.heldCents + gain(inside.usd));
  const heldUnits = asUnits(ramp.heldUnits + gain(inside.token));
  assert(heldCents >= 0n && heldUnits >= 0n, `${ramp.id} gives no more than it has`);
  return { heldCents, heldUnits };
}

/** Events that say by themselves that a transaction has stopped. */
const stopEvents: readonly TransactionEvent[] = ["expired", "canceled", "returned", "refunded"];

function withFlagEvents(
  before: Ramp,
  after: Ramp,
  events: readonly TransactionEvent[],
): TransactionEvent[] {
  if (after.flaggedAt === null) {
    return before.flaggedAt === null ? [...events] : ["released", ...events];
  }
  const isTold = after.reason === before.reason || events.some((one) => stopEvents.includes(one));
  return isTold ? [...events] : [...events, "flagged"];
}
