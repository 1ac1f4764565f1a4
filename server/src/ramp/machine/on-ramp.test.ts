import { describe, expect, test } from "vitest";
import {
  day,
  dollars,
  newPurchase,
  showMoves,
  stepOf,
  type Told,
  tell,
} from "../../../test/ramp-scene.ts";
import { runTable } from "../../../test/ramp-table.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import type { OnRampState } from "../transaction.ts";
import { advance } from "./advance.ts";

const bought: Told[] = ["wire_matched", "priced"];
const sent: Told[] = [...bought, "payout_queued", "payout_started"];
const goingBack: Told[] = ["wire_matched", "refund_ordered", "refund_queued", "refund_started"];

const stories: Record<OnRampState, Told[]> = {
  AWAITING_FUNDS: [],
  FUNDS_RECEIVED: ["wire_matched"],
  IN_REVIEW: [{ kind: "wire_matched", isFromHolder: false }],
  PRICED: bought,
  PAYOUT_QUEUED: [...bought, "payout_queued"],
  PAYOUT_SUBMITTED: sent,
  PAYOUT_FAILED: [...sent, "payout_failed"],
  COMPLETED: [...sent, "payout_settled"],
  EXPIRED: ["expired"],
  CANCELED: ["canceled"],
  REFUND_PENDING: ["wire_matched", "refund_ordered", "refund_queued"],
  REFUND_SUBMITTED: goingBack,
  REFUND_FAILED: [...goingBack, "refund_failed"],
  REFUNDED: [...goingBack, "refund_settled"],
  WRITTEN_OFF: [...goingBack, "refund_failed", "written_off"],
};

describe("a purchase", () => {
  runTable(
    newPurchase(),
    stories,
    `
    AWAITING_FUNDS + wire_matched     -> FUNDS_RECEIVED   | bank > usd 10001 | funds_received
    AWAITING_FUNDS + expired          -> EXPIRED          | | expired
    AWAITING_FUNDS + canceled         -> CANCELED         | | canceled
    FUNDS_RECEIVED + wire_matched     -> known
    FUNDS_RECEIVED + priced           -> PRICED           | usd > exchange:USD 9990, usd > rounding:USD 11, exchange:TOK > tok 333 | priced
    FUNDS_RECEIVED + held             -> IN_REVIEW        | | flagged
    FUNDS_RECEIVED + held liquidity   -> FUNDS_RECEIVED   | | flagged
    FUNDS_RECEIVED + refund_ordered   -> REFUND_PENDING   | | flagged
    IN_REVIEW + wire_matched          -> known
    IN_REVIEW + held                  -> IN_REVIEW        | | flagged
    IN_REVIEW + held liquidity        -> impossible
    IN_REVIEW + released              -> FUNDS_RECEIVED   | | released
    IN_REVIEW + refund_ordered        -> REFUND_PENDING
    PRICED + wire_matched             -> known
    PRICED + payout_queued            -> PAYOUT_QUEUED
    PRICED + held                     -> IN_REVIEW        | | flagged
    PRICED + held liquidity           -> PRICED           | | flagged
    PRICED + refund_ordered           -> REFUND_PENDING   | exchange:USD > usd 9990, rounding:USD > usd 11, tok > exchange:TOK 333 | flagged
    PAYOUT_QUEUED + wire_matched      -> known
    PAYOUT_QUEUED + payout_started    -> PAYOUT_SUBMITTED | tok > out:chain:TOK 333 | payout_submitted
    PAYOUT_QUEUED + held              -> IN_REVIEW        | | flagged
    PAYOUT_QUEUED + refund_ordered    -> REFUND_PENDING   | exchange:USD > usd 9990, rounding:USD > usd 11, tok > exchange:TOK 333 | flagged
    PAYOUT_SUBMITTED + wire_matched   -> known
    PAYOUT_SUBMITTED + payout_started -> known
    PAYOUT_SUBMITTED + payout_accepted -> PAYOUT_SUBMITTED
    PAYOUT_SUBMITTED + payout_settled -> COMPLETED        | out:chain:TOK > hot:TOK 333 | completed
    PAYOUT_SUBMITTED + payout_failed  -> PAYOUT_FAILED    | out:chain:TOK > tok 333 | flagged
    PAYOUT_FAILED + wire_matched      -> known
    PAYOUT_FAILED + payout_accepted   -> known
    PAYOUT_FAILED + payout_failed     -> known
    PAYOUT_FAILED + payout_queued     -> PAYOUT_QUEUED    | | released
    PAYOUT_FAILED + held              -> IN_REVIEW        | | flagged
    PAYOUT_FAILED + released          -> PRICED           | | released
    PAYOUT_FAILED + refund_ordered    -> REFUND_PENDING   | exchange:USD > usd 9990, rounding:USD > usd 11, tok > exchange:TOK 333
    COMPLETED + wire_matched          -> known
    COMPLETED + payout_accepted       -> known
    COMPLETED + payout_settled        -> known
    COMPLETED + held                  -> impossible
    COMPLETED + held recalled         -> COMPLETED        | | flagged
    EXPIRED + expired                 -> known
    EXPIRED + wire_matched            -> FUNDS_RECEIVED   | bank > usd 10001 | released, funds_received
    CANCELED + canceled               -> known
    CANCELED + wire_matched           -> REFUND_PENDING   | bank > usd 10001 | funds_received, flagged
    REFUND_PENDING + wire_matched     -> known
    REFUND_PENDING + refund_ordered   -> known
    REFUND_PENDING + refund_started   -> REFUND_SUBMITTED | usd > out:wire:USD 10001
    REFUND_PENDING + held sanctioned  -> IN_REVIEW        | | flagged
    REFUND_PENDING + held liquidity   -> known
    REFUND_SUBMITTED + wire_matched   -> known
    REFUND_SUBMITTED + refund_ordered -> known
    REFUND_SUBMITTED + refund_started -> known
    REFUND_SUBMITTED + refund_accepted -> REFUND_SUBMITTED
    REFUND_SUBMITTED + refund_settled -> REFUNDED         | out:wire:USD > bank 10001 | refunded
    REFUND_SUBMITTED + refund_failed  -> REFUND_FAILED    | out:wire:USD > usd 10001
    REFUND_FAILED + wire_matched      -> known
    REFUND_FAILED + refund_accepted   -> known
    REFUND_FAILED + refund_failed     -> known
    REFUND_FAILED + refund_ordered    -> REFUND_PENDING
    REFUND_FAILED + released          -> REFUND_PENDING
    REFUND_FAILED + written_off       -> WRITTEN_OFF      | usd > suspense:USD 10001 | flagged
    REFUNDED + wire_matched           -> known
    REFUNDED + refund_ordered         -> known
    REFUNDED + refund_accepted        -> known
    REFUNDED + refund_settled         -> known
    WRITTEN_OFF + wire_matched        -> known
    WRITTEN_OFF + payout_accepted     -> known
    WRITTEN_OFF + payout_settled      -> known
    WRITTEN_OFF + payout_failed       -> known
    WRITTEN_OFF + payout_returned     -> known
    WRITTEN_OFF + refund_accepted     -> known
    WRITTEN_OFF + refund_settled      -> known
    WRITTEN_OFF + refund_failed       -> known
    WRITTEN_OFF + written_off         -> known
    `,
  );
});

describe("a wire", () => {
  test.each([
    ["less", 9_000n, "funds_received, amount_adjusted", "FUNDS_RECEIVED", null],
    ["more", 20_000n, "funds_received, amount_adjusted", "FUNDS_RECEIVED", null],
    [
      "more than the account may",
      50_001n,
      "funds_received, amount_adjusted, flagged",
      "IN_REVIEW",
      "above_account_limit",
    ],
  ])("of %s than was asked for is taken as it is", (_, cents, events, state, reason) => {
    const next = tell(newPurchase({ mostCents: asCents(50_000n) }), {
      kind: "wire_matched",
      cents: asCents(cents),
    });
    expect(next.ramp).toMatchObject({ state, reason, cents, heldCents: cents });
    expect(next.events.join(", ")).toBe(events);
  });

  test("of another person waits ten open days for an operator, then goes back", () => {
    const { ramp, dueAt } = tell(newPurchase(), { kind: "wire_matched", isFromHolder: false });
    // Thanksgiving is among the days.
    const deadline = Date.parse("2026-11-30T22:00:00Z");
    expect(ramp).toMatchObject({ reason: "third_party_sender", deadlineAt: deadline });
    expect(dueAt).toBe(deadline);
    const { step } = stepOf(ramp, { kind: "refund_ordered", by: "policy" });
    expect(advance(ramp, step, deadline - 1)).toBe("impossible");
    expect(advance(ramp, step, deadline)).toMatchObject({
      ramp: { state: "REFUND_PENDING", reason: "third_party_sender" },
    });
  });

  test("has to be let pass for every reason, also when one came upon another", () => {
    const wire = { kind: "wire_matched", isFromHolder: false, cents: asCents(60_000n) } as const;
    const frozen = { kind: "held", reason: "sanctioned" } as const;
    const purchase = newPurchase({ mostCents: asCents(50_000n) });
    const story: Told[] = [wire, frozen, "released", "priced"];
    for (const reason of ["third_party_sender", "above_account_limit"]) {
      const held = { state: "IN_REVIEW", reason, heldCents: 60_000n };
      expect(tell(purchase, ...story).ramp).toMatchObject(held);
      story.push("released", "priced");
    }
    expect(tell(purchase, ...story).ramp).toMatchObject({ state: "PRICED", flaggedAt: null });
  });

  test("that is the second one is none of this purchase", () => {
    const { ramp } = tell(newPurchase(), "wire_matched");
    const { step, at } = stepOf(ramp, { kind: "wire_matched", wireId: "wir-2" });
    expect(advance(ramp, step, at)).toBe("impossible");
  });

  test("finds an expired purchase for ninety days, and buys at the price of then", () => {
    const stable = newPurchase({ isStablecoin: true, priceE18: dollars(1) });
    const { ramp: expired } = tell(stable, "expired");
    const { step } = stepOf(expired, "wire_matched");
    const lastMoment = stable.expiresAt + 90 * day;
    expect(advance(expired, step, lastMoment + 1)).toBe("impossible");
    const late = advance(expired, step, lastMoment);
    expect(late).toMatchObject({ ramp: { state: "FUNDS_RECEIVED", isLate: true, reason: null } });
    const { ramp } = tell(stable, "expired", "wire_matched", {
      kind: "priced",
      priceE18: dollars(1.01),
    });
    expect(ramp.priceE18).toBe(dollars(1.01));
  });
});

describe("the price of a purchase", () => {
  test("of a stablecoin is the one of its creation, and its quantity is known from the wire on", () => {
    const stable = newPurchase({
      isStablecoin: true,
      priceE18: dollars(1),
      leastUnits: asUnits(1n),
    });
    expect(tell(stable, "wire_matched").ramp.units).toBe(1_000_100n);
    const { ramp } = tell(stable, "wire_matched", { kind: "priced", priceE18: dollars(1.02) });
    expect(ramp).toMatchObject({ priceE18: dollars(1), units: 1_000_100n });
  });

  test("of anything else is the one of the day, until which the quantity is open", () => {
    expect(tell(newPurchase(), "wire_matched").ramp.units).toBeNull();
    expect(tell(newPurchase(), ...bought).ramp).toMatchObject({
      priceE18: dollars(3000),
      units: 333n,
    });
  });

  test("with a fee leaves less to buy for, and all of it comes back in a refund", () => {
    const charged = newPurchase({ feeCents: asCents(1_001n) });
    expect(showMoves(tell(charged, ...bought).moves)).toBe(
      "usd > fees:USD 1001, usd > exchange:USD 9000, exchange:TOK > tok 300",
    );
    expect(tell(charged, ...bought, "refund_ordered").ramp).toMatchObject({
      heldCents: 10_001n,
      heldUnits: 0n,
    });
  });

  test("sends back what buys less than the least quantity", () => {
    const { ramp, events } = tell(newPurchase({ leastUnits: asUnits(334n) }), ...bought);
    expect(ramp).toMatchObject({ state: "REFUND_PENDING", reason: "below_minimum" });
    expect(ramp.heldCents).toBe(10_001n);
    expect(events).toEqual(["flagged"]);
  });

  test("stops what buys more than the most, until an operator lets it pass", () => {
    const small = newPurchase({ mostUnits: asUnits(332n) });
    expect(tell(small, ...bought).ramp).toMatchObject({
      state: "IN_REVIEW",
      reason: "above_maximum",
      heldCents: 10_001n,
    });
    expect(tell(small, ...bought, "released", "priced").ramp.state).toBe("PRICED");
  });
});

test("a purchase does not expire before its time", () => {
  const { ramp } = tell(newPurchase());
  expect(advance(ramp, { kind: "expired" }, ramp.expiresAt - 1)).toBe("impossible");
  expect(advance(ramp, { kind: "expired" }, ramp.expiresAt)).toMatchObject({
    ramp: { state: "EXPIRED", reason: "expired" },
  });
});

test("a recalled wire of a delivered purchase is flagged until an operator has answered", () => {
  const { ramp } = tell(newPurchase(), ...stories.COMPLETED, { kind: "held", reason: "recalled" });
  expect(ramp).toMatchObject({ state: "COMPLETED", reason: "recalled" });
  expect([ramp.flaggedAt, ramp.completedAt]).not.toContain(null);
  const { step, at } = stepOf(ramp, "released");
  expect(advance(ramp, step, at)).toMatchObject({ ramp: { state: "COMPLETED", flaggedAt: null } });
});
