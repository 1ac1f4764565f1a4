import { asCents, asUnits, type Cents, type PriceE18, type Units } from "../../lib/money.ts";
import { assetOf, ledgerAccounts } from "../ledger/accounts.ts";
import { unitsForCents } from "../pricing.ts";
import type { Move } from "../step.ts";
import type { OffRamp } from "../transaction.ts";
import { cancelOrders, flag, mayRefund, withoutPayout } from "./holds.ts";
import {
  feeMove,
  insideOf,
  movesOf,
  moveUnits,
  purchase,
  reversed,
  setAside,
} from "./money-moves.ts";
import { isUnexplained } from "./off-ramp-returns.ts";
import { refundPending } from "./payouts.ts";
import type { Outcome, StepOf } from "./transition.ts";

/** What goes back: the tokens that came, or those that are bought for the dollars they had been sold for. */
type Refund = { units: Units; moves: Move[] };

/** Sends a sale's money back to the customer's registered wallet, less the network's fee. */
export function orderSaleRefund(
  ramp: OffRamp,
  { by, priceE18, gasUnits }: StepOf["refund_ordered"],
  at: number,
): Outcome<OffRamp> {
  if (isUnexplained(ramp)) return "impossible";
  const refund = refundOf(ramp, priceE18);
  if (!refund || !mayRefund(ramp, by, at)) return "impossible";
  const ordered = refundPending(flag(ramp, ramp.reason ?? "operator", at));
  // Everything was taken off it when it was ordered first.
  if (ramp.isRefund) return { ramp: ordered };
  const orders = cancelOrders(ramp);
  if (refund.units <= gasUnits) {
    const kept = withoutPayout(flag(ramp, "dust", at));
    const ended: OffRamp = { ...kept, state: "REFUNDED" };
    return { ramp: ended, moves: setAside(ramp), orders, events: ["refunded"] };
  }
  const gasAccount = ledgerAccounts.fees(assetOf(ramp.token));
  const gas = movesOf(moveUnits(ramp, gasUnits, insideOf(ramp).token, gasAccount));
  return { ramp: ordered, moves: [...refund.moves, ...gas], orders };
}

function refundOf(ramp: OffRamp, priceE18: PriceE18 | null): Refund | undefined {
  if (ramp.heldCents === 0n) return { units: ramp.heldUnits, moves: [] };
  return priceE18 === null ? undefined : buyBack(ramp, priceE18);
}

/** The fee comes back too, unless the money went out and came back because of the customer's account. */
function buyBack(ramp: OffRamp, priceE18: PriceE18): Refund {
  const fee: Cents = ramp.isFeeEarned ? asCents(0n) : ramp.feeCents;
  const cents = asCents(ramp.heldCents + fee);
  const units = asUnits(unitsForCents(cents, priceE18, ramp.token.decimals));
  const feeBack = ramp.isFeeEarned ? [] : reversed(movesOf(feeMove(ramp)));
  return { units, moves: [...feeBack, ...purchase(ramp, cents, units, priceE18)] };
}
