import type { PoolBar } from "@slipway/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeSince,
  drawnBars,
  feeText,
  priceOf,
  sumSince,
  usualSide,
  withBar,
} from "./pool-figures.ts";

const start = 1_794_700_800;

function bar(hour: number, prices: { o: number; h: number; l: number; c: number }): PoolBar {
  const text = (value: number) => String(value);
  return {
    id: `0xpool-${hour}`,
    timestamp: start + hour * 3_600,
    feeGrowthGlobal0X128: "0",
    feeGrowthGlobal1X128: "0",
    feesUSD: "1",
    o: text(prices.o),
    h: text(prices.h),
    l: text(prices.l),
    c: text(prices.c),
    volumeUSD: "10",
    volumeToken0: "1",
    volumeToken1: "1",
    token0Price: text(prices.c),
    token1Price: text(1 / prices.c),
    liquidity: "1",
    txCount: "2",
    tvlUSD: "100",
    sqrtPrice: "1",
    tick: "0",
  };
}

const flat = (price: number) => ({ o: price, h: price, l: price, c: price });
const hours = Array.from({ length: 30 }, (_, index) => bar(29 - index, flat(100 + 29 - index)));
const now = start + 29 * 3_600 + 1_800;

describe("a pool's bars", () => {
  test("seen from the other side, no candle is higher than its high or lower than its low", () => {
    const prices = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(prices, fc.constantFrom("token0" as const, "token1" as const), (four, of) => {
        const [l = 1, o = 1, c = 1, h = 1] = [...four].sort((one, other) => one - other);
        const [candle] = drawnBars([bar(0, { o, h, l, c })], of);
        expect(candle?.low).toBeLessThanOrEqual(Math.min(candle?.open ?? 0, candle?.close ?? 0));
        expect(candle?.high).toBeGreaterThanOrEqual(
          Math.max(candle?.open ?? 0, candle?.close ?? 0),
        );
      }),
    );
  });

  test("are drawn from the oldest on, without those that have no price yet", () => {
    const drawn = drawnBars([bar(2, flat(4)), bar(1, flat(2)), bar(0, flat(0))], "token0");
    expect(drawn.map(({ time, close }) => [(time - start) / 3_600, close])).toEqual([
      [1, 0.5],
      [2, 0.25],
    ]);
  });

  test("one that the stream told replaces its older self, or begins a new time", () => {
    const same = bar(29, flat(7));
    const next = bar(30, flat(8));
    expect(withBar(hours, same)).toEqual([same, ...hours.slice(1)]);
    expect(withBar(hours, next)).toEqual([next, ...hours]);
    expect(withBar(hours, bar(3, flat(1)))).toBe(hours);
  });
});

describe("what a pool did", () => {
  test("in an hour or a day is counted from the end of the hour before", () => {
    expect(changeSince(hours, 3_600, now, "token1")).toBeCloseTo(129 / 127 - 1);
    expect(changeSince(hours, 86_400, now, "token1")).toBeCloseTo(129 / 104 - 1);
    expect(changeSince(hours, 86_400, now, "token0")).toBeCloseTo(104 / 129 - 1);
  });

  test("is not told for longer than it has been known", () => {
    expect(changeSince(hours, 7 * 86_400, now, "token1")).toBeUndefined();
    expect(changeSince([], 3_600, now, "token1")).toBeUndefined();
  });

  test("adds up", () => {
    expect(sumSince(hours, "volumeUSD", 86_400, now)).toBe(250);
    expect(sumSince(hours, "txCount", 3_600, now)).toBe(4);
  });
});

test("a price is counted in dollars where it can be, and its other side is the same price", () => {
  const token = (symbol: string) => ({ id: `0x${symbol}`, name: symbol, symbol });
  const [usdc, weth, link] = [token("USDC"), token("WETH"), token("LINK")];
  expect(usualSide({ token0: usdc, token1: weth })).toBe("token1");
  expect(usualSide({ token0: weth, token1: usdc })).toBe("token0");
  expect(usualSide({ token0: link, token1: weth })).toBe("token0");
  const prices = { token0Price: "3000", token1Price: "0.00033" };
  expect(priceOf("token1", prices)).toBe("3000");
  expect(priceOf("token0", prices)).toBe("0.00033");
});

test.each([
  ["100", "0.01 %"],
  ["500", "0.05 %"],
  ["3000", "0.3 %"],
  ["10000", "1 %"],
])("a fee of %s is shown as %s", (tier, shown) => {
  expect(feeText(tier)).toBe(shown);
});
