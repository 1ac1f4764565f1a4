import { describe, expect, test } from "vitest";
import { nextMove } from "./next-move.ts";

const purchase = { type: "ON_RAMP", settlementMethod: "WIRE" } as const;
const saleByAch = { type: "OFF_RAMP", settlementMethod: "ACH" } as const;
const saleByWire = { type: "OFF_RAMP", settlementMethod: "WIRE" } as const;

describe("what lets a transaction go on in the sandbox", () => {
  test.each([
    ["AWAITING_FUNDS", purchase, "wire"],
    ["PAYOUT_QUEUED", purchase, "minutes"],
    ["PAYOUT_SUBMITTED", purchase, "minutes"],
    ["AWAITING_DEPOSIT", saleByAch, "deposit"],
    ["DEPOSIT_SEEN", saleByAch, "minutes"],
    ["PAYOUT_QUEUED", saleByAch, "days"],
    ["PAYOUT_SUBMITTED", saleByAch, "days"],
    ["PAYOUT_SUBMITTED", saleByWire, "minutes"],
    ["COMPLETED", saleByWire, "none"],
  ] as const)("%s of %o: %s", (state, transaction, move) => {
    expect(nextMove({ state, deadline: null }, transaction)).toBe(move);
  });

  test("a deadline can be moved to when there is one", () => {
    const deadline = "2026-11-16T15:00:00.007";
    expect(nextMove({ state: "IN_REVIEW", deadline }, saleByAch)).toBe("deadline");
    expect(nextMove({ state: "IN_REVIEW", deadline: null }, saleByAch)).toBe("none");
  });
});
