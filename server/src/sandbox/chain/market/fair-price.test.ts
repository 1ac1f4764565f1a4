import { describe, expect, test } from "vitest";
import { type Asset, fairPrice, fairPrices, movements } from "./fair-price.ts";

const assets = Object.keys(movements) as Asset[];
const someDay = 20_500;
const days = 400;

/** Deviation of the change in a span, over many days. */
function changeIn(asset: Asset, seconds: number, seed = 7): number {
  let squares = 0;
  for (let day = someDay; day < someDay + days; day++) {
    const from = fairPrice(seed, asset, day * 86_400);
    squares += Math.log(fairPrice(seed, asset, day * 86_400 + seconds) / from) ** 2;
  }
  return Math.sqrt(squares / days);
}

describe("the fair price", () => {
  test("is the same whenever it is asked for, and another for another seed", () => {
    expect(fairPrice(7, "ETH", 1.8e9)).toBe(fairPrice(7, "ETH", 1.8e9));
    expect(fairPrice(7, "ETH", 1.8e9)).not.toBe(fairPrice(8, "ETH", 1.8e9));
  });

  test.each(assets.filter((asset) => movements[asset].returnsInDays > 1))(
    "of %s moves in a day as much as it should, and in an hour by the root of the time",
    (asset) => {
      const { dailyVolatility } = movements[asset];
      expect(changeIn(asset, 86_400) / dailyVolatility).toBeGreaterThan(0.8);
      expect(changeIn(asset, 86_400) / dailyVolatility).toBeLessThan(1.25);
      const anHour = changeIn(asset, 3_600) / (dailyVolatility / Math.sqrt(24));
      expect(anHour).toBeGreaterThan(0.8);
      expect(anHour).toBeLessThan(1.25);
    },
  );

  test.each(assets)("of %s stays near where it belongs, for years", (asset) => {
    const { usd, dailyVolatility } = movements[asset];
    for (let day = someDay; day < someDay + 2_000; day++) {
      const off = Math.abs(Math.log(fairPrice(7, asset, day * 86_400) / usd));
      expect(off).toBeLessThanOrEqual(dailyVolatility * 16);
    }
  });

  test("is the same for who asks for many moments, in whatever order", () => {
    const priceAt = fairPrices(7, "LINK");
    for (const second of [1.8e9, 1.8e9 + 1, 1.7e9, 1.8e9 + 0.5, 1.75e9, 1.8e9]) {
      expect(priceAt(second)).toBe(fairPrice(7, "LINK", second));
    }
  });

  test("does not jump from one second to the next", () => {
    for (let second = 1.8e9; second < 1.8e9 + 5_000; second++) {
      const change = Math.log(fairPrice(7, "ETH", second + 1) / fairPrice(7, "ETH", second));
      expect(Math.abs(change)).toBeLessThan(0.001);
    }
  });
});
