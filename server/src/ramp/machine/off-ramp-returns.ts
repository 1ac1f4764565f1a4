import { ledgerAccounts, usd } from "../ledger/accounts.ts";
import { returnWaitBusinessDays } from "../policy.ts";
import type { Order } from "../step.ts";
import type { OffRamp } from "../transaction.ts";
import { flag, openDaysAfter, review } from "./holds.ts";
import { cameBack } from "./payouts.ts";
import type { Outcome, StepOf } from "./transition.ts";

/** The bank sends the money back, before or after we took it for delivered. */
export function returnPayout(
  ramp: OffRamp,
  step: StepOf["payout_returned"],
  at: number,
): Outcome<OffRamp> {
  const { payoutId, code, isAccountAtFault } = step;
  if (payoutId !== ramp.payoutId) return "impossible";
  const { bankAccountId } = ramp;
  const orders: Order[] = isAccountAtFault
    ? [{ kind: "stop_bank_account", bankAccountId, code }]
    : [];
  const isFeeEarned = ramp.isFeeEarned || isAccountAtFault;
  const after = { ...afterReturn(ramp, step, at), isFeeEarned };
  const move = cameBack(ramp);
  return {
    ramp: after,
    moves: [isUnexplained(after) ? { ...move, to: suspense } : move],
    orders,
    events: ["returned"],
  };
}

const suspense = ledgerAccounts.suspense(usd);

/** What came back late is a problem of its own, whoever is to blame; what nobody can explain is that first. */
function afterReturn(ramp: OffRamp, step: StepOf["payout_returned"], at: number): OffRamp {
  const state = ramp.state === "COMPLETED" ? "RETURNED_AFTER_COMPLETION" : "PAYOUT_RETURNED";
  if (step.review === "unexplained_return") return { ...flag(ramp, step.review, at), state };
  if (step.review && state === "PAYOUT_RETURNED") return review(ramp, step.review, at);
  return returned(ramp, state, at);
}

/** Money that came back waits for another account: with a deadline, unless it had been delivered. */
function returned(
  ramp: OffRamp,
  state: "PAYOUT_RETURNED" | "RETURNED_AFTER_COMPLETION",
  at: number,
): OffRamp {
  if (state === "RETURNED_AFTER_COMPLETION") return { ...flag(ramp, "late_return", at), state };
  const deadlineAt = openDaysAfter(at, returnWaitBusinessDays);
  return { ...flag(ramp, "payout_returned", at), state, deadlineAt };
}

/** An operator has looked at a return: it is one like any other. What lay in suspense is inside from now on. */
export function releaseReturn(
  ramp: OffRamp,
  { by }: StepOf["released"],
  at: number,
): Outcome<OffRamp> {
  const isReviewed = isUnexplained(ramp) || ramp.reason === "returned_by_receiver";
  if (!isReviewed || !by.startsWith("operator:")) return "impossible";
  const isLate = ramp.state === "RETURNED_AFTER_COMPLETION";
  return {
    ramp: returned(ramp, isLate ? "RETURNED_AFTER_COMPLETION" : "PAYOUT_RETURNED", at),
    moves: isUnexplained(ramp) ? [{ ...cameBack(ramp), from: suspense }] : [],
  };
}

/** Whether what came back lies in suspense, and not inside: nothing can be done with it but what an operator decides. */
export function isUnexplained({ reason }: OffRamp): boolean {
  return reason === "unexplained_return";
}
