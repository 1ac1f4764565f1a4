import { addOpenDays, bankCalendar, newYorkDay, newYorkTime } from "../../lib/calendar.ts";
import { acceptWaitMs, thirdPartyReviewBusinessDays, topUpWaitMs } from "../policy.ts";
import type { Actor, Order } from "../step.ts";
import type { Ramp, Reason, State } from "../transaction.ts";
import type { Outcome, StepOf } from "./transition.ts";

/** Causes that pass by themselves: the transaction stays where it is and is tried again. */
export const passingReasons: ReadonlySet<Reason> = new Set<Reason>([
  "screening_unavailable",
  "price_unavailable",
  "peg_guard",
  "liquidity",
]);

/** Causes that somebody has to look at. */
const reviewReasons: ReadonlySet<Reason> = new Set<Reason>([
  "third_party_sender",
  "sanctioned",
  "unregistered_sender",
  "below_minimum",
  "above_maximum",
  "above_account_limit",
  "late_funds",
  "price_moved",
  "recalled",
  "operator",
]);

/** Causes whose place no other takes: what may be done then depends on them. */
const lastingReasons: ReadonlySet<Reason> = new Set<Reason>(["sanctioned", "returned_by_receiver"]);

/** Where a transaction can wait for a cause to pass. */
const waitingStates: ReadonlySet<State> = new Set<State>([
  "FUNDS_RECEIVED",
  "PRICED",
  "DEPOSIT_FINAL",
  "CONVERTED",
  "PAYOUT_FAILED",
]);

/** What is stopped, and why. It was stopped when it first left its usual path. */
export function flag<R extends Ramp>(ramp: R, reason: Reason, at: number): R {
  return { ...ramp, reason, flaggedAt: ramp.flaggedAt ?? at, deadlineAt: null };
}

/** What goes on. Money that came back after it had been delivered is a problem until it is delivered again. */
export function unflag<R extends Ramp>(ramp: R): R {
  return ramp.completedAt === null
    ? { ...ramp, reason: null, flaggedAt: null, deadlineAt: null }
    : { ...ramp, reason: "late_return", deadlineAt: null };
}

/** What waits for a decision, and until when; the same question again does not give more time. */
export function review<R extends Ramp>(ramp: R, reason: Reason, at: number): R {
  const isSame = ramp.state === "IN_REVIEW" && ramp.reason === reason;
  const deadlineAt = isSame ? ramp.deadlineAt : deadlineOf(reason, at);
  return { ...flag(ramp, reason, at), state: "IN_REVIEW", deadlineAt };
}

/** 17:00 in New York, so many open days later. */
export function openDaysAfter(at: number, count: number): number {
  return newYorkTime(addOpenDays(bankCalendar(), newYorkDay(at), count), 17);
}

/** Stops a transaction, where it stands when the cause passes by itself, otherwise for a review. */
export function hold<R extends Ramp>(ramp: R, { reason }: StepOf["held"], at: number): Outcome<R> {
  if (passingReasons.has(reason)) {
    // A refund is stopped anyway, keeps its cause, and is tried again.
    if (ramp.state === "REFUND_PENDING") return "known";
    if (!waitingStates.has(ramp.state)) return "impossible";
    return ramp.reason === reason ? "known" : { ramp: flag(ramp, reason, at) };
  }
  if (!reviewReasons.has(reason)) return "impossible";
  const heldFor = ramp.state === "IN_REVIEW" ? ramp.reason : null;
  if (heldFor !== null && (heldFor === reason || lastingReasons.has(heldFor))) return "known";
  return { ramp: withoutPayout(review(ramp, reason, at)), orders: cancelOrders(ramp) };
}

/** Lets a transaction go on from where its money is. A refund is still one, and stays flagged as one. */
export function release<R extends Ramp>(ramp: R, { by }: StepOf["released"]): Outcome<R> {
  const { reason } = ramp;
  if (reason === null || !mayRelease(ramp.state, reason, by)) return "impossible";
  // An accepted price is compared with the market once more: that question is not answered for good.
  const isAskedAgain = reason === "price_moved" || passingReasons.has(reason);
  const cleared = isAskedAgain ? ramp.cleared : [...new Set([...ramp.cleared, reason])];
  const next = { ...withoutPayout(ramp), cleared, deadlineAt: null };
  return ramp.isRefund
    ? { ramp: { ...next, state: "REFUND_PENDING", reason: "operator" } }
    : { ramp: { ...unflag(next), state: stateOfMoney(ramp) } };
}

/** Whether a refund may be ordered: never of frozen money, and by a timer only once its time has come. */
export function mayRefund(ramp: Ramp, by: Actor, at: number): boolean {
  if (ramp.reason === "sanctioned") return false;
  return by !== "policy" || (ramp.deadlineAt !== null && at >= ramp.deadlineAt);
}

/** Calls back a payout that has not been handed over. */
export function cancelOrders({ state, payoutId }: Ramp): Order[] {
  const isQueued = state === "PAYOUT_QUEUED" || state === "REFUND_PENDING";
  return isQueued && payoutId !== null ? [{ kind: "cancel_payout", payoutId }] : [];
}

/** With no payout queued or under way. */
export function withoutPayout<R extends Ramp>(ramp: R): R {
  return {
    ...ramp,
    payoutId: null,
    payoutAmount: null,
    trace: null,
    settlement: null,
    isSettled: false,
  };
}

function mayRelease(state: State, reason: Reason, by: Actor): boolean {
  if (by === "customer") return state === "IN_REVIEW" && reason === "price_moved";
  if (state === "IN_REVIEW" || state === "PAYOUT_FAILED") return by !== "policy";
  return passingReasons.has(reason);
}

/** How far a transaction has come, as its money says. */
function stateOfMoney(ramp: Ramp) {
  if (ramp.type === "ON_RAMP") return ramp.heldUnits > 0n ? "PRICED" : "FUNDS_RECEIVED";
  if (ramp.heldCents > 0n) return "CONVERTED";
  return Object.values(ramp.deposits).every(({ isFinal }) => isFinal)
    ? "DEPOSIT_FINAL"
    : "DEPOSIT_SEEN";
}

function deadlineOf(reason: Reason, at: number): number | null {
  if (reason === "below_minimum") return at + topUpWaitMs;
  if (reason === "price_moved") return at + acceptWaitMs;
  return reason === "third_party_sender" ? openDaysAfter(at, thirdPartyReviewBusinessDays) : null;
}
