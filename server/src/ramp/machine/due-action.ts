import {
  acceptanceAlertMs,
  confirmationAlertMs,
  holdRetryMs,
  payoutAttemptsMost,
  payoutRetryMs,
  queueAlertMs,
  reviewAlertMs,
} from "../policy.ts";
import type { DueAction } from "../step.ts";
import type { Ramp, State } from "../transaction.ts";
import { passingReasons } from "./holds.ts";

/** When a transaction needs attention again, in Unix milliseconds, and what has to be done then. */
type Due = { at: number; action: DueAction };

/** What comes next if nobody does anything; null when that is nothing. */
export function dueOf(ramp: Ramp): Due | null {
  return dueInState[ramp.state](ramp);
}

const expiry = (ramp: Ramp): Due => ({ at: ramp.expiresAt, action: "expire" });

const after =
  (delayMs: number, action: DueAction) =>
  ({ updatedAt }: Ramp): Due => ({ at: updatedAt + delayMs, action });

/** At once, or after a while when it stands still for a cause that passes. */
const work =
  (action: DueAction) =>
  (ramp: Ramp): Due =>
    after(ramp.reason !== null && passingReasons.has(ramp.reason) ? holdRetryMs : 0, action)(ramp);

const operatorAlert = after(reviewAlertMs, "alert");

/** Every state, so that no open transaction can be forgotten. */
const dueInState: Record<State, (ramp: Ramp) => Due | null> = {
  AWAITING_FUNDS: expiry,
  FUNDS_RECEIVED: work("price"),
  PRICED: work("queue_payout"),

  AWAITING_DEPOSIT: expiry,
  DEPOSIT_SEEN: operatorAlert,
  DEPOSIT_FINAL: work("price"),
  CONVERTED: work("queue_payout"),
  PAYOUT_RETURNED: decision,
  RETURNED_AFTER_COMPLETION: operatorAlert,
  WRITTEN_OFF: () => null,

  IN_REVIEW: decision,
  PAYOUT_QUEUED: queued,
  PAYOUT_SUBMITTED: submitted,
  PAYOUT_FAILED: failed,
  COMPLETED: () => null,
  EXPIRED: () => null,
  CANCELED: () => null,
  REFUND_PENDING: (ramp) => (ramp.payoutId === null ? work("queue_refund")(ramp) : queued(ramp)),
  REFUND_SUBMITTED: confirmation,
  REFUND_FAILED: operatorAlert,
  REFUNDED: () => null,
};

function decision(ramp: Ramp): Due {
  if (ramp.deadlineAt === null) return operatorAlert(ramp);
  return { at: ramp.deadlineAt, action: "order_refund" };
}

function queued(ramp: Ramp): Due {
  const sendAt = Math.max(ramp.updatedAt, ramp.settlement?.sendAt ?? 0);
  return { at: sendAt + queueAlertMs, action: "alert" };
}

/** An ACH payment is delivered when its window has closed, if the bank has confirmed it by then. */
function submitted(ramp: Ramp): Due {
  const closesAt = ramp.settlement?.windowClosesAt ?? null;
  const isTaken = ramp.isSettled || ramp.trace !== null;
  if (closesAt === null || !isTaken) return confirmation(ramp);
  const at = Math.max(ramp.updatedAt, closesAt);
  return { at, action: ramp.isSettled ? "close_window" : "alert" };
}

function confirmation(ramp: Ramp): Due {
  return after(ramp.trace === null ? acceptanceAlertMs : confirmationAlertMs, "alert")(ramp);
}

function failed(ramp: Ramp): Due {
  if (ramp.payoutCount >= payoutAttemptsMost) return operatorAlert(ramp);
  return after(payoutRetryMs, "queue_payout")(ramp);
}
