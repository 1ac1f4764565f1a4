/** The keys that answers have, no more and no fewer. */

export const transactionKeys = [
  "id",
  "type",
  "settlementMethod",
  "priceUsd",
  "feeUsd",
  "createdAt",
  "flaggedAt",
  "completedAt",
  "updatedAt",
  "userId",
  "sourceOrder",
  "destinationOrder",
] as const;

export const orderKeys = [
  "id",
  "bankAccountId",
  "blockchain",
  "currency",
  "quantity",
  "walletId",
  "createdAt",
  "updatedAt",
] as const;

export const sellBuyKeys = [
  "id",
  "type",
  "createdAt",
  "flaggedAt",
  "completedAt",
  "updatedAt",
  "sellOrder",
  "buyOrder",
] as const;

export const sellBuyOrderKeys = [...orderKeys, "feeUsd", "priceUsd"] as const;

export const statusKeys = [
  "id",
  "state",
  "reason",
  "explanation",
  "unblockedBy",
  "deadline",
  "priceLockedUntil",
  "estimatedSendDate",
  "estimatedSettlementDate",
  "calendarVersion",
  "trace",
  "updatedAt",
] as const;

export const instructionKeys = {
  WIRE: [
    "id",
    "method",
    "amountUsd",
    "beneficiaryName",
    "beneficiaryAddress",
    "bankName",
    "routingNumber",
    "accountNumber",
    "reference",
    "expiresAt",
  ],
  CRYPTO: [
    "id",
    "method",
    "blockchain",
    "currency",
    "quantity",
    "address",
    "priceLockedUntil",
    "expiresAt",
  ],
} as const;
