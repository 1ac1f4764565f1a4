import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BookSide, flatLevels, OrderBook } from "./order-book.ts";

const price = fc.integer({ min: 1, max: 60 }).map((ticks) => ticks / 4);
const size = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 9 }).map((each) => each / 8),
);
const changes = (most: number) =>
  fc.array(fc.tuple(price, size), { maxLength: most }).map((pairs) => pairs.flat());

/** The same side in the simplest way: a table of sizes by price. */
function model(levels: readonly number[], sizes = new Map<number, number>()) {
  for (let at = 0; at < levels.length; at += 2) sizes.set(levels[at] ?? 0, levels[at + 1] ?? 0);
  return sizes;
}

function sorted(sizes: Map<number, number>, sign: 1 | -1): number[] {
  return [...sizes]
    .filter(([, each]) => each !== 0)
    .sort(([one], [other]) => sign * (other - one))
    .flat();
}

describe("a book", () => {
  test("holds what a table of sizes by price holds, in whatever order changes come", () => {
    fc.assert(
      fc.property(changes(20), changes(20), fc.array(changes(60)), (bids, asks, rounds) => {
        const book = new OrderBook();
        book.reset(bids, asks);
        const [bidSizes, askSizes] = [model(bids), model(asks)];
        for (const round of rounds) {
          book.apply(round, round);
          model(round, bidSizes);
          model(round, askSizes);
          expect(flatLevels(book.bids)).toEqual(sorted(bidSizes, 1));
          expect(flatLevels(book.asks)).toEqual(sorted(askSizes, -1));
        }
      }),
    );
  });

  test("grows to any size and back to nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        // 7919 is coprime to the number of levels, so that every level comes up once, in a wild order.
        const levels = Array.from({ length: 3_000 }, (_, at) => [
          ((at * 7_919 + seed) % 3_000) + 1,
          1,
        ]).flat();
        const book = new OrderBook();
        book.apply(levels, levels);
        expect([book.bids.count, book.bids.best]).toEqual([3_000, 3_000]);
        expect([book.asks.count, book.asks.best]).toEqual([3_000, 1]);
        const gone = levels.map((each, at) => (at % 2 === 0 ? each : 0));
        book.apply(gone, gone);
        expect([book.bids.count, book.asks.count]).toEqual([0, 0]);
      }),
      { numRuns: 10 },
    );
  });

  test("reset is the same as starting anew, sorted or not", () => {
    fc.assert(
      fc.property(changes(80), changes(80), (before, after) => {
        const book = new OrderBook();
        book.reset(before, before);
        book.reset(after, after);
        expect(flatLevels(book.bids)).toEqual(sorted(model(after), 1));
        const asks = sorted(model(after), -1);
        book.reset([], asks);
        expect([book.bids.count, flatLevels(book.asks)]).toEqual([0, asks]);
      }),
    );
  });

  test("keeps the best levels when it is trimmed, and tells which are forgotten", () => {
    fc.assert(
      fc.property(changes(80), fc.nat({ max: 40 }), (levels, count) => {
        const book = new OrderBook();
        book.reset(levels, levels);
        const check = (side: BookSide, all: number[]) => {
          const forgotten: number[] = [];
          side.trim(count, (each) => forgotten.push(each));
          expect(flatLevels(side)).toEqual(all.slice(0, 2 * count));
          const prices = all.filter((_, at) => at % 2 === 0);
          expect(forgotten.reverse()).toEqual(prices.slice(count));
        };
        check(book.bids, sorted(model(levels), 1));
        check(book.asks, sorted(model(levels), -1));
      }),
    );
  });

  test("tells the price at every position, and none beyond the last", () => {
    const book = new OrderBook();
    book.reset([3, 1, 2, 1], [4, 1]);
    expect([0, 1, 2].map((at) => book.bids.priceAt(at))).toEqual([3, 2, undefined]);
    expect([0, 1].map((at) => book.asks.priceAt(at))).toEqual([4, undefined]);
  });

  test("is crossed when the best bid reaches the best ask", () => {
    const crossed = (bids: number[], asks: number[]) => {
      const book = new OrderBook();
      book.reset(bids, asks);
      return book.isCrossed;
    };
    expect(crossed([2, 1], [3, 1])).toBe(false);
    expect(crossed([3, 1], [3, 1])).toBe(true);
    expect(crossed([4, 1], [3, 1])).toBe(true);
    expect(crossed([], [3, 1])).toBe(false);
    expect(crossed([3, 1], [])).toBe(false);
  });

  test("shows no more levels than it is asked for", () => {
    const book = new OrderBook();
    book.reset([3, 1, 2, 1, 1, 1], []);
    expect(flatLevels(book.bids, 2)).toEqual([3, 1, 2, 1]);
    expect(flatLevels(book.bids, 0)).toEqual([]);
  });
});
