import type {
  RampEvent,
  RampTransaction,
  TransactionStatus,
  VerificationStatus,
} from "@slipway/sdk";

/** As a badge has it. */
type Tone = "plain" | "good" | "warn" | "bad";

/** Every state that a transaction can have, in the order of its life. */
export const states = [
  "AWAITING_FUNDS",
  "FUNDS_RECEIVED",
  "PRICED",
  "AWAITING_DEPOSIT",
  "DEPOSIT_SEEN",
  "DEPOSIT_FINAL",
  "CONVERTED",
  "PAYOUT_QUEUED",
  "PAYOUT_SUBMITTED",
  "COMPLETED",
  "IN_REVIEW",
  "PAYOUT_FAILED",
  "PAYOUT_RETURNED",
  "RETURNED_AFTER_COMPLETION",
  "EXPIRED",
  "CANCELED",
  "REFUND_PENDING",
  "REFUND_SUBMITTED",
  "REFUND_FAILED",
  "REFUNDED",
  "WRITTEN_OFF",
] as const;

const eventWords: Record<string, string> = {
  created: "Ordered",
  funds_seen: "The deposit is in a block",
  funds_received: "The money is here",
  priced: "Exchanged",
  amount_adjusted: "Another amount came than was asked for",
  flagged: "Stopped",
  released: "Goes on",
  payout_submitted: "The payout is on its way",
  completed: "Delivered",
  returned: "The payout came back",
  refunded: "The money went back",
  expired: "Expired",
  canceled: "Canceled",
};

/** What happened, in a few words. */
export function eventTitle({ type }: Pick<RampEvent, "type">): string {
  const last = type.split(".").at(-1) ?? type;
  return eventWords[last] ?? last.replaceAll("_", " ");
}

/** Where a transaction stands for whoever looks at many of them; `flaggedAt` and `completedAt` are enough for that. */
export function outcomeOf({
  flaggedAt,
  completedAt,
}: Pick<RampTransaction, "flaggedAt" | "completedAt">): { words: string; tone: Tone } {
  if (flaggedAt && completedAt) return { words: "✗ came back", tone: "bad" };
  if (flaggedAt) return { words: "! stopped", tone: "warn" };
  if (completedAt) return { words: "✓ delivered", tone: "good" };
  return { words: "… on its way", tone: "plain" };
}

/** What the customer may decide now. */
type Decision = "cancel" | "accept" | "replaceBankAccount";

/** Which decisions the API would take now. */
export function decisionsOf(
  { state, reason }: Pick<TransactionStatus, "state" | "reason">,
  type: RampTransaction["type"],
): Decision[] {
  if (state === "AWAITING_FUNDS" || state === "AWAITING_DEPOSIT") return ["cancel"];
  if (state === "IN_REVIEW" && reason === "price_moved") return ["accept"];
  const isMoneyBack = ["PAYOUT_FAILED", "PAYOUT_RETURNED", "RETURNED_AFTER_COMPLETION"].includes(
    state,
  );
  const isForCustomer = type === "OFF_RAMP" && reason !== "unexplained_return";
  return isMoneyBack && isForCustomer ? ["replaceBankAccount"] : [];
}

/** Whether the customer still has to pay in. */
export function isAwaited({ state, reason }: Pick<TransactionStatus, "state" | "reason">): boolean {
  return (
    state === "AWAITING_FUNDS" ||
    state === "AWAITING_DEPOSIT" ||
    (state === "IN_REVIEW" && reason === "below_minimum")
  );
}

/** What a verification's status means for its owner. */
export const verificationWords: Record<
  VerificationStatus,
  { title: string; tone: Tone; words: string }
> = {
  none: {
    title: "Not verified",
    tone: "warn",
    words: "Prices can be looked at. To buy or sell, ask for verification first.",
  },
  pending: {
    title: "Asked for",
    tone: "warn",
    words: "Whoever verifies has been asked. The page shows the answer when it comes.",
  },
  review: {
    title: "In review",
    tone: "warn",
    words: "A person looks at it. There is nothing for you to do.",
  },
  approved: { title: "✓ Verified", tone: "good", words: "You can buy and sell." },
  rejected: {
    title: "✗ Rejected",
    tone: "bad",
    words: "This account cannot buy or sell. Ask again if something about it has changed.",
  },
  expired: {
    title: "Expired",
    tone: "warn",
    words: "It was verified once. Ask again to go on buying and selling.",
  },
};
