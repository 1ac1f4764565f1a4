import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { depthOf, digitsOf, ladderOf, stepsOf } from "./ladder.ts";

const sizes = fc.integer({ min: 1, max: 1_000 });
/** Prices in tenths, so that their sums of ten are exact enough to compare. */
const sides = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), sizes), {
    selector: ([price]) => price,
    maxLength: 80,
  })
  .map((levels) => levels.map(([price, size]): [number, number] => [price / 10, size]));
const steps = fc.constantFrom(1, 10, 100);

describe("a grouped book", () => {
  test("loses nothing, whatever the step", () => {
    fc.assert(
      fc.property(sides, steps, (levels, step) => {
        const bids = levels.sort(([one], [other]) => other - one);
        const rungs = ladderOf(bids, "bids", { digits: 1, step, count: 1_000 });
        const whole = bids.reduce((sum, [, size]) => sum + size, 0);
        expect(rungs.reduce((sum, { size }) => sum + size, 0)).toBe(whole);
        expect(rungs.at(-1)?.total ?? 0).toBe(whole);
      }),
    );
  });

  test("shows no price that is better than what rests there", () => {
    fc.assert(
      fc.property(sides, steps, (levels, step) => {
        const options = { digits: 1, step, count: 1_000 };
        const bids = [...levels].sort(([one], [other]) => other - one);
        const asks = [...levels].sort(([one], [other]) => one - other);
        const worstBid = bids.at(-1)?.[0] ?? 0;
        const lowest = ladderOf(bids, "bids", options).at(-1)?.price ?? 0;
        expect(lowest).toBeLessThanOrEqual(worstBid);
        expect(worstBid - lowest).toBeLessThan(step / 10);
        const worstAsk = asks.at(-1)?.[0] ?? 0;
        const highest = ladderOf(asks, "asks", options).at(-1)?.price ?? 0;
        expect(highest).toBeGreaterThanOrEqual(worstAsk);
        expect(highest - worstAsk).toBeLessThan(step / 10);
      }),
    );
  });

  test("has one row for each group, and no more rows than there is room for", () => {
    const asks: [number, number][] = [
      [100.1, 1],
      [100.2, 2],
      [101, 3],
      [101.1, 4],
    ];
    const options = { digits: 1, step: 10, count: 2 };
    expect(ladderOf(asks, "asks", options)).toEqual([
      { price: 101, size: 6, total: 6 },
      { price: 102, size: 4, total: 10 },
    ]);
    expect(ladderOf(asks, "asks", { ...options, count: 1 })).toHaveLength(1);
  });
});

test("as many decimals are shown as tell prices apart", () => {
  expect(
    digitsOf([
      [94860.7, 1],
      [94861, 1],
    ]),
  ).toBe(1);
  expect(digitsOf([[1.234e-7, 1]])).toBe(10);
  expect(digitsOf([])).toBe(0);
});

test("steps are never so coarse that nothing is left to see", () => {
  expect(stepsOf(1, 94_860)).toEqual([1, 10, 100, 1_000]);
  expect(stepsOf(4, 0.9998)).toEqual([1, 10]);
  expect(stepsOf(0, 3)).toEqual([1]);
});

describe("the depth of a book", () => {
  const book = {
    nonce: 1,
    bids: [
      [99, 1],
      [98, 2],
      [50, 9],
    ] as [number, number][],
    asks: [
      [101, 3],
      [102, 4],
      [200, 9],
    ] as [number, number][],
  };

  test("adds up from the middle outwards, within reach", () => {
    expect(depthOf(book, 0.02)).toEqual({
      prices: [98, 99, 101, 102],
      bids: [3, 1, null, null],
      asks: [null, null, 3, 7],
    });
  });

  test("of an empty side is not drawn", () => {
    expect(depthOf({ bids: [], asks: book.asks }, 0.02).prices).toEqual([]);
  });
});
