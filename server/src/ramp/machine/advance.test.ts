import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dollars,
  newPurchase,
  newSale,
  stepKinds,
  stepOf,
  type Told,
} from "../../../test/ramp-scene.ts";
import { parseBigints, stringifyBigints } from "../../lib/bigint-json.ts";
import { asCents, asUnits, type PriceE18 } from "../../lib/money.ts";
import { entriesOf } from "../ledger/entries.ts";
import { centsNeeded, grossCents } from "../pricing.ts";
import type { Advance, Step, TransactionEvent } from "../step.ts";
import { isOpen, offRampStates, onRampStates, type Ramp, type State } from "../transaction.ts";
import { advance, replay, start } from "./advance.ts";

/** What a transaction goes through when all is well, or on its way back. */
const usual = [
  "wire_matched",
  "deposit_final",
  "released",
  "priced",
  "payout_queued",
  "payout_started",
  "payout_settled",
  "payout_failed",
  "window_closed",
  "account_replaced",
  "refund_queued",
  "refund_started",
  "refund_failed",
] as const;

/** Everything that may be told of a transaction, sensible or not; most of it is refused most of the time. */
const told: fc.Arbitrary<Told> = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...usual) },
  { weight: 8, arbitrary: fc.constantFrom(...stepKinds) },
  fc.record({
    kind: fc.constant("wire_matched" as const),
    cents: fc.bigInt(1n, 30_000n).map(asCents),
    isFromHolder: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom("deposit_seen" as const, "deposit_final" as const),
    depositId: fc.constantFrom("dep-1" as const, "dep-2" as const, "dep-3" as const),
    units: fc.bigInt(1n, 400_000n).map(asUnits),
  }),
  fc.record({
    kind: fc.constant("deposit_gone" as const),
    depositId: fc.constantFrom("dep-1" as const, "dep-2" as const, "dep-3" as const),
  }),
  fc.record({
    kind: fc.constant("priced" as const),
    priceE18: fc.integer({ min: 1, max: 5_000_000 }).map((milli) => dollars(milli / 1_000)),
  }),
  fc.record({
    kind: fc.constant("held" as const),
    reason: fc.constantFrom("sanctioned", "liquidity", "peg_guard", "price_moved", "recalled"),
  }),
  fc.record({
    kind: fc.constant("released" as const),
    by: fc.constantFrom("customer" as const, "policy" as const),
  }),
  fc.record({
    kind: fc.constant("refund_ordered" as const),
    by: fc.constantFrom("policy" as const, "operator:key-1" as const),
    priceE18: fc.option(fc.integer({ min: 1, max: 9_000 }).map((milli) => dollars(milli / 1_000))),
    gasUnits: fc.bigInt(0n, 60_000n).map(asUnits),
  }),
  fc.record({
    kind: fc.constant("payout_returned" as const),
    isAccountAtFault: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom("payout_settled" as const, "payout_failed" as const),
    payoutId: fc.constantFrom("pay-1" as const, "pay-2" as const, "pay-7" as const),
  }),
);

const bounds = {
  feeCents: fc.constantFrom(0n, 1n, 2_500n).map(asCents),
  isStablecoin: fc.boolean(),
  leastUnits: fc.constantFrom(1n, 1n, 100n, 90_000n).map(asUnits),
  mostUnits: fc.constantFrom(null, asUnits(300_000n)),
  mostCents: fc.constantFrom(null, asCents(20_000n)),
};
const created: fc.Arbitrary<Ramp> = fc.oneof(
  fc.record(bounds).map(newPurchase),
  fc
    .record({ ...bounds, settlementMethod: fc.constantFrom("ACH" as const, "WIRE" as const) })
    .map(newSale),
);

/** A step, and how many hours pass before it. */
type Event = { told: Told; hours: number };
/** Long enough to come to an end and beyond it, as only what is possible counts. */
const story = fc.array(fc.record<Event>({ told, hours: fc.constantFrom(0, 0, 1, 30, 300) }), {
  minLength: 120,
  maxLength: 200,
});

type Taken = { step: Step; at: number; before: Ramp; after: Advance };

function run(ramp: Ramp, events: readonly Event[]): Taken[] {
  const taken: Taken[] = [];
  let current = start(ramp).ramp;
  for (const { told, hours } of events) {
    const next = stepOf(current, told);
    const at = Math.max(next.at, current.updatedAt + hours * 3_600_000);
    const after = advance(current, next.step, at);
    if (typeof after === "string") continue;
    taken.push({ step: next.step, at, before: current, after });
    current = after.ramp;
  }
  return taken;
}

/** The books after the steps: what each account was credited, less what it was debited. */
function booksOf(taken: readonly Taken[]): (account: string) => bigint {
  const entries = entriesOf(taken.flatMap(({ after }) => after.moves));
  return (account) => entries.find((entry) => entry.account === account)?.amount ?? 0n;
}

const inside = { usd: "transaction:txn-1:USD", token: "transaction:txn-1:TOK.base" };

const everyStory = (check: (ramp: Ramp, taken: readonly Taken[]) => void) =>
  fc.assert(
    fc.property(created, story, (ramp, events) => check(ramp, run(ramp, events))),
    { numRuns: 100 },
  );

const everyStep = (check: (one: Taken, soFar: readonly Taken[]) => void) =>
  everyStory((_, taken) => {
    for (const [index, one] of taken.entries()) check(one, taken.slice(0, index + 1));
  });

describe("whatever happens, in whatever order", () => {
  test("a transaction gives no more than it has, and knows what that is", () => {
    everyStep(({ after }, soFar) => {
      const books = booksOf(soFar);
      const { heldCents, heldUnits } = after.ramp;
      expect([books(inside.usd), books(inside.token)]).toEqual([heldCents, heldUnits]);
      expect(heldCents >= 0n && heldUnits >= 0n).toBe(true);
      expect(after.moves.every(({ amount }) => amount > 0n)).toBe(true);
    });
  });

  test("nothing is left inside at an end, and every open transaction has a next time", () => {
    everyStep(({ after: { ramp, dueAt } }) => {
      if (!isOpen(ramp)) expect([ramp.heldCents, ramp.heldUnits]).toEqual([0n, 0n]);
      expect(dueAt === null).toBe(!isOpen(ramp));
    });
  });

  test("every cent and unit that came in is paid, charged, rounded, sent back, kept or inside", () => {
    everyStory((ramp, taken) => {
      const books = booksOf(taken);
      const last = taken.at(-1)?.after.ramp ?? ramp;
      const usdEnds = ["bank:main", "out:wire", "out:ach", "fees", "rounding", "suspense"];
      const tokenEnds = ["hot", "unswept", "out:chain", "fees", "rounding", "suspense"];
      const sum = (ends: string[], asset: string) =>
        ends.reduce((total, end) => total + books(`${end}:${asset}`), 0n);
      expect(sum(usdEnds, "USD") + last.heldCents + books("exchange:USD")).toBe(0n);
      expect(sum(tokenEnds, "TOK.base") + last.heldUnits + books("exchange:TOK.base")).toBe(0n);
    });
  });

  test("each exchange is worth the same on both sides, to the cent", () => {
    everyStep((one) => {
      const books = booksOf([one]);
      const [usd, units] = [books("exchange:USD"), books("exchange:TOK.base")];
      expect(usd > 0n).toBe(units < 0n);
      if (usd === 0n) return;
      const size = asUnits(units < 0n ? -units : units);
      const price = exchangePrice(one);
      const worth = [grossCents(size, price, 4), centsNeeded(size, price, 4)];
      expect(worth).toContain(usd < 0n ? -usd : usd);
    });
  });

  test("the customer gets what the transaction says", () => {
    everyStep(({ before, after }, soFar) => {
      const { ramp } = after;
      if (ramp.state !== "COMPLETED" || before.state === "COMPLETED") return;
      const books = booksOf(soFar);
      const paid =
        ramp.type === "OFF_RAMP"
          ? { units: -books("unswept:TOK.base"), cents: books("bank:main:USD") }
          : { units: books("hot:TOK.base"), cents: -books("bank:main:USD") };
      expect(paid).toEqual({ units: ramp.units, cents: ramp.cents });
    });
  });

  test("two times say whether it is on its way, stopped, delivered, or delivered with a problem", () => {
    everyStep(({ before, after: { ramp } }) => {
      const isDelivered = ramp.completedAt !== null;
      expect(ramp.state === "COMPLETED" && !isDelivered).toBe(false);
      const isStopped = stopped.has(ramp.state) || (isDelivered && ramp.state !== "COMPLETED");
      if (isStopped) expect(ramp.flaggedAt).not.toBeNull();
      expect(ramp.flaggedAt === null).toBe(ramp.reason === null);
      expect(before.completedAt ?? ramp.completedAt).toBe(ramp.completedAt);
    });
  });

  test("every stop and every going on is told", () => {
    const stops: TransactionEvent[] = ["flagged", "expired", "canceled", "returned", "refunded"];
    everyStep(({ before, after: { ramp, events } }) => {
      const wasStopped = before.flaggedAt !== null;
      const isStopped = ramp.flaggedAt !== null;
      if (isStopped && !wasStopped) expect(stops.some((stop) => events.includes(stop))).toBe(true);
      if (isStopped && wasStopped) expect(ramp.flaggedAt).toBe(before.flaggedAt);
      expect(events.includes("released")).toBe(wasStopped && !isStopped);
    });
  });

  test("steps that were written down lead to the same transaction again", () => {
    everyStory((ramp, taken) => {
      const first: Step = { kind: "created", ramp };
      const steps = [{ step: first, at: ramp.createdAt }, ...taken];
      const kept = parseBigints(stringifyBigints(steps.map(({ step, at }) => ({ step, at }))));
      const last = taken.at(-1)?.after.ramp ?? start(ramp).ramp;
      expect(replay(kept as { step: Step; at: number }[])).toEqual(last);
      expect(last.version).toBe(steps.length);
    });
  });

  test("a step told twice happens once", () => {
    everyStep(({ step, at, after }) => {
      expect(typeof advance(after.ramp, step, at)).toBe("string");
    });
  });

  test("what goes back is never exchanged any more, and pays the network's fee once", () => {
    everyStory((_, taken) => {
      const afterOrder = taken.filter(({ before }) => before.isRefund);
      const touched = afterOrder.flatMap(({ after }) =>
        after.moves.flatMap(({ from, to }) => [from, to]),
      );
      expect(touched.filter((account) => /^(exchange|fees|rounding)/.test(account))).toEqual([]);
    });
  });

  test("such stories go everywhere", () => {
    const stories = fc.sample(fc.tuple(created, story), { seed: 1, numRuns: 300 });
    const taken = stories.flatMap(([ramp, events]) => run(ramp, events));
    const reached = new Set(taken.map(({ after }) => after.ramp.state));
    const all = new Set<State>([...onRampStates, ...offRampStates]);
    // Nothing comes back to where a purchase begins.
    expect([...all].filter((state) => !reached.has(state))).toEqual(["AWAITING_FUNDS"]);
    const delivered = taken.filter(({ after }) => after.events.includes("completed"));
    expect(delivered.length).toBeGreaterThan(50);
  });
});

const stopped = new Set<Ramp["state"]>([
  "IN_REVIEW",
  "PAYOUT_FAILED",
  "PAYOUT_RETURNED",
  "RETURNED_AFTER_COMPLETION",
  "EXPIRED",
  "CANCELED",
  "REFUND_PENDING",
  "REFUND_SUBMITTED",
  "REFUND_FAILED",
  "REFUNDED",
  "WRITTEN_OFF",
]);

/** A purchase is undone at its own price, a sale at that of the day. */
function exchangePrice({ step, before, after }: Taken): PriceE18 {
  const isBuyBack = step.kind === "refund_ordered" && before.type === "OFF_RAMP";
  const price = isBuyBack ? step.priceE18 : after.ramp.priceE18;
  if (price === null) throw new Error("Exchanged without a price");
  return price;
}

test("a list of steps that does not begin with a creation is none", () => {
  expect(() => replay([])).toThrow("begins with its creation");
});
