import { describe, expect, test } from "vitest";
import {
  achSettlement,
  createdAt,
  day,
  dollars,
  minute,
  newSale,
  showMoves,
  stepOf,
  type Told,
  tell,
} from "../../../test/ramp-scene.ts";
import { runTable } from "../../../test/ramp-table.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import type { OffRampState, Ramp } from "../transaction.ts";
import { advance } from "./advance.ts";

const sold: Told[] = ["deposit_seen", "deposit_final", "priced"];
const sent: Told[] = [...sold, "payout_queued", "payout_started"];
const refundOrdered: Told[] = ["deposit_seen", "deposit_final", "refund_ordered"];
const goingBack: Told[] = [...refundOrdered, "refund_queued", "refund_started"];

const stories: Record<OffRampState, Told[]> = {
  AWAITING_DEPOSIT: [],
  DEPOSIT_SEEN: ["deposit_seen"],
  DEPOSIT_FINAL: ["deposit_seen", "deposit_final"],
  IN_REVIEW: [{ kind: "deposit_final", isFromRegistered: false }],
  CONVERTED: sold,
  PAYOUT_QUEUED: [...sold, "payout_queued"],
  PAYOUT_SUBMITTED: sent,
  PAYOUT_FAILED: [...sent, "payout_failed"],
  PAYOUT_RETURNED: [...sent, "payout_returned"],
  COMPLETED: [...sent, "payout_settled"],
  RETURNED_AFTER_COMPLETION: [...sent, "payout_settled", "payout_returned"],
  EXPIRED: ["expired"],
  CANCELED: ["canceled"],
  REFUND_PENDING: [...refundOrdered, "refund_queued"],
  REFUND_SUBMITTED: goingBack,
  REFUND_FAILED: [...goingBack, "refund_failed"],
  REFUNDED: [...goingBack, "refund_settled"],
  WRITTEN_OFF: [...goingBack, "refund_failed", "written_off"],
};

/** Of a payout that is over. Whether its rail contradicts itself is seen where payouts are kept. */
const oldPayout = [
  "payout_accepted",
  "payout_settled",
  "payout_failed",
  "payout_returned",
  "refund_accepted",
  "refund_settled",
  "refund_failed",
].map((kind) => `WRITTEN_OFF + ${kind} -> known`);

/** In every state after the deposit, its news are old. */
const oldDeposit = (
  [
    "CONVERTED",
    "PAYOUT_QUEUED",
    "PAYOUT_SUBMITTED",
    "PAYOUT_FAILED",
    "PAYOUT_RETURNED",
    "COMPLETED",
    "RETURNED_AFTER_COMPLETION",
    "REFUND_PENDING",
    "REFUND_SUBMITTED",
    "REFUND_FAILED",
    "REFUNDED",
    "WRITTEN_OFF",
  ] satisfies OffRampState[]
).flatMap((state) => [
  `${state} + deposit_seen -> known`,
  `${state} + deposit_seen another -> impossible`,
  `${state} + deposit_final -> known`,
  `${state} + deposit_final another -> impossible`,
  `${state} + wrong_token -> known`,
]);

describe("a sale", () => {
  runTable(
    newSale(),
    stories,
    `
    AWAITING_DEPOSIT + deposit_seen   -> DEPOSIT_SEEN     | | funds_seen
    AWAITING_DEPOSIT + deposit_final  -> DEPOSIT_FINAL    | unswept:TOK > tok 100001 | funds_received
    AWAITING_DEPOSIT + deposit_gone   -> known
    AWAITING_DEPOSIT + wrong_token    -> AWAITING_DEPOSIT | | flagged
    AWAITING_DEPOSIT + expired        -> EXPIRED          | | expired
    AWAITING_DEPOSIT + canceled       -> CANCELED         | | canceled
    DEPOSIT_SEEN + deposit_seen       -> known
    DEPOSIT_SEEN + deposit_seen another -> DEPOSIT_SEEN   | | funds_seen
    DEPOSIT_SEEN + deposit_final      -> DEPOSIT_FINAL    | unswept:TOK > tok 100001 | funds_received
    DEPOSIT_SEEN + deposit_final another -> DEPOSIT_SEEN  | unswept:TOK > tok 100001
    DEPOSIT_SEEN + deposit_gone       -> AWAITING_DEPOSIT
    DEPOSIT_SEEN + wrong_token        -> known
    DEPOSIT_FINAL + deposit_seen      -> known
    DEPOSIT_FINAL + deposit_seen another -> DEPOSIT_SEEN  | | funds_seen
    DEPOSIT_FINAL + deposit_final     -> known
    DEPOSIT_FINAL + deposit_final another -> DEPOSIT_FINAL | unswept:TOK > tok 100001 | funds_received, amount_adjusted
    DEPOSIT_FINAL + wrong_token       -> known
    DEPOSIT_FINAL + priced            -> CONVERTED        | tok > exchange:TOK 100000, tok > rounding:TOK 1, exchange:USD > usd 3000, usd > fees:USD 2500 | priced
    DEPOSIT_FINAL + held              -> IN_REVIEW        | | flagged
    DEPOSIT_FINAL + held liquidity    -> DEPOSIT_FINAL    | | flagged
    DEPOSIT_FINAL + refund_ordered    -> REFUND_PENDING   | tok > fees:TOK 1000 | flagged
    IN_REVIEW + deposit_seen          -> known
    IN_REVIEW + deposit_seen another  -> IN_REVIEW        | | funds_seen
    IN_REVIEW + deposit_final         -> known
    IN_REVIEW + deposit_final another -> IN_REVIEW        | unswept:TOK > tok 100001 | funds_received, amount_adjusted
    IN_REVIEW + wrong_token           -> known
    IN_REVIEW + held                  -> IN_REVIEW        | | flagged
    IN_REVIEW + released              -> DEPOSIT_FINAL    | | released
    IN_REVIEW + refund_ordered        -> REFUND_PENDING   | tok > fees:TOK 1000
    CONVERTED + payout_queued         -> PAYOUT_QUEUED
    CONVERTED + held                  -> IN_REVIEW        | | flagged
    CONVERTED + held liquidity        -> CONVERTED        | | flagged
    CONVERTED + refund_ordered        -> REFUND_PENDING   | fees:USD > usd 2500, usd > exchange:USD 3000, exchange:TOK > tok 100000, tok > fees:TOK 1000 | flagged
    PAYOUT_QUEUED + payout_started    -> PAYOUT_SUBMITTED | usd > out:wire:USD 500 | payout_submitted
    PAYOUT_QUEUED + held              -> IN_REVIEW        | | flagged
    PAYOUT_QUEUED + refund_ordered    -> REFUND_PENDING   | fees:USD > usd 2500, usd > exchange:USD 3000, exchange:TOK > tok 100000, tok > fees:TOK 1000 | flagged
    PAYOUT_SUBMITTED + payout_started -> known
    PAYOUT_SUBMITTED + payout_accepted -> PAYOUT_SUBMITTED
    PAYOUT_SUBMITTED + payout_settled -> COMPLETED        | out:wire:USD > bank 500 | completed
    PAYOUT_SUBMITTED + payout_failed  -> PAYOUT_FAILED    | out:wire:USD > usd 500 | flagged
    PAYOUT_SUBMITTED + payout_returned -> PAYOUT_RETURNED | out:wire:USD > usd 500 | returned
    PAYOUT_FAILED + payout_accepted   -> known
    PAYOUT_FAILED + payout_failed     -> known
    PAYOUT_FAILED + payout_queued     -> PAYOUT_QUEUED    | | released
    PAYOUT_FAILED + account_replaced  -> CONVERTED        | | released
    PAYOUT_FAILED + held              -> IN_REVIEW        | | flagged
    PAYOUT_FAILED + held liquidity    -> PAYOUT_FAILED    | | flagged
    PAYOUT_FAILED + released          -> CONVERTED        | | released
    PAYOUT_FAILED + refund_ordered    -> REFUND_PENDING   | fees:USD > usd 2500, usd > exchange:USD 3000, exchange:TOK > tok 100000, tok > fees:TOK 1000
    PAYOUT_RETURNED + payout_accepted -> known
    PAYOUT_RETURNED + payout_settled  -> known
    PAYOUT_RETURNED + payout_returned -> known
    PAYOUT_RETURNED + account_replaced -> CONVERTED       | | released
    PAYOUT_RETURNED + refund_ordered  -> REFUND_PENDING   | usd > exchange:USD 500, exchange:TOK > tok 16666, tok > fees:TOK 1000
    COMPLETED + payout_accepted       -> known
    COMPLETED + payout_settled        -> known
    COMPLETED + window_closed         -> known
    COMPLETED + payout_returned       -> RETURNED_AFTER_COMPLETION | bank > usd 500 | returned
    RETURNED_AFTER_COMPLETION + payout_accepted  -> known
    RETURNED_AFTER_COMPLETION + payout_settled   -> known
    RETURNED_AFTER_COMPLETION + payout_returned  -> known
    RETURNED_AFTER_COMPLETION + account_replaced -> CONVERTED
    RETURNED_AFTER_COMPLETION + refund_ordered   -> REFUND_PENDING | usd > exchange:USD 500, exchange:TOK > tok 16666, tok > fees:TOK 1000
    RETURNED_AFTER_COMPLETION + written_off      -> WRITTEN_OFF    | usd > suspense:USD 500 | flagged
    EXPIRED + expired                 -> known
    EXPIRED + deposit_seen            -> DEPOSIT_SEEN     | | funds_seen
    EXPIRED + deposit_final           -> DEPOSIT_FINAL    | unswept:TOK > tok 100001 | released, funds_received
    EXPIRED + deposit_gone            -> known
    EXPIRED + wrong_token             -> known
    CANCELED + canceled               -> known
    CANCELED + deposit_seen           -> DEPOSIT_SEEN     | | funds_seen
    CANCELED + deposit_final          -> DEPOSIT_FINAL    | unswept:TOK > tok 100001 | released, funds_received
    CANCELED + deposit_gone           -> known
    CANCELED + wrong_token            -> known
    REFUND_PENDING + refund_ordered   -> known
    REFUND_PENDING + refund_started   -> REFUND_SUBMITTED | tok > out:chain:TOK 99001
    REFUND_PENDING + held sanctioned  -> IN_REVIEW        | | flagged
    REFUND_SUBMITTED + refund_ordered -> known
    REFUND_SUBMITTED + refund_started -> known
    REFUND_SUBMITTED + refund_accepted -> REFUND_SUBMITTED
    REFUND_SUBMITTED + refund_settled -> REFUNDED         | out:chain:TOK > hot:TOK 99001 | refunded
    REFUND_SUBMITTED + refund_failed  -> REFUND_FAILED    | out:chain:TOK > tok 99001
    REFUND_FAILED + refund_accepted   -> known
    REFUND_FAILED + refund_failed     -> known
    REFUND_FAILED + refund_ordered    -> REFUND_PENDING
    REFUND_FAILED + released          -> REFUND_PENDING
    REFUND_FAILED + written_off       -> WRITTEN_OFF      | tok > suspense:TOK 99001 | flagged
    REFUNDED + refund_ordered         -> known
    REFUNDED + refund_accepted        -> known
    REFUNDED + refund_settled         -> known
    WRITTEN_OFF + written_off         -> known
    ${[...oldPayout, ...oldDeposit].join("\n")}`,
  );
});

describe("the price of a sale", () => {
  const afterLock = createdAt + 15 * minute + 1;
  const at = (blockTime: number): Told => ({ kind: "deposit_final", blockTime });
  const priced = (price: number): Told => ({ kind: "priced", priceE18: dollars(price) });

  test("is the one of its creation when the deposit's block is in time, however late we see it", () => {
    const { ramp } = tell(newSale(), at(afterLock - 1), priced(2));
    expect(ramp).toMatchObject({ state: "CONVERTED", priceE18: dollars(3), cents: 500n });
  });

  test("is the one of the day afterwards, for better", () => {
    const { ramp } = tell(newSale(), at(afterLock), priced(4));
    expect(ramp).toMatchObject({ priceE18: dollars(4), grossCents: 4_000n, cents: 1_500n });
  });

  test("is the one of the day afterwards, for worse up to one percent of the proceeds", () => {
    const free = newSale({ feeCents: asCents(0n), cents: asCents(3_000n) });
    expect(tell(free, at(afterLock), priced(2.97)).ramp).toMatchObject({ cents: 2_970n });
    expect(tell(free, at(afterLock), priced(2.969)).ramp).toMatchObject({
      state: "IN_REVIEW",
      reason: "price_moved",
      cents: 2_969n,
    });
  });

  test("that moved is offered for a day, and compared once more when it is accepted", () => {
    const accepted: Told = { kind: "released", by: "customer" };
    const moved: Told[] = [at(afterLock), priced(2.9)];
    const offered = tell(newSale(), ...moved);
    expect(offered.dueAt).toBe(offered.ramp.updatedAt + day);
    expect(tell(newSale(), ...moved, accepted, priced(2.9)).ramp.state).toBe("CONVERTED");
    expect(tell(newSale(), ...moved, accepted, priced(2.8)).ramp).toMatchObject({
      state: "IN_REVIEW",
      priceE18: dollars(2.8),
    });
  });

  test("of a stablecoin never changes", () => {
    const { ramp } = tell(newSale({ isStablecoin: true }), at(afterLock), priced(2));
    expect(ramp).toMatchObject({ state: "CONVERTED", priceE18: dollars(3) });
  });

  test("is no longer promised to what is in a block after it was canceled", () => {
    const canceled: Told = { kind: "canceled", at: 2 * minute };
    const { ramp } = tell(newSale(), canceled, at(createdAt + 3 * minute), priced(4));
    expect(ramp).toMatchObject({ priceE18: dollars(4), isLate: true });
    const before = tell(newSale(), canceled, at(createdAt + 2 * minute), priced(4));
    expect(before.ramp.priceE18).toBe(dollars(3));
  });
});

describe("an ACH payment", () => {
  const ach = newSale({ settlementMethod: "ACH", feeCents: asCents(0n) });
  const settled: Told[] = [...sent, "payout_accepted", "payout_settled"];

  test("is delivered when it was confirmed and its window has closed", () => {
    const waiting = tell(ach, ...settled);
    expect(waiting.ramp).toMatchObject({ state: "PAYOUT_SUBMITTED", completedAt: null });
    expect(showMoves(waiting.moves)).toBe("out:ach:USD > bank 3000");
    const closesAt = createdAt + 5 * day;
    expect(waiting.dueAt).toBe(closesAt);
    expect(advance(waiting.ramp, { kind: "window_closed" }, closesAt - 1)).toBe("impossible");
    expect(advance(waiting.ramp, { kind: "window_closed" }, closesAt)).toMatchObject({
      ramp: { state: "COMPLETED", completedAt: closesAt },
    });
  });

  test("that settled later than planned is delivered when the later window has closed", () => {
    const closesAt = createdAt + 9 * day;
    const settlement = { ...achSettlement, settleOn: "2026-11-20", windowClosesAt: closesAt };
    const { ramp, dueAt } = tell(ach, ...sent, { kind: "payout_settled", settlement });
    expect(dueAt).toBe(closesAt);
    expect(advance(ramp, { kind: "window_closed" }, closesAt - 1)).toBe("impossible");
    expect(advance(ramp, { kind: "window_closed" }, closesAt)).toMatchObject({
      ramp: { state: "COMPLETED", settlement },
    });
  });

  test("is not delivered by a window that closed without a confirmation", () => {
    const { ramp, dueAt } = tell(ach, ...sent, "payout_accepted");
    expect(advance(ramp, { kind: "window_closed" }, dueAt ?? 0)).toBe("impossible");
  });

  test("that was confirmed comes back from the bank, and its account is stopped", () => {
    const { ramp, moves, orders } = tell(ach, ...settled, "payout_returned");
    expect(ramp).toMatchObject({ state: "PAYOUT_RETURNED", heldCents: 3_000n });
    expect(showMoves(moves)).toBe("bank > usd 3000");
    expect(orders).toEqual([{ kind: "stop_bank_account", bankAccountId: "bac-1", code: "R03" }]);
  });
});

describe("a payout that came back", () => {
  test("waits ten open days for another account, then goes back as crypto", () => {
    const { ramp, dueAt } = tell(newSale(), ...stories.PAYOUT_RETURNED);
    expect(dueAt).toBe(Date.parse("2026-11-30T22:00:00Z"));
    const { step } = stepOf(ramp, { kind: "refund_ordered", by: "policy" });
    expect(advance(ramp, step, (dueAt ?? 0) - 1)).toBe("impossible");
    expect(advance(ramp, step, dueAt ?? 0)).toMatchObject({ ramp: { state: "REFUND_PENDING" } });
  });

  test("after its delivery stays a problem until it is delivered again", () => {
    const again: Told[] = ["account_replaced", "payout_queued", "payout_started"];
    const story = [...stories.RETURNED_AFTER_COMPLETION, ...again];
    const { ramp: first } = tell(newSale(), ...stories.COMPLETED);
    const { ramp } = tell(newSale(), ...story);
    expect(ramp).toMatchObject({ bankAccountId: "bac-2", reason: "late_return" });
    expect(ramp.flaggedAt).not.toBeNull();
    expect(tell(newSale(), ...story, "payout_settled").ramp).toMatchObject({
      state: "COMPLETED",
      flaggedAt: null,
      completedAt: first.completedAt,
    });
  });

  test("through no fault of the account gives the fee back with the refund", () => {
    const returned: Told = { kind: "payout_returned", isAccountAtFault: false };
    const { ramp, orders } = tell(newSale(), ...sent, returned);
    expect(orders).toEqual([]);
    const refund = stepOf(ramp, "refund_ordered");
    expect(advance(ramp, refund.step, refund.at)).toMatchObject({
      ramp: { heldUnits: asUnits(99_000n), heldCents: 0n },
    });
  });
});

describe("a payout that came back and that a person has to look at", () => {
  const ach = newSale({ settlementMethod: "ACH", feeCents: asCents(0n) });
  const settled: Told[] = [...sent, "payout_settled"];
  const closed: Told = { kind: "window_closed", at: 5 * day };
  const unexplained: Told = {
    ...{ kind: "payout_returned", code: "R10" },
    ...{ isAccountAtFault: false, review: "unexplained_return" },
  };
  const refused: Told = { kind: "payout_returned", code: "R23", review: "returned_by_receiver" };
  const outcomeOf = (ramp: Ramp, told: Told) => {
    const { step, at } = stepOf(ramp, told);
    return advance(ramp, step, at);
  };
  const byOthers: Told[] = [
    { kind: "released", by: "customer" },
    { kind: "released", by: "policy" },
  ];

  test.each<[string, Told[], string, string]>([
    ["before it settled", sent, "out:ach:USD", "PAYOUT_RETURNED"],
    ["after it settled", settled, "bank", "PAYOUT_RETURNED"],
    ["after it was delivered", [...settled, closed], "bank", "RETURNED_AFTER_COMPLETION"],
  ])("without an explanation lies in suspense: %s", (_, story, from, state) => {
    const { ramp, moves, events, dueAt } = tell(ach, ...story, unexplained);
    expect(ramp).toMatchObject({ state, reason: "unexplained_return", heldCents: 0n });
    expect(showMoves(moves)).toBe(`${from} > suspense:USD 3000`);
    expect(events).toEqual(["returned"]);
    expect(dueAt).toBe(ramp.updatedAt + day);
    const impossible: Told[] = ["account_replaced", "refund_ordered", ...byOthers];
    for (const told of impossible) expect(outcomeOf(ramp, told)).toBe("impossible");
    for (const told of [unexplained, "payout_settled"] as Told[])
      expect(outcomeOf(ramp, told)).toBe("known");
  });

  test.each<[Told[], Partial<Ramp>]>([
    [sent, { state: "PAYOUT_RETURNED", reason: "payout_returned" }],
    [[...settled, closed], { state: "RETURNED_AFTER_COMPLETION", reason: "late_return" }],
  ])("without an explanation is like any other when an operator has it", (story, after) => {
    const { ramp, moves } = tell(ach, ...story, unexplained, "released");
    expect(ramp).toMatchObject({ ...after, heldCents: 3_000n });
    expect(showMoves(moves)).toBe("suspense:USD > usd 3000");
    expect(outcomeOf(ramp, "released")).toBe("impossible");
    expect(tell(ramp, "account_replaced").ramp).toMatchObject({ state: "CONVERTED" });
    expect(tell(ramp, "refund_ordered").ramp).toMatchObject({ state: "REFUND_PENDING" });
  });

  test.each<[Told[]]>([[sent], [[...settled, closed]]])(
    "without an explanation can stay in suspense for good",
    (story) => {
      const { ramp, moves } = tell(ach, ...story, unexplained, "written_off");
      expect(ramp).toMatchObject({ state: "WRITTEN_OFF", heldCents: 0n });
      expect(moves).toEqual([]);
    },
  );

  test("because of the receiver waits inside until an operator lets the customer name another account", () => {
    const { ramp, moves, orders } = tell(ach, ...sent, refused);
    expect(ramp).toMatchObject({ state: "IN_REVIEW", reason: "returned_by_receiver" });
    expect(showMoves(moves)).toBe("out:ach:USD > usd 3000");
    expect(orders).toMatchObject([{ kind: "stop_bank_account", code: "R23" }]);
    const impossible: Told[] = ["account_replaced", "written_off", ...byOthers];
    for (const told of impossible) expect(outcomeOf(ramp, told)).toBe("impossible");
    for (const told of ["held", refused, "payout_settled", "payout_accepted"] as Told[])
      expect(outcomeOf(ramp, told)).toBe("known");
    const released = tell(ach, ...sent, refused, "released");
    expect(released.ramp).toMatchObject({ state: "PAYOUT_RETURNED", heldCents: 3_000n });
    expect([released.moves, released.ramp.deadlineAt]).toEqual([[], expect.any(Number)]);
    expect(tell(ach, ...sent, refused, "refund_ordered").ramp.state).toBe("REFUND_PENDING");
  });

  test("because of the receiver, but late, is a late return", () => {
    expect(tell(ach, ...settled, closed, refused).ramp).toMatchObject({
      ...{ state: "RETURNED_AFTER_COMPLETION", reason: "late_return", heldCents: 3_000n },
    });
  });
});
