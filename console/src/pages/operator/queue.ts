import type { BankFile, Deposit, IncomingWire, Payout, Review, WaitingAccount } from "@slipway/sdk";
import { millisecondsOf } from "../../lib/times.ts";

/** Something that waits for a person. */
export type Waiting = {
  id: string;
  kind: string;
  title: string;
  detail: string;
  since: string;
  /** When it decides by itself; null is never. */
  deadline: string | null;
  path: string;
};

export type Waits = {
  reviews: readonly Review[];
  accounts: readonly WaitingAccount[];
  wires: readonly IncomingWire[];
  deposits: readonly Deposit[];
  payouts: readonly Payout[];
  files: readonly BankFile[];
};

/** Everything that waits, in one list: what decides by itself soonest first, then what waits longest. */
export function queueOf(waits: Waits): Waiting[] {
  const { reviews, accounts, wires, deposits, payouts, files } = waits;
  return [
    ...reviews.map(waitingReview),
    ...accounts.map(waitingAccount),
    ...wires.map(waitingWire),
    ...deposits.map(waitingDeposit),
    ...payouts.filter(({ transactionId }) => !reviews.some(isOf(transactionId))).map(waitingPayout),
    ...files.map(waitingFile),
  ].sort((one, other) => due(one) - due(other) || one.since.localeCompare(other.since));
}

const isOf =
  (transactionId: string | null) =>
  ({ transaction }: Review) =>
    transaction.id === transactionId;

function due({ deadline }: Waiting): number {
  return deadline === null ? Number.MAX_SAFE_INTEGER : millisecondsOf(deadline);
}

function waitingReview({ transaction, explanation, deadline }: Review): Waiting {
  const { id, updatedAt } = transaction;
  const detail = explanation;
  const path = `/operator/transactions/${id}`;
  return { id, kind: "Transaction", title: id, detail, since: updatedAt, deadline, path };
}

function waitingAccount({ userId, name, email, status, updatedAt }: WaitingAccount): Waiting {
  return {
    id: userId,
    kind: "Verification",
    title: name,
    detail: `${email}: ${status}`,
    since: updatedAt,
    deadline: null,
    path: `/operator/verifications/${userId}`,
  };
}

function waitingWire(wire: IncomingWire): Waiting {
  const { id, amountUsd, senderName, reason, createdAt, deadline } = wire;
  return {
    id,
    kind: "Wire",
    title: `${amountUsd} USD from ${senderName}`,
    detail: reason ?? "it belongs to nothing we know",
    since: createdAt,
    deadline,
    path: "/operator/payouts?tab=wires",
  };
}

function waitingDeposit(deposit: Deposit): Waiting {
  const { id, quantity, currency, blockchain, reason, createdAt } = deposit;
  return {
    id,
    kind: "Deposit",
    title: `${quantity} ${currency} on ${blockchain}`,
    detail: reason ?? "it counts for nothing yet",
    since: createdAt,
    deadline: null,
    path: "/operator/payouts?tab=deposits",
  };
}

function waitingPayout({ id, rail, quantity, asset, transactionId, updatedAt }: Payout): Waiting {
  return {
    id,
    kind: "Payout",
    title: `${quantity} ${asset} by ${rail}`,
    detail: "it failed",
    since: updatedAt,
    deadline: null,
    path: transactionId ? `/operator/transactions/${transactionId}` : "/operator/payouts",
  };
}

function waitingFile({ id, name, entryCount, amountUsd, createdAt }: BankFile): Waiting {
  return {
    id,
    kind: "Bank file",
    title: name,
    detail: `${entryCount} entries, ${amountUsd} USD, waits for approval`,
    since: createdAt,
    deadline: null,
    path: "/operator/payouts?tab=files",
  };
}
