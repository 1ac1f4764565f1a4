import type { TransactionInstructions, TransactionStatus } from "@slipway/sdk";
import { formatCents, formatDecimal } from "../lib/money.ts";
import { explain } from "./machine/explain.ts";
import { presentTime } from "./present.ts";
import { showReference } from "./references.ts";
import type { RampSettings } from "./settings.ts";
import type { Ramp, Settlement } from "./transaction.ts";

/** Where a transaction stands. `estimate` is for a sale whose payout is not queued yet. */
export function presentStatus(ramp: Ramp, estimate: Settlement | null): TransactionStatus {
  const settlement = ramp.settlement ?? estimate;
  const deadline = deadlineOf(ramp);
  return {
    id: ramp.id,
    state: ramp.state,
    reason: ramp.reason,
    ...explain(ramp),
    deadline: deadline === null ? null : presentTime(deadline),
    priceLockedUntil: ramp.type === "OFF_RAMP" ? presentTime(ramp.lockedUntil) : null,
    estimatedSendDate: settlement?.sendOn ?? null,
    estimatedSettlementDate: settlement && {
      earliest: settlement.earliestOn,
      latest: settlement.latestOn,
    },
    calendarVersion: settlement?.calendarVersion ?? null,
    trace: ramp.trace,
    updatedAt: presentTime(ramp.updatedAt),
  };
}

/** Whether it can be said when a sale's money will be sent: it is on its way, and nothing was queued yet. */
export function isToBeEstimated(ramp: Ramp): boolean {
  const { type, settlement, flaggedAt, completedAt } = ramp;
  return type === "OFF_RAMP" && settlement === null && flaggedAt === null && completedAt === null;
}

/** How the customer pays in. */
export function presentInstructions(
  ramp: Ramp,
  wire: RampSettings["wire"],
): TransactionInstructions {
  const { id, token, units, cents } = ramp;
  const expiresAt = presentTime(ramp.expiresAt);
  if (ramp.type === "ON_RAMP") {
    return {
      id,
      method: "WIRE",
      amountUsd: cents === null ? null : formatCents(cents),
      beneficiaryName: wire.beneficiaryName,
      beneficiaryAddress: wire.beneficiaryAddress,
      bankName: wire.bankName,
      routingNumber: wire.routingNumber,
      accountNumber: wire.accountNumber,
      reference: showReference(ramp.reference),
      expiresAt,
    };
  }
  return {
    id,
    method: "CRYPTO",
    blockchain: token.blockchain,
    currency: token.symbol,
    quantity: units === null ? null : formatDecimal(units, token.decimals),
    address: ramp.depositAddress,
    priceLockedUntil: presentTime(ramp.lockedUntil),
    expiresAt,
  };
}

function deadlineOf(ramp: Ramp): number | null {
  const isAwaiting = ramp.state === "AWAITING_FUNDS" || ramp.state === "AWAITING_DEPOSIT";
  return ramp.deadlineAt ?? (isAwaiting ? ramp.expiresAt : null);
}
