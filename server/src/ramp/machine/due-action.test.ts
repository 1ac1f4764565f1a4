import { describe, expect, test } from "vitest";
import {
  achSettlement,
  createdAt,
  day,
  minute,
  newPurchase,
  newSale,
  type Told,
  tell,
  wireSettlement,
} from "../../../test/ramp-scene.ts";
import type { DueAction } from "../step.ts";
import type { Ramp } from "../transaction.ts";
import { dueOf } from "./due-action.ts";

const hour = 60 * minute;
const queued: Told[] = ["deposit_final", "priced", "payout_queued"];
const sent: Told[] = [...queued, "payout_started"];
const ach = newSale({ settlementMethod: "ACH" });
const failed: Told[] = ["payout_started", "payout_failed"];
const bought: Told[] = ["wire_matched", "priced", "payout_queued"];
const goingBack: Told[] = ["deposit_final", "refund_ordered"];

/** When, either after the last step or, from the creation on, at a time of its own. */
type When = { after: number } | { at: number };

describe("what is done next, and when", () => {
  test.each<[string, Ramp, Told[], DueAction, When]>([
    ["a purchase expires", newPurchase(), [], "expire", { at: 7 * day }],
    ["a sale expires", newSale(), [], "expire", { at: day }],
    ["a wire is priced at once", newPurchase(), ["wire_matched"], "price", { after: 0 }],
    ["a deposit is priced at once", newSale(), ["deposit_final"], "price", { after: 0 }],
    [
      "a hold that passes is looked at again",
      newSale(),
      ["deposit_final", { kind: "held", reason: "peg_guard" }],
      "price",
      { after: minute },
    ],
    ["a review is said again", newSale(), ["deposit_final", "held"], "alert", { after: day }],
    [
      "a price that moved is accepted in time or the crypto goes back",
      newSale(),
      ["deposit_final", { kind: "held", reason: "price_moved" }],
      "order_refund",
      { after: day },
    ],
    ["a payout is queued at once", newSale(), queued.slice(0, 2), "queue_payout", { after: 0 }],
    [
      "a payout that is not handed over is missed",
      newSale(),
      queued,
      "alert",
      { at: wireSettlement.sendAt - createdAt + 30 * minute },
    ],
    ["a rail that does not take it is missed", newSale(), sent, "alert", { after: 2 * hour }],
    [
      "a wire that is not confirmed is missed",
      newSale(),
      [...sent, "payout_accepted"],
      "alert",
      { after: day },
    ],
    [
      "an ACH payment that is not confirmed by the end of its window is missed",
      ach,
      [...sent, "payout_accepted"],
      "alert",
      { at: (achSettlement.windowClosesAt ?? 0) - createdAt },
    ],
    [
      "an ACH payment that is confirmed waits for the end of its window",
      ach,
      [...sent, "payout_settled"],
      "close_window",
      { at: (achSettlement.windowClosesAt ?? 0) - createdAt },
    ],
    [
      "an ACH payment that is confirmed after its window is delivered at once",
      ach,
      [...sent, { kind: "payout_settled", at: 9 * day }],
      "close_window",
      { at: 9 * day },
    ],
    [
      "a refused payout is tried again",
      newPurchase(),
      [...bought, ...failed],
      "queue_payout",
      { after: 5 * minute },
    ],
    [
      "a payout that was refused three times is an operator's",
      newPurchase(),
      [...bought, ...failed, "payout_queued", ...failed, "payout_queued", ...failed],
      "alert",
      { after: day },
    ],
    ["a refund is queued at once", newSale(), goingBack, "queue_refund", { after: 0 }],
    [
      "a refund that is not handed over is missed",
      newSale(),
      [...goingBack, "refund_queued"],
      "alert",
      { after: 30 * minute },
    ],
  ])("%s", (_, ramp, story, action, when) => {
    const last = tell(ramp, ...story);
    expect(dueOf(last.ramp)?.action).toBe(action);
    expect(last.dueAt).toBe("at" in when ? createdAt + when.at : last.ramp.updatedAt + when.after);
  });
});

test("at an end nothing is done any more", () => {
  const delivered = tell(newSale(), ...sent, "payout_settled");
  expect([dueOf(delivered.ramp), delivered.dueAt]).toEqual([null, null]);
});
