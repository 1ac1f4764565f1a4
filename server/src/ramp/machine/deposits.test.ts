import { describe, expect, test } from "vitest";
import { createdAt, day, newSale, stepOf, type Told, tell } from "../../../test/ramp-scene.ts";
import { asCents, asUnits } from "../../lib/money.ts";
import type { OffRamp } from "../transaction.ts";
import { advance } from "./advance.ts";

const units = (amount: number) => asUnits(BigInt(amount));
const final = (
  amount: number,
  facts: { depositId?: `dep-${string}`; isFromRegistered?: boolean } = {},
) => ({ kind: "deposit_final", units: units(amount), ...facts }) as const;

/** A token at 3 dollars: a dollar is 3333 units. */
const bounded = newSale({
  feeCents: asCents(0n),
  leastUnits: units(100_001),
  mostUnits: units(300_000),
  mostCents: asCents(6_000n),
});

describe("what comes", () => {
  test.each<[string, Partial<OffRamp>, Told, object, string]>([
    [
      "exactly as asked for is sold",
      {},
      final(100_001),
      { state: "DEPOSIT_FINAL", units: 100_001n },
      "funds_received",
    ],
    [
      "a dollar short is sold as it is, also below the least quantity",
      {},
      final(96_668),
      { state: "DEPOSIT_FINAL", units: 96_668n, cents: 2_900n },
      "funds_received",
    ],
    [
      "short by more is held below the least quantity",
      {},
      final(96_667),
      { state: "IN_REVIEW", reason: "below_minimum", units: 96_667n },
      "funds_received, amount_adjusted, flagged",
    ],
    [
      "short is sold when it is no less than the least quantity",
      { leastUnits: units(50_000) },
      final(60_000),
      { state: "DEPOSIT_FINAL", cents: 1_800n },
      "funds_received, amount_adjusted",
    ],
    [
      "and leaves nothing after the fee is held",
      { feeCents: asCents(3_000n) },
      final(100_001),
      { state: "IN_REVIEW", reason: "below_minimum", cents: 0n },
      "funds_received, flagged",
    ],
    [
      "in excess is sold as it is",
      {},
      final(200_000),
      { state: "DEPOSIT_FINAL", cents: 6_000n },
      "funds_received, amount_adjusted",
    ],
    [
      "above the account's limit is held",
      {},
      final(200_034),
      { state: "IN_REVIEW", reason: "above_account_limit" },
      "funds_received, amount_adjusted, flagged",
    ],
    [
      "above the token's most is held",
      {},
      final(300_001),
      { state: "IN_REVIEW", reason: "above_maximum" },
      "funds_received, amount_adjusted, flagged",
    ],
    [
      "from another address than the registered one is held",
      {},
      final(100_001, { isFromRegistered: false }),
      { state: "IN_REVIEW", reason: "unregistered_sender" },
      "funds_received, flagged",
    ],
    [
      "for a sale of so many dollars is compared with what those need",
      { askedUnits: null, askedCents: asCents(3_000n), leastUnits: units(100_000) },
      final(99_999),
      { state: "DEPOSIT_FINAL" },
      "funds_received",
    ],
  ])("%s", (_, facts, told, expected, events) => {
    const next = tell({ ...bounded, ...facts }, told);
    expect(next.ramp).toMatchObject(expected);
    expect(next.events.join(", ")).toBe(events);
  });
});

describe("more of what was too little", () => {
  const short = final(50_000);
  const more = { depositId: "dep-2", units: units(50_001) } as const;

  test("adds up", () => {
    const { ramp, events } = tell(bounded, short, { kind: "deposit_final", ...more });
    expect(ramp).toMatchObject({ state: "DEPOSIT_FINAL", reason: null, units: 100_001n });
    expect(events).toEqual(["released", "funds_received"]);
  });

  test("may take another day from when it is seen", () => {
    const held = tell(bounded, short);
    expect(held.dueAt).toBe(held.ramp.updatedAt + day);
    const seen = tell(bounded, short, { kind: "deposit_seen", ...more });
    expect(seen.dueAt).toBe(seen.ramp.updatedAt + day);
    expect(seen.ramp.state).toBe("IN_REVIEW");
  });

  test("does not come from a stranger", () => {
    const { ramp } = tell(bounded, short, {
      ...final(50_001, { isFromRegistered: false }),
      ...more,
    });
    expect(ramp).toMatchObject({ state: "IN_REVIEW", reason: "unregistered_sender" });
  });

  test("that does not come in time sends back what there is, less the network's fee", () => {
    const { ramp, dueAt } = tell(bounded, short);
    const { step } = stepOf(ramp, { kind: "refund_ordered", by: "policy" });
    expect(advance(ramp, step, dueAt ?? 0)).toMatchObject({
      ramp: { state: "REFUND_PENDING", heldUnits: 49_000n, reason: "below_minimum" },
    });
  });

  test("is kept for the customer when there is less than the network's fee", () => {
    const refund: Told = { kind: "refund_ordered", gasUnits: units(50_000) };
    const { ramp, moves } = tell(bounded, short, refund);
    expect(ramp).toMatchObject({ state: "REFUNDED", reason: "dust", heldUnits: 0n });
    expect(moves).toMatchObject([{ to: "suspense:TOK.base", amount: 50_000n }]);
  });
});

describe("several deposits", () => {
  const second = { depositId: "dep-2" } as const;

  test("are sold once all of them are final", () => {
    const half = { units: units(50_000) };
    const { ramp } = tell(
      newSale({ feeCents: asCents(0n) }),
      { kind: "deposit_seen", ...half },
      { kind: "deposit_seen", ...half, ...second },
      { kind: "deposit_final", ...half, ...second },
    );
    expect(ramp).toMatchObject({ state: "DEPOSIT_SEEN", heldUnits: 50_000n });
    expect(
      advance(ramp, { kind: "deposit_gone", depositId: "dep-1" }, ramp.updatedAt),
    ).toMatchObject({
      ramp: { state: "DEPOSIT_FINAL", units: 50_000n },
    });
  });

  test("get the price of the newest block", () => {
    const { ramp } = tell(newSale(), "deposit_seen", {
      kind: "deposit_seen",
      ...second,
      blockTime: createdAt + day,
    });
    expect(ramp).toMatchObject({ depositedAt: createdAt + day });
    const gone = advance(ramp, { kind: "deposit_gone", ...second }, ramp.updatedAt);
    expect(gone).toMatchObject({ ramp: { depositedAt: createdAt + 60_000 } });
  });

  test("do not lose one that was final", () => {
    const { ramp } = tell(newSale(), "deposit_final");
    const { step, at } = stepOf(ramp, "deposit_gone");
    expect(advance(ramp, step, at)).toBe("impossible");
  });
});

describe("a late deposit", () => {
  test.each(["expired", "canceled"] as const)(
    "leaves what is %s as it was when it is taken back",
    (end) => {
      const before = tell(newSale(), end).ramp;
      const seen = tell(newSale(), end, "deposit_seen").ramp;
      expect(seen).toMatchObject({ state: "DEPOSIT_SEEN", isLate: true, reason: end });
      const after = tell(newSale(), end, "deposit_seen", "deposit_gone").ramp;
      expect(after).toEqual({ ...before, version: 4, updatedAt: after.updatedAt });
    },
  );

  test("is taken for ninety days", () => {
    const { ramp } = tell(newSale(), "expired");
    const { step } = stepOf(ramp, "deposit_seen");
    expect(advance(ramp, step, createdAt + 90 * day)).toMatchObject({ ramp: { isLate: true } });
    expect(advance(ramp, step, createdAt + 90 * day + 1)).toBe("impossible");
    const seen = tell(newSale(), "expired", "deposit_seen").ramp;
    const final = stepOf(seen, "deposit_final").step;
    expect(advance(seen, final, createdAt + 91 * day)).toMatchObject({
      ramp: { state: "DEPOSIT_FINAL" },
    });
  });
});

test("the right token ends what a wrong one stopped", () => {
  expect(tell(newSale(), "wrong_token").ramp).toMatchObject({ reason: "wrong_token" });
  const { ramp, events } = tell(newSale(), "wrong_token", "deposit_seen");
  expect(ramp).toMatchObject({ state: "DEPOSIT_SEEN", reason: null, flaggedAt: null });
  expect(events).toEqual(["released", "funds_seen"]);
});
