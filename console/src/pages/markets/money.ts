import type { CexLevel } from "@slipway/sdk";
import { about, aboutDollars, decimal } from "../../lib/figures.ts";

const dollarLike = new Set(["USD"]);

/** An amount of any currency, rounded to be read at a glance. */
export function aboutMoney(amount: number | string | undefined, currency: string): string {
  if (amount === undefined) return "–";
  return dollarLike.has(currency) ? aboutDollars(amount) : `${about(amount)} ${currency}`;
}

type Best = { bids: readonly CexLevel[]; asks: readonly CexLevel[] };

/** The middle between the best prices; nothing when a side is empty. */
export function middleOf({ bids, asks }: Best): number | undefined {
  const bid = bids[0]?.[0];
  const ask = asks[0]?.[0];
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
}

/** How far the best prices are apart, in basis points of the middle. */
export function spreadOf(book: Best | undefined): string {
  const middle = book && middleOf(book);
  const bid = book?.bids[0]?.[0];
  const ask = book?.asks[0]?.[0];
  if (middle === undefined || bid === undefined || ask === undefined) return "–";
  return `${decimal(((ask - bid) / middle) * 10_000, 2, 2)} bp`;
}
