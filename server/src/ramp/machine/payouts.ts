import { assert } from "../../lib/errors.ts";
import { payoutAttemptsMost } from "../policy.ts";
import type { Move } from "../step.ts";
import type { Ramp } from "../transaction.ts";
import { flag, unflag, withoutPayout } from "./holds.ts";
import { setAside, type WayOut, wayOut } from "./money-moves.ts";
import type { Change, Outcome, StepOf } from "./transition.ts";

/** Orders the payout to the customer. */
export function queuePayout<R extends Ramp>(
  ramp: R,
  { payoutId, settlement }: StepOf["payout_queued"],
  at: number,
): Outcome<R> {
  const isTriedEnough = ramp.state === "PAYOUT_FAILED" && ramp.payoutCount >= payoutAttemptsMost;
  const isDated = (settlement !== null) === (ramp.type === "OFF_RAMP");
  if (payoutId === ramp.payoutId || isTriedEnough || !isDated) return "impossible";
  const { rail, amount } = wayOut(ramp, "payout");
  const next = { ...withoutPayout(unflag(ramp)), payoutId, settlement, payoutAmount: amount };
  const sendAt = Math.max(at, settlement?.sendAt ?? at);
  return {
    ramp: { ...next, state: "PAYOUT_QUEUED", payoutCount: ramp.payoutCount + 1 },
    orders: [{ kind: "queue_payout", payoutId, purpose: "payout", rail, amount, sendAt }],
  };
}

/** Money leaves for the rail: written down before the rail is called. */
export function startPayout<R extends Ramp>(
  ramp: R,
  { payoutId }: StepOf["payout_started"],
): Outcome<R> {
  if (payoutId !== ramp.payoutId) return "impossible";
  return {
    ramp: { ...ramp, state: "PAYOUT_SUBMITTED" },
    moves: [sent(ramp, wayOut(ramp, "payout"))],
    events: ["payout_submitted"],
  };
}

/** The rail has taken it. */
export function acceptPayout<R extends Ramp>(
  ramp: R,
  { payoutId, trace }: StepOf["payout_accepted"] | StepOf["refund_accepted"],
): Outcome<R> {
  if (payoutId !== ramp.payoutId) return "impossible";
  return ramp.trace === null ? { ramp: { ...ramp, trace } } : "known";
}

/** The rail confirms: delivered, except that a bank can still send an ACH payment back. */
export function settlePayout<R extends Ramp>(
  ramp: R,
  step: StepOf["payout_settled"],
  at: number,
): Outcome<R> {
  if (step.payoutId !== ramp.payoutId) return "impossible";
  if (ramp.isSettled) return "known";
  const settled = {
    ...ramp,
    isSettled: true,
    trace: step.trace ?? ramp.trace,
    settlement: step.settlement ?? ramp.settlement,
  };
  const moves = [confirmed(ramp, wayOut(ramp, "payout"))];
  if (ramp.settlementMethod === "ACH") return { ramp: settled, moves };
  return { ...complete(settled, at), moves };
}

/** The rail refuses, and has not taken the money. */
export function failPayout<R extends Ramp>(
  ramp: R,
  { payoutId }: StepOf["payout_failed"],
  at: number,
): Outcome<R> {
  if (payoutId !== ramp.payoutId || ramp.isSettled) return "impossible";
  const failed = { ...flag(ramp, "payout_refused", at), trace: null };
  return {
    ramp: { ...failed, state: "PAYOUT_FAILED" },
    moves: [takenBack(ramp, wayOut(ramp, "payout"))],
  };
}

/** Delivered. The first time counts, also when it had to be delivered again. */
export function complete<R extends Ramp>(ramp: R, at: number): Change<R> {
  const clear = { reason: null, flaggedAt: null, deadlineAt: null };
  const completedAt = ramp.completedAt ?? at;
  return { ramp: { ...ramp, ...clear, state: "COMPLETED", completedAt }, events: ["completed"] };
}

/** Waits for its refund to be ordered from the rail. */
export function refundPending<R extends Ramp>(ramp: R): R {
  return { ...withoutPayout(ramp), state: "REFUND_PENDING", isRefund: true, deadlineAt: null };
}

/** Tries a refund again that the rail had refused; everything was taken off it the first time. */
export function retryRefund<R extends Ramp>(
  ramp: R,
  { by }: StepOf["refund_ordered"] | StepOf["released"],
): Outcome<R> {
  return by.startsWith("operator:") ? { ramp: refundPending(ramp) } : "impossible";
}

/** Nothing more is done with what is inside; it is kept for whoever can claim it. */
export function writeOff<R extends Ramp>(
  ramp: R,
  _: StepOf["written_off"],
  at: number,
): Outcome<R> {
  const written = withoutPayout(flag(ramp, "written_off", at));
  return { ramp: { ...written, state: "WRITTEN_OFF" }, moves: setAside(ramp) };
}

/** Orders the refund from the rail. */
export function queueRefund<R extends Ramp>(
  ramp: R,
  { payoutId }: StepOf["refund_queued"],
  at: number,
): Outcome<R> {
  if (ramp.payoutId !== null) return ramp.payoutId === payoutId ? "known" : "impossible";
  const { rail, amount } = wayOut(ramp, "refund");
  return {
    ramp: { ...ramp, payoutId, payoutAmount: amount, payoutCount: ramp.payoutCount + 1 },
    orders: [{ kind: "queue_payout", payoutId, purpose: "refund", rail, amount, sendAt: at }],
  };
}

/** The refund leaves for the rail: written down before the rail is called. */
export function startRefund<R extends Ramp>(
  ramp: R,
  { payoutId }: StepOf["refund_started"],
): Outcome<R> {
  if (payoutId !== ramp.payoutId) return "impossible";
  return {
    ramp: { ...ramp, state: "REFUND_SUBMITTED" },
    moves: [sent(ramp, wayOut(ramp, "refund"))],
  };
}

/** The refund has arrived. */
export function settleRefund<R extends Ramp>(ramp: R, step: StepOf["refund_settled"]): Outcome<R> {
  if (step.payoutId !== ramp.payoutId) return "impossible";
  const settled = { ...ramp, isSettled: true, trace: step.trace ?? ramp.trace };
  return {
    ramp: { ...settled, state: "REFUNDED" },
    moves: [confirmed(ramp, wayOut(ramp, "refund"))],
    events: ["refunded"],
  };
}

/** The rail refuses the refund, and has not taken the money. */
export function failRefund<R extends Ramp>(
  ramp: R,
  { payoutId }: StepOf["refund_failed"],
): Outcome<R> {
  if (payoutId !== ramp.payoutId) return "impossible";
  return {
    ramp: { ...ramp, state: "REFUND_FAILED", trace: null },
    moves: [takenBack(ramp, wayOut(ramp, "refund"))],
  };
}

/** Money of a payout comes back from the bank, which had confirmed it or not. */
export function cameBack(ramp: Ramp): Move {
  const way = wayOut(ramp, "payout");
  return { ...takenBack(ramp, way), from: ramp.isSettled ? way.ours : way.out };
}

function sent(ramp: Ramp, { asset, inside, out }: WayOut): Move {
  return { asset, amount: payoutAmountOf(ramp), from: inside, to: out };
}

function confirmed(ramp: Ramp, { asset, out, ours }: WayOut): Move {
  return { asset, amount: payoutAmountOf(ramp), from: out, to: ours };
}

function takenBack(ramp: Ramp, { asset, inside, out }: WayOut): Move {
  return { asset, amount: payoutAmountOf(ramp), from: out, to: inside };
}

function payoutAmountOf({ id, payoutAmount }: Ramp): bigint {
  assert(payoutAmount !== null, `${id} knows what its payout takes out`);
  return payoutAmount;
}
