import { crc32 } from "node:zlib";
import { bestLevels } from "./live-market.ts";
import type { Level, MatchingBook } from "./matching-book.ts";

/** A price and what is offered there, in ticks and lots; as a change, size 0 takes the price away. */
export type Quote = { price: number; size: number };

/** What a subscriber to the best levels sees of a book, best first. */
export type BookView = { bids: Quote[]; asks: Quote[] };

const checkedLevels = 10;

/** The best `depth` levels of a book as they are now. */
export function viewOf(book: MatchingBook, depth: number): BookView {
  return { bids: quotesOf(book.bids.levels, depth), asks: quotesOf(book.asks.levels, depth) };
}

/**
 * What has to be said so that whoever has the one view gets the other. What falls out of a full view is not mentioned:
 * subscribers cut their books to the depth they asked for.
 */
export function changesBetween(before: BookView, after: BookView, depth: number): BookView {
  return {
    bids: sideChanges(before.bids, after.bids, depth, 1),
    asks: sideChanges(before.asks, after.asks, depth, -1),
  };
}

/** The checksum of a view: over the digits of its ten best levels, asks first, without points and leading zeros. */
export function checksumOf({ bids, asks }: BookView): number {
  const text = [...asks.slice(0, checkedLevels), ...bids.slice(0, checkedLevels)]
    .map(({ price, size }) => `${price}${size}`)
    .join("");
  return crc32(text);
}

function quotesOf(levels: readonly Level[], depth: number): Quote[] {
  return bestLevels(levels, depth).map(({ price, size }) => ({ price, size }));
}

/** Prices that are gone come first. The sign is 1 where a higher price is better. */
function sideChanges(
  before: readonly Quote[],
  after: readonly Quote[],
  depth: number,
  sign: 1 | -1,
): Quote[] {
  const old = new Map(before.map(({ price, size }) => [price, size]));
  const changed = after.filter(({ price, size }) => old.get(price) !== size);
  for (const { price } of after) old.delete(price);
  const worst = after.length === depth ? after.at(-1)?.price : undefined;
  const gone = [...old.keys()].filter(
    (price) => worst === undefined || sign * price > sign * worst,
  );
  return [...gone.map((price) => ({ price, size: 0 })), ...changed];
}
