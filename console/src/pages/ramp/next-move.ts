import type { RampTransaction, TransactionStatus } from "@slipway/sdk";

/** What somebody who plays the bank, the chain and time does next so that a transaction goes on. */
export type Move = "wire" | "deposit" | "minutes" | "days" | "deadline" | "none";

/** The move that helps most: wires and chains take minutes; ACH, and banks that are closed, take days. */
export function nextMove(
  { state, deadline }: Pick<TransactionStatus, "state" | "deadline">,
  { type, settlementMethod }: Pick<RampTransaction, "type" | "settlementMethod">,
): Move {
  const isSale = type === "OFF_RAMP";
  const atDeadline = deadline === null ? "none" : "deadline";
  const moves: Record<string, Move> = {
    AWAITING_FUNDS: "wire",
    FUNDS_RECEIVED: "minutes",
    PRICED: "minutes",
    AWAITING_DEPOSIT: "deposit",
    DEPOSIT_SEEN: "minutes",
    DEPOSIT_FINAL: "minutes",
    CONVERTED: "minutes",
    PAYOUT_QUEUED: isSale ? "days" : "minutes",
    PAYOUT_SUBMITTED: isSale && settlementMethod === "ACH" ? "days" : "minutes",
    PAYOUT_FAILED: "minutes",
    PAYOUT_RETURNED: atDeadline,
    IN_REVIEW: atDeadline,
    REFUND_PENDING: isSale ? "minutes" : "days",
    REFUND_SUBMITTED: isSale ? "minutes" : "days",
  };
  return moves[state] ?? "none";
}
