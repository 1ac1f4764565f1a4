import type { OperatorAction } from "@slipway/sdk";
import { advance } from "./machine/advance.ts";
import { refundStep } from "./payouts/refund-step.ts";
import type { Ports } from "./ports.ts";
import type { Actor, Step } from "./step.ts";
import type { Ramp, State } from "./transaction.ts";

/** Everything that an operator can decide about a transaction. */
export const operatorActions: readonly OperatorAction[] = [
  "release",
  "refund",
  "retry",
  "writeOff",
];

/** States in which a transaction waits until somebody decides. */
export const reviewStates: readonly State[] = [
  "IN_REVIEW",
  "PAYOUT_FAILED",
  "REFUND_FAILED",
  "PAYOUT_RETURNED",
  "RETURNED_AFTER_COMPLETION",
];

const failedStates: ReadonlySet<State> = new Set<State>(["PAYOUT_FAILED", "REFUND_FAILED"]);

type Decision = { by: Actor; note: string; prices: Ports["prices"] | undefined };

const noPrices: Ports["prices"] = { current: () => undefined };

/** The step that a decision means; nothing when it means nothing for this transaction. */
export function stepOf(
  action: OperatorAction,
  ramp: Ramp,
  { by, note, prices = noPrices }: Decision,
): Step | undefined {
  const isFailed = failedStates.has(ramp.state);
  switch (action) {
    case "release":
      return isFailed ? undefined : { kind: "released", by, note };
    case "retry":
      return isFailed ? { kind: "released", by, note } : undefined;
    case "refund":
      return refundStep({ prices }, ramp, by, note);
    case "writeOff":
      return { kind: "written_off", by, note };
  }
}

/** What an operator may decide about a transaction now: the state machine is asked, so the two never differ. */
export function actionsFor(
  ramp: Ramp,
  prices: Ports["prices"] | undefined,
  at: number,
): OperatorAction[] {
  const decision: Decision = { by: "operator:", note: "", prices };
  return operatorActions.filter((action) => {
    const step = stepOf(action, ramp, decision);
    return step !== undefined && typeof advance(ramp, step, at) === "object";
  });
}
