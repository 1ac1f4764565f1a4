import { assert } from "../../lib/errors.ts";
import { asCents, asUnits, type Cents, type PriceE18, type Units } from "../../lib/money.ts";
import { ledgerAccounts } from "../ledger/accounts.ts";
import { addressWatchMs, dustPolicy, topUpWaitMs } from "../policy.ts";
import { grossCents, unitsForCents, unitsNeeded } from "../pricing.ts";
import type { TransactionEvent } from "../step.ts";
import type { OffRamp, OffRampDeposit, OffRampState, Reason } from "../transaction.ts";
import { review, unflag } from "./holds.ts";
import { insideOf, moveUnits } from "./money-moves.ts";
import type { Change, Outcome, StepOf } from "./transition.ts";

/** A transfer stands in a block that may still be taken back. */
export function seeDeposit(
  ramp: OffRamp,
  step: StepOf["deposit_seen"],
  at: number,
): Outcome<OffRamp> {
  const { depositId, units, blockTime } = step;
  if (ramp.deposits[depositId]) return "known";
  if (!isWatched(ramp, at) || isOver(ramp)) return "impossible";
  const deposit = { units, blockTime, isFinal: false, isFromRegistered: true };
  const seen = withDeposits(ramp, { ...ramp.deposits, [depositId]: deposit });
  return { ramp: waitForIt(ramp, seen, at), events: ["funds_seen"] };
}

/** More for what is too little gives it time. What came late stays stopped until it is final. */
function waitForIt({ state, reason }: OffRamp, seen: OffRamp, at: number): OffRamp {
  if (state === "IN_REVIEW") {
    return reason === "below_minimum" ? { ...seen, deadlineAt: at + topUpWaitMs } : seen;
  }
  const isLate = seen.isLate || state === "EXPIRED" || state === "CANCELED";
  const next = reason === "wrong_token" ? unflag(seen) : seen;
  return { ...next, state: "DEPOSIT_SEEN", isLate };
}

/** A transfer can no longer be taken back: the money is inside. */
export function finishDeposit(
  ramp: OffRamp,
  step: StepOf["deposit_final"],
  at: number,
): Outcome<OffRamp> {
  const { depositId, units, blockTime, isFromRegistered } = step;
  const seen = ramp.deposits[depositId];
  if (seen?.isFinal) return "known";
  if (!(seen || isWatched(ramp, at)) || isOver(ramp)) return "impossible";
  const deposit = { units, blockTime, isFinal: true, isFromRegistered };
  const received = withDeposits(ramp, { ...ramp.deposits, [depositId]: deposit });
  const isLate = ramp.isLate || ramp.state === "EXPIRED" || ramp.state === "CANCELED";
  return {
    ...countDeposits({ ...received, isLate }, at),
    moves: [moveUnits(ramp, units, ledgerAccounts.unswept(ramp.token), insideOf(ramp).token)],
  };
}

/** A transfer was taken back before it was final. */
export function loseDeposit(
  ramp: OffRamp,
  step: StepOf["deposit_gone"],
  at: number,
): Outcome<OffRamp> {
  const { [step.depositId]: gone, ...deposits } = ramp.deposits;
  if (!gone) return "known";
  if (gone.isFinal) return "impossible";
  const left = withDeposits(ramp, deposits);
  if (ramp.state === "IN_REVIEW") return { ramp: left };
  if (Object.keys(deposits).length > 0) return countDeposits(left, at);
  return { ramp: { ...left, state: stateBefore(ramp.reason), isLate: false } };
}

/** What came is judged once nothing more is under way. */
function countDeposits(ramp: OffRamp, at: number): Change<OffRamp> {
  const deposits = Object.values(ramp.deposits);
  const isWaiting = deposits.some(({ isFinal }) => !isFinal);
  const isInReview = ramp.state === "IN_REVIEW";
  if (isWaiting) return { ramp: isInReview ? ramp : { ...ramp, state: "DEPOSIT_SEEN" } };
  const units = finalUnits(deposits);
  const cents = netCents(ramp, units, priceOf(ramp));
  // Whoever was looked at before, this is other money.
  const received: OffRamp = { ...ramp, units, cents, cleared: [] };
  const events: TransactionEvent[] = ["funds_received"];
  if (!isAsExpected(ramp, units)) events.push("amount_adjusted");
  return { ramp: judged(received, units, at), events };
}

function judged(ramp: OffRamp, units: Units, at: number): OffRamp {
  // Only what is too little is helped by more of it.
  if (ramp.state === "IN_REVIEW" && ramp.reason !== "below_minimum") return ramp;
  const fault = faultOf(ramp, units, priceOf(ramp));
  return fault ? review(ramp, fault, at) : { ...unflag(ramp), state: "DEPOSIT_FINAL" };
}

/** Why what came cannot be sold without somebody looking at it. */
export function faultOf(ramp: OffRamp, units: Units, priceE18: PriceE18): Reason | undefined {
  const gross = grossCents(units, priceE18, ramp.token.decimals);
  const isTooLittle = units < ramp.leastUnits && !isAsExpected(ramp, units);
  const faults: readonly [Reason, boolean][] = [
    ["unregistered_sender", Object.values(ramp.deposits).some((one) => !one.isFromRegistered)],
    ["above_maximum", ramp.mostUnits !== null && units > ramp.mostUnits],
    ["above_account_limit", ramp.mostCents !== null && gross > ramp.mostCents],
    ["below_minimum", isTooLittle],
  ];
  const open = faults.find(([reason, isTrue]) => isTrue && !ramp.cleared.includes(reason));
  // Nobody can let pass what leaves nothing to pay out.
  return open?.[0] ?? (gross > ramp.feeCents ? undefined : "below_minimum");
}

/** What the customer gets for tokens: never less than nothing. */
export function netCents(ramp: OffRamp, units: Units, priceE18: PriceE18): Cents {
  const net = grossCents(units, priceE18, ramp.token.decimals) - ramp.feeCents;
  return asCents(net > 0n ? net : 0n);
}

/** The price a sale was created with, or that its customer has accepted since. */
export function priceOf({ id, priceE18 }: OffRamp): PriceE18 {
  assert(priceE18 !== null, `${id} has had a price since it was created`);
  return priceE18;
}

/** Whether what came differs from what was asked for by no more than dust. */
function isAsExpected(ramp: OffRamp, units: Units): boolean {
  const { decimals } = ramp.token;
  const price = priceOf(ramp);
  const asked =
    ramp.askedUnits ??
    unitsNeeded(asCents((ramp.askedCents ?? 0n) + ramp.feeCents), price, decimals);
  const worth = unitsForCents(asCents(dustPolicy.cents), price, decimals);
  const share = (asked * dustPolicy.shareE4) / 10_000n;
  const difference = units > asked ? units - asked : asked - units;
  return [dustPolicy.units, share, worth].some((dust) => difference <= dust);
}

/** An address does not find its sale for ever; but what was seen in time may become final later. */
function isWatched({ createdAt }: OffRamp, at: number): boolean {
  return at <= createdAt + addressWatchMs;
}

/** Money that comes after the sale or its refund is none of it. */
function isOver({ heldCents, isRefund }: OffRamp): boolean {
  return heldCents > 0n || isRefund === true;
}

function withDeposits(ramp: OffRamp, deposits: OffRamp["deposits"]): OffRamp {
  const times = Object.values(deposits).map(({ blockTime }) => blockTime);
  return { ...ramp, deposits, depositedAt: times.length > 0 ? Math.max(...times) : null };
}

function finalUnits(deposits: readonly OffRampDeposit[]): Units {
  return asUnits(deposits.reduce((sum, { units }) => sum + units, 0n));
}

/** Where a sale stood before anything was seen; what expired or was canceled is still stopped for it. */
function stateBefore(reason: Reason | null): OffRampState {
  if (reason === "canceled") return "CANCELED";
  return reason === "expired" ? "EXPIRED" : "AWAITING_DEPOSIT";
}
