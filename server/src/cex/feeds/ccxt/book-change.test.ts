import fc from "fast-check";
import { expect, test } from "vitest";
import { flatLevels, OrderBook } from "../../order-book.ts";
import { changeBetween } from "./book-change.ts";

const side = fc
  .dictionary(fc.integer({ min: 1, max: 30 }).map(String), fc.integer({ min: 1, max: 5 }))
  .map((levels) => Object.entries(levels).flatMap(([price, size]) => [Number(price), size]));

test("a change turns one book into the other, and names nothing that stays", () => {
  fc.assert(
    fc.property(side, side, side, side, (bids, asks, laterBids, laterAsks) => {
      const [book, later] = [new OrderBook(), new OrderBook()];
      book.reset(bids, asks);
      later.reset(laterBids, laterAsks);
      const change = changeBetween(book, { bids: laterBids, asks: laterAsks });
      const before = new Map(pairs(flatLevels(book.bids)));
      for (const [price, size] of pairs(change.bids)) expect(before.get(price)).not.toBe(size);
      book.apply(change.bids, change.asks);
      expect(flatLevels(book.bids)).toEqual(flatLevels(later.bids));
      expect(flatLevels(book.asks)).toEqual(flatLevels(later.asks));
    }),
  );
});

function pairs(levels: number[]): [price: number, size: number][] {
  return levels.flatMap((price, at): [number, number][] =>
    at % 2 === 0 ? [[price, levels[at + 1] ?? 0]] : [],
  );
}
