import { describe, expect, test } from "vitest";
import {
  createdAt,
  minute,
  newPurchase,
  newSale,
  stepOf,
  type Told,
  tell,
} from "../../../test/ramp-scene.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import { topUpWaitMs } from "../policy.ts";
import type { Ramp } from "../transaction.ts";
import { advance } from "./advance.ts";

const attempt = (ramp: Ramp, told: Told) => {
  const { step, at } = stepOf(ramp, told);
  return advance(ramp, step, at);
};
const held = (reason: Ramp["reason"] & string): Told => ({ kind: "held", reason });

describe("a cause that passes", () => {
  test("leaves a transaction where it is, and it is looked at again", () => {
    const { ramp, dueAt } = tell(newPurchase(), "wire_matched", held("price_unavailable"));
    expect(ramp).toMatchObject({ state: "FUNDS_RECEIVED", reason: "price_unavailable" });
    expect(dueAt).toBe(ramp.updatedAt + minute);
    expect(attempt(ramp, held("price_unavailable"))).toBe("known");
    expect(attempt(ramp, held("screening_unavailable"))).toMatchObject({ events: ["flagged"] });
  });

  test("is forgotten as soon as the transaction goes on", () => {
    const { ramp, events } = tell(newSale(), "deposit_final", held("peg_guard"), "priced");
    expect(ramp).toMatchObject({ state: "CONVERTED", reason: null, flaggedAt: null });
    expect(events).toEqual(["released", "priced"]);
  });
});

describe("a release", () => {
  const sanctioned = tell(newPurchase(), "wire_matched", held("sanctioned")).ramp;

  test.each<[string, Ramp, "customer" | "policy"]>([
    ["frozen money by the customer", sanctioned, "customer"],
    ["frozen money by a timer", sanctioned, "policy"],
    ["a review by the customer", tell(newPurchase(), "wire_matched", "held").ramp, "customer"],
    [
      "what leaves nothing to pay out",
      tell(newSale({ feeCents: asCents(3_000n) }), "deposit_final").ramp,
      "policy",
    ],
  ])("of %s is impossible", (_, ramp, by) => {
    expect(attempt(ramp, { kind: "released", by })).toBe("impossible");
  });

  test("of what leaves nothing to pay out is impossible for an operator too", () => {
    const { ramp } = tell(newSale({ feeCents: asCents(3_000n) }), "deposit_final");
    expect(attempt(ramp, "released")).toBe("impossible");
  });

  test("of frozen money is an operator's, and is remembered", () => {
    expect(attempt(sanctioned, "released")).toMatchObject({
      ramp: { state: "FUNDS_RECEIVED", cleared: ["sanctioned"], flaggedAt: null },
    });
  });

  test("of frozen money that leaves nothing to pay out lets it be topped up or sent back", () => {
    const sale = newSale({ feeCents: asCents(3_000n) });
    const frozen = tell(sale, "deposit_final", held("sanctioned")).ramp;
    const { ramp } = tell(sale, "deposit_final", held("sanctioned"), "released");
    expect(frozen).toMatchObject({ state: "IN_REVIEW", reason: "sanctioned", deadlineAt: null });
    expect(ramp).toMatchObject({
      ...{ state: "IN_REVIEW", reason: "below_minimum", cleared: ["sanctioned"] },
      deadlineAt: ramp.updatedAt + topUpWaitMs,
    });
    expect(attempt(ramp, "refund_ordered")).toMatchObject({ ramp: { state: "REFUND_PENDING" } });
  });

  test("lets pass what it was for, and nothing else", () => {
    const small = newSale({ mostUnits: asUnits(100_000n) });
    const stranger: Told = { kind: "deposit_final", isFromRegistered: false };
    expect(tell(small, stranger, "released", "priced").ramp).toMatchObject({
      state: "IN_REVIEW",
      reason: "above_maximum",
      cleared: ["unregistered_sender"],
    });
    expect(tell(small, stranger, "released", "priced", "released", "priced").ramp.state).toBe(
      "CONVERTED",
    );
  });

  test("goes back to where the money is", () => {
    const sold: Told[] = ["deposit_final", "priced"];
    expect(tell(newSale(), ...sold, "payout_queued", "held", "released").ramp).toMatchObject({
      state: "CONVERTED",
      payoutId: null,
    });
  });
});

test("a refund that was held goes on as the same refund, whoever lets it", () => {
  const ordered = tell(newSale(), "deposit_final", "refund_ordered", "refund_queued");
  for (const decision of ["released", "refund_ordered"] as const) {
    const story: Told[] = ["deposit_final", "refund_ordered", "refund_queued", "held", decision];
    const { ramp, moves } = tell(newSale(), ...story);
    expect(ramp).toMatchObject({ state: "REFUND_PENDING", payoutId: null, reason: "operator" });
    expect(ramp.heldUnits).toBe(ordered.ramp.heldUnits);
    expect(moves).toEqual([]);
  }
});

describe("frozen money", () => {
  const { ramp } = tell(newSale(), "deposit_final", held("sanctioned"));

  test("does not go back, and no other reason takes its place", () => {
    expect(attempt(ramp, "refund_ordered")).toBe("impossible");
    expect(attempt(ramp, held("operator"))).toBe("known");
  });

  test("takes the place of every other reason, and of its deadline", () => {
    const waiting = tell(newPurchase(), { kind: "wire_matched", isFromHolder: false }).ramp;
    expect(waiting.deadlineAt).not.toBeNull();
    expect(attempt(waiting, held("sanctioned"))).toMatchObject({
      ramp: { reason: "sanctioned", deadlineAt: null, flaggedAt: waiting.flaggedAt },
    });
  });
});

describe("a payout", () => {
  const queued: Told[] = ["wire_matched", "priced", "payout_queued"];
  const failed: Told[] = ["payout_started", "payout_failed"];

  test("that is queued is called back by a hold or a refund, and can never start", () => {
    for (const stop of ["held", "refund_ordered"] as const) {
      const { ramp, orders } = tell(newPurchase(), ...queued, stop);
      expect(orders).toEqual([{ kind: "cancel_payout", payoutId: "pay-1" }]);
      expect(attempt(ramp, { kind: "payout_started", payoutId: "pay-1" })).toBe("impossible");
    }
  });

  test("of a sale is handed over at its time, one of crypto at once", () => {
    const sale = tell(newSale(), "deposit_final", "priced", "payout_queued");
    const order = { kind: "queue_payout", payoutId: "pay-1", purpose: "payout" };
    expect(sale.orders).toEqual([
      { ...order, rail: "wire", amount: 500n, sendAt: createdAt + 60 * minute },
    ]);
    const purchase = tell(newPurchase(), ...queued);
    const sendAt = purchase.ramp.updatedAt;
    expect(purchase.orders).toEqual([{ ...order, rail: "chain", amount: 333n, sendAt }]);
  });

  test("is tried three times, then an operator is needed", () => {
    const again: Told[] = ["payout_queued", ...failed];
    const twice = tell(newPurchase(), ...queued, ...failed, ...again);
    expect(attempt(twice.ramp, "payout_queued")).toMatchObject({ ramp: { payoutCount: 3 } });
    const { ramp } = tell(newPurchase(), ...queued, ...failed, ...again, ...again);
    expect(attempt(ramp, "payout_queued")).toBe("impossible");
    const released = tell(newPurchase(), ...queued, ...failed, ...again, ...again, "released");
    expect(attempt(released.ramp, "payout_queued")).toMatchObject({ ramp: { payoutCount: 4 } });
  });

  test("is one at a time, and news of the one before change nothing", () => {
    const { ramp } = tell(newPurchase(), ...queued, ...failed, "payout_queued", "payout_started");
    expect(ramp.payoutId).toBe("pay-2");
    const old = { payoutId: "pay-1" } as const;
    expect(attempt(ramp, { kind: "payout_failed", ...old })).toBe("known");
    expect(attempt(ramp, { kind: "payout_started", ...old })).toBe("impossible");
    expect(attempt(ramp, { kind: "payout_queued", payoutId: "pay-3" })).toBe("impossible");
    expect(attempt(ramp, { kind: "payout_queued", payoutId: "pay-2" })).toBe("known");
    const first = tell(newPurchase(), ...queued, "payout_started").ramp;
    expect(attempt(first, { kind: "payout_settled", payoutId: "pay-9" })).toBe("impossible");
  });

  test("of a sale needs its dates", () => {
    const { ramp } = tell(newSale(), "deposit_final", "priced");
    expect(attempt(ramp, { kind: "payout_queued", settlement: null })).toBe("impossible");
  });
});
