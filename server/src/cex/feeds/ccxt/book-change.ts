import { type BookSide, flatLevels, type OrderBook } from "../../order-book.ts";

type Sides = { bids: number[]; asks: number[] };

/** What turns a book into another one: sizes at prices that are new, different or gone, the last with size 0. */
export function changeBetween(book: OrderBook, { bids, asks }: Sides): Sides {
  return { bids: sideChange(book.bids, bids), asks: sideChange(book.asks, asks) };
}

function sideChange(side: BookSide, levels: readonly number[]): number[] {
  const gone = new Map<number, number>();
  const before = flatLevels(side);
  for (let at = 0; at < before.length; at += 2) gone.set(before[at] ?? 0, before[at + 1] ?? 0);
  const change: number[] = [];
  for (let at = 0; at < levels.length; at += 2) {
    const [price = 0, size = 0] = [levels[at], levels[at + 1]];
    if (gone.get(price) !== size) change.push(price, size);
    gone.delete(price);
  }
  for (const price of gone.keys()) change.push(price, 0);
  return change;
}
