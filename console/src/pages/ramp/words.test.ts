import { describe, expect, test } from "vitest";
import { decisionsOf, eventTitle, isAwaited, outcomeOf } from "./words.ts";

const time = "2026-11-16T15:00:00.007";

describe("where a transaction stands", () => {
  test.each([
    [null, null, "… on its way"],
    [null, time, "✓ delivered"],
    [time, null, "! stopped"],
    [time, time, "✗ came back"],
  ])("flagged at %s and completed at %s is said as %s", (flaggedAt, completedAt, words) => {
    expect(outcomeOf({ flaggedAt, completedAt }).words).toBe(words);
  });

  test("every event has words, known or not", () => {
    expect(eventTitle({ type: "ramp.transaction.funds_seen" })).toBe("The deposit is in a block");
    expect(eventTitle({ type: "ramp.transaction.brand_new" })).toBe("brand new");
  });

  test.each([
    ["AWAITING_FUNDS", null, "ON_RAMP", ["cancel"]],
    ["AWAITING_DEPOSIT", null, "OFF_RAMP", ["cancel"]],
    ["IN_REVIEW", "price_moved", "OFF_RAMP", ["accept"]],
    ["IN_REVIEW", "sanctioned", "OFF_RAMP", []],
    ["PAYOUT_RETURNED", "payout_returned", "OFF_RAMP", ["replaceBankAccount"]],
    ["PAYOUT_RETURNED", "unexplained_return", "OFF_RAMP", []],
    ["PAYOUT_FAILED", "payout_refused", "ON_RAMP", []],
    ["COMPLETED", null, "OFF_RAMP", []],
  ] as const)(
    "in %s for %s a customer of an %s can decide %j",
    (state, reason, type, decisions) => {
      expect(decisionsOf({ state, reason }, type)).toEqual(decisions);
    },
  );

  test("money is awaited before any came, and when too little did", () => {
    expect(isAwaited({ state: "AWAITING_DEPOSIT", reason: null })).toBe(true);
    expect(isAwaited({ state: "IN_REVIEW", reason: "below_minimum" })).toBe(true);
    expect(isAwaited({ state: "IN_REVIEW", reason: "price_moved" })).toBe(false);
  });
});
