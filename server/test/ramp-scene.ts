import { asCents, asPriceE18, asUnits } from "../src/lib/money.ts";
import { advance, start } from "../src/ramp/machine/advance.ts";
import { depositWaitMs, priceLockMs } from "../src/ramp/policy.ts";
import type { Advance, Move, Step, StepKind } from "../src/ramp/step.ts";
import type { OffRamp, OnRamp, Ramp, Settlement } from "../src/ramp/transaction.ts";

/** A Friday, 10:00 in New York. */
export const createdAt = Date.parse("2026-11-13T15:00:00Z");
export const minute = 60_000;
export const day = 24 * 60 * minute;

/** Four decimals keep the numbers readable. One unit is worth 30 cents at 3000 dollars, and 0.03 cents at 3. */
const token = { symbol: "TOK", blockchain: "base", decimals: 4 };
export const dollars = (amount: number) =>
  asPriceE18(BigInt(Math.round(amount * 1e6)) * 10n ** 12n);

const common = {
  id: "txn-1",
  userId: "usr-1",
  sourceOrderId: "ord-1",
  destinationOrderId: "ord-2",
  walletId: "wal-1",
  walletAddress: "0xC0ffee",
  bankAccountId: "bac-1",
  token,
  isStablecoin: false,
  heldUnits: asUnits(0n),
  heldCents: asCents(0n),
  mostUnits: null,
  mostCents: null,
  reason: null,
  cleared: [],
  deadlineAt: null,
  payoutId: null,
  payoutCount: 0,
  payoutAmount: null,
  trace: null,
  settlement: null,
  isSettled: false,
  isLate: false,
  createdAt,
  updatedAt: createdAt,
  flaggedAt: null,
  completedAt: null,
  version: 0,
} as const;

/** A purchase for 100.01 dollars of a token that costs 3000. */
export function newPurchase(facts: Partial<OnRamp> = {}): OnRamp {
  return {
    ...common,
    type: "ON_RAMP",
    state: "AWAITING_FUNDS",
    settlementMethod: "WIRE",
    askedUnits: null,
    askedCents: asCents(10_001n),
    units: null,
    cents: asCents(10_001n),
    priceE18: dollars(2990),
    feeCents: asCents(0n),
    leastUnits: asUnits(100n),
    reference: "7K3Q9XW2MT0",
    wireId: null,
    expiresAt: createdAt + 7 * day,
    ...facts,
  };
}

/** A sale of 10.0001 tokens for 3 dollars each, less 25 dollars for the wire. */
export function newSale(facts: Partial<OffRamp> = {}): OffRamp {
  return {
    ...common,
    type: "OFF_RAMP",
    state: "AWAITING_DEPOSIT",
    settlementMethod: "WIRE",
    askedUnits: asUnits(100_001n),
    askedCents: null,
    units: asUnits(100_001n),
    cents: asCents(500n),
    priceE18: dollars(3),
    feeCents: asCents(2_500n),
    leastUnits: asUnits(50_000n),
    depositAddress: "0xDec1de",
    lockedUntil: createdAt + priceLockMs,
    expiresAt: createdAt + depositWaitMs,
    deposits: {},
    depositedAt: null,
    grossCents: null,
    isFeeEarned: false,
    ...facts,
  };
}

export const wireSettlement: Settlement = {
  calendarVersion: "test",
  sendOn: "2026-11-13",
  earliestOn: "2026-11-13",
  latestOn: "2026-11-16",
  settleOn: null,
  windowEndsOn: null,
  sendAt: createdAt + 60 * minute,
  windowClosesAt: null,
};

export const achSettlement: Settlement = {
  ...wireSettlement,
  settleOn: "2026-11-16",
  windowEndsOn: "2026-11-18",
  windowClosesAt: createdAt + 5 * day,
};

type Facts<K extends StepKind> = Partial<Omit<Extract<Step, { kind: K }>, "kind">>;
type Samples = { [K in StepKind]: (ramp: Ramp) => Extract<Step, { kind: K }> };

const payoutIdOf = ({ payoutId }: Ramp) => payoutId ?? "pay-1";
const operator = "operator:key-1" as const;

/** A step of each kind that fits its transaction as well as one can. */
const samples: Samples = {
  created: (ramp) => ({ kind: "created", ramp }),
  canceled: () => ({ kind: "canceled" }),
  expired: () => ({ kind: "expired" }),
  wire_matched: () => ({
    kind: "wire_matched",
    wireId: "wir-1",
    cents: asCents(10_001n),
    isFromHolder: true,
  }),
  deposit_seen: () => ({
    kind: "deposit_seen",
    depositId: "dep-1",
    units: asUnits(100_001n),
    blockTime: createdAt + minute,
  }),
  deposit_gone: () => ({ kind: "deposit_gone", depositId: "dep-1" }),
  deposit_final: () => ({
    kind: "deposit_final",
    depositId: "dep-1",
    units: asUnits(100_001n),
    blockTime: createdAt + minute,
    isFromRegistered: true,
  }),
  wrong_token: () => ({ kind: "wrong_token", depositId: "dep-8", token, units: asUnits(7n) }),
  held: () => ({ kind: "held", reason: "operator", note: null }),
  released: () => ({ kind: "released", by: operator, note: null }),
  priced: ({ type }) => ({
    kind: "priced",
    priceE18: dollars(type === "ON_RAMP" ? 3000 : 3),
    sources: ["test"],
  }),
  payout_queued: ({ type, settlementMethod, payoutCount }) => ({
    kind: "payout_queued",
    payoutId: `pay-${payoutCount + 1}`,
    settlement:
      type === "ON_RAMP" ? null : settlementMethod === "ACH" ? achSettlement : wireSettlement,
  }),
  payout_started: (ramp) => ({ kind: "payout_started", payoutId: payoutIdOf(ramp) }),
  payout_accepted: (ramp) => ({
    kind: "payout_accepted",
    payoutId: payoutIdOf(ramp),
    trace: "trace-1",
  }),
  payout_settled: (ramp) => ({ kind: "payout_settled", payoutId: payoutIdOf(ramp), trace: null }),
  payout_failed: (ramp) => ({ kind: "payout_failed", payoutId: payoutIdOf(ramp), why: "no" }),
  payout_returned: (ramp) => ({
    kind: "payout_returned",
    payoutId: payoutIdOf(ramp),
    code: "R03",
    isAccountAtFault: true,
  }),
  window_closed: () => ({ kind: "window_closed" }),
  account_replaced: () => ({ kind: "account_replaced", bankAccountId: "bac-2" }),
  refund_ordered: () => ({
    kind: "refund_ordered",
    by: operator,
    note: null,
    priceE18: dollars(3),
    gasUnits: asUnits(1_000n),
  }),
  refund_queued: ({ payoutCount }) => ({
    kind: "refund_queued",
    payoutId: `pay-${payoutCount + 1}`,
  }),
  refund_started: (ramp) => ({ kind: "refund_started", payoutId: payoutIdOf(ramp) }),
  refund_accepted: (ramp) => ({
    kind: "refund_accepted",
    payoutId: payoutIdOf(ramp),
    trace: "trace-1",
  }),
  refund_settled: (ramp) => ({ kind: "refund_settled", payoutId: payoutIdOf(ramp), trace: null }),
  refund_failed: (ramp) => ({ kind: "refund_failed", payoutId: payoutIdOf(ramp), why: "no" }),
  written_off: () => ({ kind: "written_off", by: operator, note: "unclaimed" }),
};

export const stepKinds = Object.keys(samples) as StepKind[];

/** One step of a story: its kind, and what is not as usual about it; `at` counts from the creation. */
export type Told = StepKind | { [K in StepKind]: { kind: K; at?: number } & Facts<K> }[StepKind];

/** The step that is told of, and when it happens: by default a minute after the one before. */
export function stepOf(ramp: Ramp, told: Told): { step: Step; at: number } {
  const { kind, at, ...facts } = typeof told === "string" ? { kind: told } : told;
  const later = ramp.updatedAt + minute;
  const usual = kind === "expired" ? Math.max(later, ramp.expiresAt) : later;
  const sample = samples[kind](ramp);
  return {
    step: { ...sample, ...facts } as Step,
    at: at === undefined ? usual : createdAt + at,
  };
}

/** The last step of a story that is possible throughout. */
export function tell(ramp: Ramp, ...story: readonly Told[]): Advance {
  let last = start(ramp);
  for (const told of story) {
    const { step, at } = stepOf(last.ramp, told);
    const next = advance(last.ramp, step, at);
    if (typeof next === "string") throw new Error(`${step.kind} is ${next} in ${last.ramp.state}`);
    last = next;
  }
  return last;
}

/** Moves as a reader sees them: `bank > usd 10001`, with the transaction's own accounts as `usd` and `tok`. */
export function showMoves(moves: readonly Move[]): string {
  const shorten = (account: string) =>
    account
      .replace("bank:main:USD", "bank")
      .replace("transaction:txn-1:USD", "usd")
      .replace("transaction:txn-1:TOK.base", "tok")
      .replace("TOK.base", "TOK");
  return moves
    .map(({ from, to, amount }) => `${shorten(from)} > ${shorten(to)} ${amount}`)
    .join(", ");
}
