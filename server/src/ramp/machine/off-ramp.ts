import { repriceToleranceE4 } from "../policy.ts";
import { grossCents } from "../pricing.ts";
import type { OffRamp } from "../transaction.ts";
import { faultOf, finishDeposit, loseDeposit, netCents, priceOf, seeDeposit } from "./deposits.ts";
import { flag, hold, release, review, unflag, withoutPayout } from "./holds.ts";
import { feeMove, movesOf, sale } from "./money-moves.ts";
import { orderSaleRefund } from "./off-ramp-refund.ts";
import { isUnexplained, releaseReturn, returnPayout } from "./off-ramp-returns.ts";
import {
  acceptPayout,
  complete,
  failPayout,
  failRefund,
  queuePayout,
  queueRefund,
  retryRefund,
  settlePayout,
  settleRefund,
  startPayout,
  startRefund,
  writeOff,
} from "./payouts.ts";
import type { Outcome, StepOf, Transitions } from "./transition.ts";

const deposits = {
  deposit_seen: seeDeposit,
  deposit_final: finishDeposit,
  deposit_gone: loseDeposit,
} as const;

/** Everything that can happen to a sale of crypto. What is not in this table cannot happen. */
export const offRampTransitions: Transitions<OffRamp> = {
  AWAITING_DEPOSIT: {
    deposit_seen: seeDeposit,
    deposit_final: finishDeposit,
    wrong_token: noteWrongToken,
    expired: expire,
    canceled: cancel,
  },
  DEPOSIT_SEEN: deposits,
  DEPOSIT_FINAL: {
    ...deposits,
    priced: sell,
    held: hold,
    released: release,
    refund_ordered: orderSaleRefund,
  },
  IN_REVIEW: {
    ...deposits,
    held: hold,
    released: releaseSale,
    refund_ordered: orderSaleRefund,
  },
  CONVERTED: {
    payout_queued: queuePayout,
    held: hold,
    released: release,
    refund_ordered: orderSaleRefund,
  },
  PAYOUT_QUEUED: { payout_started: startPayout, held: hold, refund_ordered: orderSaleRefund },
  PAYOUT_SUBMITTED: {
    payout_accepted: acceptPayout,
    payout_settled: settlePayout,
    payout_failed: failPayout,
    payout_returned: returnPayout,
    window_closed: closeWindow,
  },
  PAYOUT_FAILED: {
    payout_queued: queuePayout,
    account_replaced: replaceAccount,
    held: hold,
    released: release,
    refund_ordered: orderSaleRefund,
  },
  PAYOUT_RETURNED: {
    account_replaced: replaceAccount,
    released: releaseReturn,
    refund_ordered: orderSaleRefund,
    written_off: writeOffUnexplained,
  },
  COMPLETED: { payout_returned: returnPayout },
  RETURNED_AFTER_COMPLETION: {
    account_replaced: replaceAccount,
    released: releaseReturn,
    refund_ordered: orderSaleRefund,
    written_off: writeOff,
  },
  EXPIRED: { deposit_seen: seeDeposit, deposit_final: finishDeposit },
  CANCELED: { deposit_seen: seeDeposit, deposit_final: finishDeposit },
  REFUND_PENDING: { refund_queued: queueRefund, refund_started: startRefund, held: hold },
  REFUND_SUBMITTED: {
    refund_accepted: acceptPayout,
    refund_settled: settleRefund,
    refund_failed: failRefund,
  },
  REFUND_FAILED: { refund_ordered: retryRefund, released: retryRefund, written_off: writeOff },
  REFUNDED: {},
  WRITTEN_OFF: {},
};

/** Sells what came: for the price it was promised if that still holds, otherwise for today's. */
function sell(ramp: OffRamp, step: StepOf["priced"], at: number): Outcome<OffRamp> {
  const { heldUnits: units, token, depositedAt } = ramp;
  const promised = priceOf(ramp);
  const isLocked = depositedAt !== null && depositedAt <= ramp.lockedUntil;
  const priceE18 = ramp.isStablecoin || isLocked ? promised : step.priceE18;
  const gross = grossCents(units, priceE18, token.decimals);
  const cents = netCents(ramp, units, priceE18);
  const fault = faultOf(ramp, units, priceE18);
  if (fault) return { ramp: review(ramp, fault, at) };
  if (cents * 10_000n < netCents(ramp, units, promised) * (10_000n - repriceToleranceE4)) {
    return { ramp: review({ ...ramp, priceE18, cents }, "price_moved", at) };
  }
  return {
    ramp: { ...unflag(ramp), state: "CONVERTED", priceE18, units, cents, grossCents: gross },
    moves: [...sale(ramp, units, gross, priceE18), ...movesOf(feeMove(ramp))],
    events: ["priced"],
  };
}

/** What leaves nothing to pay out cannot be let through, only topped up or sent back; what was frozen can be that again. */
function releaseSale(ramp: OffRamp, step: StepOf["released"], at: number): Outcome<OffRamp> {
  if (ramp.reason === "returned_by_receiver") return releaseReturn(ramp, step, at);
  const isToBeSold = ramp.heldCents === 0n && !ramp.isRefund;
  const isWorthless = isToBeSold && netCents(ramp, ramp.heldUnits, priceOf(ramp)) === 0n;
  const released = release(ramp, step);
  if (!isWorthless || typeof released === "string") return released;
  if (ramp.reason !== "sanctioned") return "impossible";
  const { cleared } = released.ramp;
  return { ramp: review({ ...ramp, cleared }, "below_minimum", at) };
}

/** An ACH payment that nobody sent back in time is delivered. */
function closeWindow(ramp: OffRamp, _: StepOf["window_closed"], at: number): Outcome<OffRamp> {
  const closesAt = ramp.settlement?.windowClosesAt ?? null;
  if (closesAt === null || at < closesAt || !ramp.isSettled) return "impossible";
  return complete(ramp, at);
}

/** Money that did not arrive is paid out once more, to the account that the customer names now. */
function replaceAccount(
  ramp: OffRamp,
  { bankAccountId }: StepOf["account_replaced"],
): Outcome<OffRamp> {
  if (isUnexplained(ramp)) return "impossible";
  return { ramp: { ...withoutPayout(unflag(ramp)), bankAccountId, state: "CONVERTED" } };
}

/** What came back without an explanation lies in suspense, and stays there. */
function writeOffUnexplained(
  ramp: OffRamp,
  step: StepOf["written_off"],
  at: number,
): Outcome<OffRamp> {
  return isUnexplained(ramp) ? writeOff(ramp, step, at) : "impossible";
}

/** It lies in suspense; the transaction still waits for the right one. */
function noteWrongToken(ramp: OffRamp, _: StepOf["wrong_token"], at: number): Outcome<OffRamp> {
  return ramp.reason === "wrong_token" ? "known" : { ramp: flag(ramp, "wrong_token", at) };
}

function expire(ramp: OffRamp, _: StepOf["expired"], at: number): Outcome<OffRamp> {
  if (at < ramp.expiresAt) return "impossible";
  return { ramp: { ...flag(ramp, "expired", at), state: "EXPIRED" }, events: ["expired"] };
}

/** Also ends the promise of a price: only what was in a block before keeps it. */
function cancel(ramp: OffRamp, _: StepOf["canceled"], at: number): Outcome<OffRamp> {
  const lockedUntil = Math.min(ramp.lockedUntil, at);
  const canceled = { ...flag(ramp, "canceled", at), lockedUntil };
  return { ramp: { ...canceled, state: "CANCELED" }, events: ["canceled"] };
}
