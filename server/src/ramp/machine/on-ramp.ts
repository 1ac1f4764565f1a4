import { asCents, asUnits, type Cents, type PriceE18, type Units } from "../../lib/money.ts";
import { ledgerAccounts } from "../ledger/accounts.ts";
import { lateWireWatchMs } from "../policy.ts";
import { unitsForCents } from "../pricing.ts";
import type { Move, TransactionEvent } from "../step.ts";
import type { OnRamp, Reason } from "../transaction.ts";
import { cancelOrders, flag, hold, mayRefund, release, review, unflag } from "./holds.ts";
import { feeMove, insideOf, moveCents, movesOf, purchase, reversed } from "./money-moves.ts";
import {
  acceptPayout,
  failPayout,
  failRefund,
  queuePayout,
  queueRefund,
  refundPending,
  retryRefund,
  settlePayout,
  settleRefund,
  startPayout,
  startRefund,
  writeOff,
} from "./payouts.ts";
import type { Outcome, StepOf, Transitions } from "./transition.ts";

/** Everything that can happen to a purchase of crypto. What is not in this table cannot happen. */
export const onRampTransitions: Transitions<OnRamp> = {
  AWAITING_FUNDS: { wire_matched: receiveWire, expired: expire, canceled: cancel },
  FUNDS_RECEIVED: { priced: buy, held: hold, released: release, refund_ordered: orderRefund },
  IN_REVIEW: { held: hold, released: release, refund_ordered: orderRefund },
  PRICED: {
    payout_queued: queuePayout,
    held: hold,
    released: release,
    refund_ordered: orderRefund,
  },
  PAYOUT_QUEUED: { payout_started: startPayout, held: hold, refund_ordered: orderRefund },
  PAYOUT_SUBMITTED: {
    payout_accepted: acceptPayout,
    payout_settled: settlePayout,
    payout_failed: failPayout,
  },
  PAYOUT_FAILED: {
    payout_queued: queuePayout,
    held: hold,
    released: release,
    refund_ordered: orderRefund,
  },
  COMPLETED: { held: noteRecall, released: closeRecall },
  EXPIRED: { wire_matched: receiveWire },
  CANCELED: { wire_matched: receiveWire },
  REFUND_PENDING: { refund_queued: queueRefund, refund_started: startRefund, held: hold },
  REFUND_SUBMITTED: {
    refund_accepted: acceptPayout,
    refund_settled: settleRefund,
    refund_failed: failRefund,
  },
  REFUND_FAILED: { refund_ordered: retryRefund, released: retryRefund, written_off: writeOff },
  REFUNDED: {},
  WRITTEN_OFF: {},
};

/** What came is bought for, be it less or more than was asked for. */
function receiveWire(ramp: OnRamp, step: StepOf["wire_matched"], at: number): Outcome<OnRamp> {
  if (at > ramp.expiresAt + lateWireWatchMs) return "impossible";
  const { wireId, cents } = step;
  const isLate = ramp.state !== "AWAITING_FUNDS";
  const received: OnRamp = { ...ramp, wireId, cents, isLate, units: expectedUnits(ramp, cents) };
  if (!step.isFromHolder) received.isFromThirdParty = true;
  const events: TransactionEvent[] = ["funds_received"];
  if (ramp.cents !== null && ramp.cents !== cents) events.push("amount_adjusted");
  return {
    ramp: afterWire(received, at),
    moves: [moveCents(cents, ledgerAccounts.bank(), insideOf(ramp).usd)],
    events,
  };
}

function afterWire(ramp: OnRamp, at: number): OnRamp {
  if (ramp.state === "CANCELED") return refundPending(flag(ramp, "late_funds", at));
  const fault = faultOf(ramp);
  return fault ? review(ramp, fault, at) : { ...unflag(ramp), state: "FUNDS_RECEIVED" };
}

/** Why the wire cannot be used without somebody looking at it. Whoever let another reason pass has not looked at this. */
function faultOf(ramp: OnRamp): Reason | undefined {
  const faults: readonly [Reason, boolean][] = [
    ["third_party_sender", ramp.isFromThirdParty === true],
    ["above_account_limit", ramp.mostCents !== null && (ramp.cents ?? 0n) > ramp.mostCents],
  ];
  return faults.find(([reason, isTrue]) => isTrue && !ramp.cleared.includes(reason))?.[0];
}

/** A stablecoin's price stands from the beginning, so its quantity is known before anything is priced. */
function expectedUnits(ramp: OnRamp, cents: Cents): Units | null {
  return ramp.isStablecoin && ramp.priceE18 !== null ? unitsFor(ramp, cents, ramp.priceE18) : null;
}

function unitsFor(ramp: OnRamp, cents: Cents, priceE18: PriceE18): Units {
  const spendable = asCents(cents - ramp.feeCents);
  return spendable > 0n ? unitsForCents(spendable, priceE18, ramp.token.decimals) : asUnits(0n);
}

/** Buys what the wire pays for. Too little for the token's least quantity goes back. */
function buy(ramp: OnRamp, step: StepOf["priced"], at: number): Outcome<OnRamp> {
  const fault = faultOf(ramp);
  if (fault) return { ramp: review(ramp, fault, at) };
  const isPriceKept = ramp.isStablecoin && !ramp.isLate;
  const priceE18 = (isPriceKept ? ramp.priceE18 : null) ?? step.priceE18;
  const units = unitsFor(ramp, ramp.heldCents, priceE18);
  if (units < ramp.leastUnits) return { ramp: refundPending(flag(ramp, "below_minimum", at)) };
  const isTooMuch = ramp.mostUnits !== null && units > ramp.mostUnits;
  const tooMuch: Reason = "above_maximum";
  if (isTooMuch && !ramp.cleared.includes(tooMuch)) return { ramp: review(ramp, tooMuch, at) };
  const bought: OnRamp = { ...unflag(ramp), state: "PRICED", priceE18, units };
  return { ramp: bought, moves: purchaseOf(bought, units, priceE18), events: ["priced"] };
}

/** The fee, and what is left of the wire for tokens. */
function purchaseOf(ramp: OnRamp, units: Units, priceE18: PriceE18): Move[] {
  const spendable = asCents((ramp.cents ?? 0n) - ramp.feeCents);
  return [...movesOf(feeMove(ramp)), ...purchase(ramp, spendable, units, priceE18)];
}

/** Everything goes back as if nothing had been bought. */
function orderRefund(ramp: OnRamp, { by }: StepOf["refund_ordered"], at: number): Outcome<OnRamp> {
  if (!mayRefund(ramp, by, at)) return "impossible";
  const { heldUnits, priceE18 } = ramp;
  const isBought = heldUnits > 0n && priceE18 !== null;
  return {
    ramp: refundPending(flag(ramp, ramp.reason ?? "operator", at)),
    moves: isBought ? reversed(purchaseOf(ramp, heldUnits, priceE18)) : [],
    orders: cancelOrders(ramp),
  };
}

function expire(ramp: OnRamp, _: StepOf["expired"], at: number): Outcome<OnRamp> {
  if (at < ramp.expiresAt) return "impossible";
  return { ramp: { ...flag(ramp, "expired", at), state: "EXPIRED" }, events: ["expired"] };
}

function cancel(ramp: OnRamp, _: StepOf["canceled"], at: number): Outcome<OnRamp> {
  return { ramp: { ...flag(ramp, "canceled", at), state: "CANCELED" }, events: ["canceled"] };
}

/** The sender's bank wants a wire back for which the crypto has left: refused, but seen. */
function noteRecall(ramp: OnRamp, { reason }: StepOf["held"], at: number): Outcome<OnRamp> {
  if (reason !== "recalled") return "impossible";
  return ramp.reason === reason ? "known" : { ramp: flag(ramp, reason, at) };
}

function closeRecall(ramp: OnRamp, { by }: StepOf["released"]): Outcome<OnRamp> {
  if (ramp.flaggedAt === null || !by.startsWith("operator:")) return "impossible";
  return { ramp: { ...ramp, reason: null, flaggedAt: null } };
}
