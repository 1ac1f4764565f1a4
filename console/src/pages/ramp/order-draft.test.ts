import type { Quote } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { blockchainFor, type OrderDraft, quoteRequest, transactionRequest } from "./order-draft.ts";

const draft: OrderDraft = {
  type: "ON_RAMP",
  settlementMethod: "WIRE",
  currency: "ETH",
  blockchain: "base",
  amount: "500",
  isInDollars: true,
  walletId: undefined,
  bankAccountId: undefined,
};
const terms = { settlementMethod: "WIRE", currency: "ETH", blockchain: "base" } as const;

describe("an order that is being filled in", () => {
  test.each([
    ["dollars to pay", "ON_RAMP", true, { sourceQuantity: "500" }],
    ["crypto to get", "ON_RAMP", false, { destinationQuantity: "500" }],
    ["crypto to sell", "OFF_RAMP", false, { sourceQuantity: "500" }],
    ["dollars to get", "OFF_RAMP", true, { destinationQuantity: "500" }],
  ] as const)("asks for a quote of %s", (_, type, isInDollars, quantity) => {
    expect(quoteRequest({ ...draft, type, isInDollars })).toEqual({ ...terms, type, ...quantity });
  });

  test("asks for nothing without an amount, and reads one with thousands", () => {
    expect(quoteRequest({ ...draft, amount: " " })).toBeUndefined();
    expect(quoteRequest({ ...draft, amount: "1,250.50" })).toMatchObject({
      sourceQuantity: "1250.50",
    });
  });

  test("becomes a transaction of just what was quoted", () => {
    const quote: Quote = {
      ...terms,
      id: "quo-1",
      type: "ON_RAMP",
      sourceQuantity: "500.00",
      destinationQuantity: "0.142857142857142857",
      priceUsd: "3500",
      feeUsd: "0.00",
      estimatedSendDate: null,
      estimatedSettlementDate: null,
      createdAt: "2026-11-16T15:00:00.007",
      expiresAt: "2026-11-16T15:15:00.007",
    };
    const methods = { walletId: "wal-1", bankAccountId: "bac-1" };
    expect(transactionRequest(quote, methods)).toEqual({
      settlementMethod: "WIRE",
      quoteId: "quo-1",
      sourceOrder: { bankAccountId: "bac-1", currency: "USD", quantity: "500.00" },
      destinationOrder: { walletId: "wal-1", blockchain: "base", currency: "ETH" },
    });
    const sale = { ...quote, type: "OFF_RAMP", sourceQuantity: "1" } as const;
    expect(transactionRequest(sale, methods)).toMatchObject({
      sourceOrder: { walletId: "wal-1", blockchain: "base", currency: "ETH", quantity: "1" },
      destinationOrder: { bankAccountId: "bac-1", currency: "USD" },
    });
  });

  test("stays on its blockchain where the other currency is there too", () => {
    expect(blockchainFor(["ethereum", "base"], "base")).toBe("base");
    expect(blockchainFor(["bitcoin"], "base")).toBe("bitcoin");
  });
});
