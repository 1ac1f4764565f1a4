import { Badge, type Tone } from "./badge.tsx";

const good = new Set([
  "COMPLETED",
  "settled",
  "approved",
  "accepted",
  "matched",
  "credited",
  "taken",
]);
const bad = new Set([
  "PAYOUT_FAILED",
  "PAYOUT_RETURNED",
  "REFUND_FAILED",
  "RETURNED_AFTER_COMPLETION",
  "failed",
  "returned",
  "rejected",
  "refused",
]);
const waiting = new Set(["IN_REVIEW", "suspense", "held", "review", "pending"]);

/** A state of a transaction, a payout, a file or an account, in words and colour. */
export function StateBadge({ state }: { state: string }) {
  return <Badge tone={toneOf(state)}>{state.replaceAll("_", " ").toLowerCase()}</Badge>;
}

function toneOf(state: string): Tone {
  if (good.has(state)) return "good";
  if (bad.has(state)) return "bad";
  return waiting.has(state) ? "warn" : "plain";
}
