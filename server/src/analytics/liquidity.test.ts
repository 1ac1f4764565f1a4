import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderBook } from "../cex/order-book.ts";
import { liquidityOf } from "./liquidity.ts";

function bookOf(bids: number[], asks: number[]): OrderBook {
  const book = new OrderBook();
  book.reset(bids, asks);
  return book;
}

describe("liquidity", () => {
  test.each<[string, number[], number[], number | undefined, number]>([
    ["of an empty book", [], [], undefined, 0],
    ["of bids alone", [10, 2, 9, 1], [], undefined, 29],
    ["of asks alone is at the best of them", [], [10, 2, 20, 1], undefined, 30],
    ["is bids at their price and asks at the middle", [9, 1], [11, 2], undefined, 29],
    ["is not blown up by an ask that nobody will take", [9, 1], [11, 2, 1e9, 1], undefined, 39],
    ["within a depth", [9, 1, 8, 1], [11, 2, 13, 1], 0.1, 29],
    ["at the very edge of a depth", [8, 1], [12, 1], 0.2, 18],
    ["within everything", [9, 1, 0.001, 1], [11, 2, 20, 1], 1, 39.001],
    ["to the eighth decimal", [0.000000012, 1], [], undefined, 0.00000001],
  ])("%s", (_, bids, asks, depth, expected) => {
    expect(liquidityOf(bookOf(bids, asks), depth)).toBe(expected);
  });

  test("grows with the depth, up to all there is", () => {
    const levels = (least: number, most: number) =>
      fc
        .array(fc.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 1, max: 9 })))
        .map((pairs) => pairs.flat());
    const depth = fc.double({ min: 0.001, max: 1, noNaN: true });
    fc.assert(
      fc.property(levels(50, 99), levels(100, 150), depth, depth, (bids, asks, one, other) => {
        const book = bookOf(bids, asks);
        const [near, far] = [Math.min(one, other), Math.max(one, other)];
        expect(liquidityOf(book, near)).toBeLessThanOrEqual(liquidityOf(book, far));
        expect(liquidityOf(book, far)).toBeLessThanOrEqual(liquidityOf(book));
      }),
    );
  });
});
