import type { OrderBook } from "../cex/order-book.ts";

/** Decimals of an answer: as fine as any exchange counts. */
const decimals = 8;

/**
 * The capital that rests in a book, in the quote currency: what bids would pay, and what asks would give at the middle
 * price. At their own price, asks far away would count for any amount. `depth` leaves out whatever is further from the
 * middle than this part of it.
 */
export function liquidityOf({ bids, asks }: OrderBook, depth = Number.POSITIVE_INFINITY): number {
  const middle = middleOf(bids.best, asks.best);
  let capital = 0;
  let offered = 0;
  bids.forEach(bids.count, (price, size) => {
    if (price >= middle * (1 - depth)) capital += price * size;
  });
  asks.forEach(asks.count, (price, size) => {
    if (price <= middle * (1 + depth)) offered += size;
  });
  return rounded(capital + middle * offered);
}

/** Halfway between the best prices; where one side is empty, the other's best. */
function middleOf(bid: number | undefined, ask: number | undefined): number {
  if (bid === undefined) return ask ?? 0;
  return ask === undefined ? bid : (bid + ask) / 2;
}

function rounded(value: number): number {
  return Number(value.toFixed(decimals));
}
