import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fairPrice, readSighting, type Sighting, weightedMid } from "./fair-price.ts";

const e18 = 10n ** 18n;
const anySighting: fc.Arbitrary<Sighting> = fc
  .record({
    bidE18: fc.bigInt(1n, 10n ** 24n),
    spread: fc.bigInt(0n, 10n ** 20n),
    weight: fc.bigInt(1n, 10n ** 30n),
  })
  .map(({ bidE18, spread, weight }) => ({
    market: "kraken/ETH-USD",
    bidE18,
    askE18: bidE18 + spread,
    weight,
  }));
const anySightings = fc.array(anySighting, { minLength: 1, maxLength: 6 });
const priced = (bid: bigint, ask: bigint, weight = 1n, market = "kraken/ETH-USD") => ({
  market,
  bidE18: bid * e18,
  askE18: ask * e18,
  weight,
});

describe("the weighted middle", () => {
  test("lies between the lowest bid and the highest ask", () => {
    fc.assert(
      fc.property(anySightings, (sightings) => {
        const mid = weightedMid(sightings);
        expect(sightings.some(({ bidE18 }) => bidE18 <= mid)).toBe(true);
        expect(sightings.some(({ askE18 }) => askE18 >= mid)).toBe(true);
      }),
    );
  });

  test("does not depend on the order of the markets, nor on the unit of their weights", () => {
    fc.assert(
      fc.property(anySightings, fc.bigInt(1n, 10n ** 12n), (sightings, factor) => {
        const mid = weightedMid(sightings);
        expect(weightedMid([...sightings].reverse())).toBe(mid);
        const scaled = sightings.map((each) => ({ ...each, weight: each.weight * factor }));
        expect(weightedMid(scaled)).toBe(mid);
      }),
    );
  });

  test("is exact, cut off after the eighteenth decimal", () => {
    fc.assert(
      fc.property(anySightings, (sightings) => {
        const weights = sightings.reduce((sum, { weight }) => sum + weight, 0n);
        const sum = sightings.reduce(
          (total, { bidE18, askE18, weight }) => total + weight * (bidE18 + askE18),
          0n,
        );
        const mid = weightedMid(sightings);
        expect(2n * weights * mid <= sum && sum < 2n * weights * (mid + 1n)).toBe(true);
      }),
    );
  });

  test("goes towards the market that gains weight", () => {
    fc.assert(
      fc.property(anySightings, anySighting, fc.bigInt(1n, 10n ** 30n), (others, one, more) => {
        const heavier = weightedMid([...others, { ...one, weight: one.weight + more }]);
        const [before, own] = [weightedMid([...others, one]), weightedMid([one])];
        expect(before <= own ? heavier >= before : heavier <= before).toBe(true);
      }),
    );
  });
});

test("three markets give the middle that one gets by hand", () => {
  const sightings = [
    priced(3_498n, 3_502n, 6n),
    priced(3_505n, 3_507n, 3n),
    priced(3_490n, 3_494n),
  ];
  expect(weightedMid(sightings)).toBe((6n * 3_500n + 3n * 3_506n + 3_492n) * (e18 / 10n));
});

describe("sources that are apart", () => {
  const tolerance = { disagreeMillionths: 10_000n };

  test.each([
    [101n, "101 is exactly one percent from 100"],
    [99n, "99 is too"],
  ])("by as much as is tolerated give a price: %s, since %s", (price) => {
    const cross = { source: "dex ethereum", priceE18: price * e18 };
    expect(fairPrice([priced(100n, 100n)], cross, tolerance)).toEqual({ priceE18: 100n * e18 });
  });

  test("by one unit of the last decimal more give none", () => {
    const cross = { source: "dex ethereum", priceE18: 101n * e18 + 1n };
    expect(fairPrice([priced(100n, 100n)], cross, tolerance)).toEqual({
      cause: "the decentralized exchange disagrees",
      detail: "dex ethereum is too far from the markets",
    });
    const far = priced(103n, 103n, 1n, "coinbase/ETH-USD");
    expect(fairPrice([priced(100n, 100n, 100n), far], undefined, tolerance)).toEqual({
      cause: "markets disagree",
      detail: "coinbase/ETH-USD is too far from the other markets",
    });
  });
});

describe("a market's figures", () => {
  const figures = { market: "kraken/ETH-USD", bid: "3500", ask: "3501.5", volume: "12.25" };

  test("are read to the last digit", () => {
    expect(readSighting(figures)).toEqual({
      market: "kraken/ETH-USD",
      bidE18: 3_500n * e18,
      askE18: 35_015n * 10n ** 17n,
      weight: 1_225n * 10n ** 16n,
    });
    expect(readSighting({ ...figures, volume: "0" })?.weight).toBe(1n);
  });

  test.each([
    ["a bid above the ask", { bid: "3502" }],
    ["a spread above a tenth", { bid: "3167" }],
    ["no bid", { bid: "0" }],
    ["an exponent", { ask: "3.5e3" }],
    ["a negative volume", { volume: "-1" }],
    ["words", { ask: "NaN" }],
  ])("make no price with %s", (_, change) => {
    expect(readSighting({ ...figures, ...change })).toBeUndefined();
  });

  test("make one with a spread of exactly a tenth", () => {
    expect(readSighting({ ...figures, bid: "95", ask: "105" })).toBeDefined();
    expect(readSighting({ ...figures, bid: "94.999", ask: "105" })).toBeUndefined();
  });
});
