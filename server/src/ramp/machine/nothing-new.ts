import type { Step } from "../step.ts";
import type { OffRamp, PayoutId, Ramp, State } from "../transaction.ts";

/**
 * Whether a step that cannot happen to a transaction is only a repetition, or news that came after what they led to.
 * Banks and chains tell things late, twice and out of order; whoever asks for something may ask twice.
 */
export function saysNothingNew(ramp: Ramp, step: Step): boolean {
  switch (step.kind) {
    case "canceled":
      return ramp.state === "CANCELED";
    case "expired":
      return ramp.state === "EXPIRED";
    case "written_off":
      return ramp.state === "WRITTEN_OFF";
    case "window_closed":
      return ramp.type === "OFF_RAMP" && ramp.state === "COMPLETED";
    case "refund_ordered":
      return refundStates.has(ramp.state);
    case "wire_matched":
      return ramp.type === "ON_RAMP" && ramp.wireId === step.wireId;
    case "deposit_seen":
    case "deposit_final":
    case "deposit_gone":
    case "wrong_token":
      return ramp.type === "OFF_RAMP" && isOldDeposit(ramp, step);
    default:
      return "payoutId" in step && isOldPayoutNews(ramp, step);
  }
}

const refundStates: ReadonlySet<State> = new Set<State>([
  "REFUND_PENDING",
  "REFUND_SUBMITTED",
  "REFUNDED",
]);

type DepositStep = Extract<Step, { depositId: string }>;

/** Another token than the one asked for lies in suspense, whatever the transaction does by now. */
function isOldDeposit({ deposits }: OffRamp, { kind, depositId }: DepositStep): boolean {
  const deposit = deposits[depositId];
  if (kind === "wrong_token") return true;
  if (kind === "deposit_gone") return deposit === undefined;
  return kind === "deposit_final" ? deposit?.isFinal === true : deposit !== undefined;
}

type PayoutStep = Extract<Step, { payoutId: PayoutId }>;

/** Where a payout can stand that came back. No other review knows of a payout. */
const returnedStates: readonly State[] = [
  "PAYOUT_RETURNED",
  "IN_REVIEW",
  "RETURNED_AFTER_COMPLETION",
];

/**
 * What the newest payout's news led to. Starting is no news: whoever hears that a payout has been started sends it,
 * so only one that is under way is said to be.
 */
const statesAfter: Record<PayoutStep["kind"], ReadonlySet<State>> = {
  payout_queued: new Set<State>(["PAYOUT_QUEUED", "PAYOUT_SUBMITTED"]),
  payout_started: new Set<State>(["PAYOUT_SUBMITTED"]),
  payout_accepted: new Set<State>(["PAYOUT_FAILED", "COMPLETED", ...returnedStates]),
  payout_settled: new Set<State>(["COMPLETED", ...returnedStates]),
  payout_failed: new Set<State>(["PAYOUT_FAILED"]),
  payout_returned: new Set<State>(returnedStates),
  refund_queued: new Set<State>(["REFUND_PENDING", "REFUND_SUBMITTED"]),
  refund_started: new Set<State>(["REFUND_SUBMITTED"]),
  refund_accepted: new Set<State>(["REFUND_FAILED", "REFUNDED"]),
  refund_settled: new Set<State>(["REFUNDED"]),
  refund_failed: new Set<State>(["REFUND_FAILED"]),
};

const orders: ReadonlySet<Step["kind"]> = new Set<Step["kind"]>([
  "payout_queued",
  "payout_started",
  "refund_queued",
  "refund_started",
]);

function isOldPayoutNews(ramp: Ramp, { kind, payoutId }: PayoutStep): boolean {
  if (payoutId === ramp.payoutId) return statesAfter[kind].has(ramp.state);
  const pastPayouts = ramp.payoutCount - (ramp.payoutId === null ? 0 : 1);
  return pastPayouts > 0 && !orders.has(kind);
}
