import { asCents, type Cents, type PriceE18, type Units } from "../../lib/money.ts";
import { assetOf, ledgerAccounts, usd } from "../ledger/accounts.ts";
import { centsNeeded, unitsNeeded } from "../pricing.ts";
import type { Move, Rail } from "../step.ts";
import type { OffRamp, Ramp } from "../transaction.ts";

/** The moves of which something is left: a ledger has no entries of zero. */
export function movesOf(...moves: readonly Move[]): Move[] {
  return moves.filter(({ amount }) => amount > 0n);
}

/** The same money the other way. */
export function reversed(moves: readonly Move[]): Move[] {
  return moves.map((move) => ({ ...move, from: move.to, to: move.from }));
}

/** A transaction's own two accounts. */
export function insideOf({ id, token }: Pick<Ramp, "id" | "token">): {
  usd: string;
  token: string;
} {
  return {
    usd: ledgerAccounts.transaction(id, usd),
    token: ledgerAccounts.transaction(id, assetOf(token)),
  };
}

/** Dollars between two accounts. */
export function moveCents(amount: Cents, from: string, to: string): Move {
  return { asset: usd, amount, from, to };
}

/** The transaction's token between two accounts. */
export function moveUnits({ token }: Pick<Ramp, "token">, amount: Units, from: string, to: string) {
  return { asset: assetOf(token), amount, from, to } satisfies Move;
}

/** Dollars inside a transaction become tokens. What the tokens do not cost, less than one unit's price, is rounding. */
export function purchase(ramp: Ramp, cents: Cents, units: Units, priceE18: PriceE18): Move[] {
  const inside = insideOf(ramp);
  const cost = centsNeeded(units, priceE18, ramp.token.decimals);
  return movesOf(
    moveCents(cost, inside.usd, ledgerAccounts.exchange(usd)),
    moveCents(asCents(cents - cost), inside.usd, ledgerAccounts.rounding(usd)),
    moveUnits(ramp, units, ledgerAccounts.exchange(assetOf(ramp.token)), inside.token),
  );
}

/** Tokens inside a transaction become dollars. What the dollars do not take, less than a cent's worth, is rounding. */
export function sale(ramp: OffRamp, units: Units, cents: Cents, priceE18: PriceE18): Move[] {
  const inside = insideOf(ramp);
  const asset = assetOf(ramp.token);
  const taken = unitsNeeded(cents, priceE18, ramp.token.decimals);
  const rest = moveUnits(ramp, units, inside.token, ledgerAccounts.rounding(asset));
  return movesOf(
    moveUnits(ramp, taken, inside.token, ledgerAccounts.exchange(asset)),
    { ...rest, amount: units - taken },
    moveCents(cents, ledgerAccounts.exchange(usd), inside.usd),
  );
}

/** The fee, out of the dollars inside. */
export function feeMove(ramp: Ramp): Move {
  return moveCents(ramp.feeCents, insideOf(ramp).usd, ledgerAccounts.fees(usd));
}

/** All that is inside, to where it is kept for the customer when nothing more can be done with it. */
export function setAside(ramp: Ramp): Move[] {
  const inside = insideOf(ramp);
  return movesOf(
    moveCents(ramp.heldCents, inside.usd, ledgerAccounts.suspense(usd)),
    moveUnits(ramp, ramp.heldUnits, inside.token, ledgerAccounts.suspense(assetOf(ramp.token))),
  );
}

/** How money leaves a transaction: from inside to `out` when it is sent, from there off `ours` when it is confirmed. */
export type WayOut = {
  rail: Rail;
  asset: string;
  inside: string;
  out: string;
  ours: string;
  /** All there is inside. */
  amount: bigint;
};

/** The way of the payout to the customer, or of the refund to where the money came from. */
export function wayOut(ramp: Ramp, purpose: "payout" | "refund"): WayOut {
  const isToBank = (ramp.type === "OFF_RAMP") === (purpose === "payout");
  return isToBank ? wayToBank(ramp, purpose) : wayToChain(ramp);
}

function wayToBank(ramp: Ramp, purpose: "payout" | "refund"): WayOut {
  // A wire goes back as a wire, whatever else.
  const rail = purpose === "payout" && ramp.settlementMethod === "ACH" ? "ach" : "wire";
  return {
    rail,
    asset: usd,
    inside: insideOf(ramp).usd,
    out: ledgerAccounts.out(rail, usd),
    ours: ledgerAccounts.bank(),
    amount: ramp.heldCents,
  };
}

function wayToChain(ramp: Ramp): WayOut {
  const asset = assetOf(ramp.token);
  return {
    rail: "chain",
    asset,
    inside: insideOf(ramp).token,
    out: ledgerAccounts.out("chain", asset),
    ours: ledgerAccounts.hot(ramp.token),
    amount: ramp.heldUnits,
  };
}
