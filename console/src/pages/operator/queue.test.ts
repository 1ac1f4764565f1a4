import type { IncomingWire, Payout, Review, WaitingAccount } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { queueOf, type Waits } from "./queue.ts";

const nothing: Waits = {
  reviews: [],
  accounts: [],
  wires: [],
  deposits: [],
  payouts: [],
  files: [],
};
const wire = (id: string, deadline: string | null, createdAt: string) =>
  ({ id, amountUsd: "5.00", senderName: "Ada", reason: null, deadline, createdAt }) as IncomingWire;
const account = (userId: string, updatedAt: string) =>
  ({
    userId,
    name: "Ada",
    email: "ada@example.com",
    status: "review",
    updatedAt,
  }) as WaitingAccount;
const review = (id: string) =>
  ({
    transaction: { id, updatedAt: "2026-11-14T10:00:00.000" },
    explanation: "It is held.",
    deadline: null,
  }) as Review;
const payout = (id: string, transactionId: string | null) =>
  ({
    id,
    rail: "ach",
    quantity: "1",
    asset: "USD",
    transactionId,
    updatedAt: "2026-11-14T10:00:00.000",
  }) as Payout;

describe("what waits for an operator", () => {
  test("what decides by itself soonest comes first, then what waits longest", () => {
    const wires = [
      wire("wir-1", null, "2026-11-13T00:00:00.000"),
      wire("wir-2", "2026-11-20T00:00:00.000", "2026-11-14T00:00:00.000"),
      wire("wir-3", "2026-11-16T00:00:00.000", "2026-11-15T00:00:00.000"),
    ];
    const accounts = [account("usr-1", "2026-11-12T00:00:00.000")];
    const ids = queueOf({ ...nothing, wires, accounts }).map(({ id }) => id);
    expect(ids).toEqual(["wir-3", "wir-2", "usr-1", "wir-1"]);
  });

  test("a failed payout is not listed beside its own transaction", () => {
    const payouts = [payout("pay-1", "txn-1"), payout("pay-2", null)];
    const queue = queueOf({ ...nothing, reviews: [review("txn-1")], payouts });
    expect(queue.map(({ id }) => id)).toEqual(["txn-1", "pay-2"]);
  });
});
