import type { PoolSwap } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { eventsOf, filtered, hashOf, sideOf } from "./pool-events.ts";

function swap(id: string, amount0: string, amountUSD: string): PoolSwap {
  const amount1 = amount0.startsWith("-") ? "1" : "-1";
  const people = { origin: "0xa", sender: "0xb", recipient: "0xc" };
  return {
    id,
    amount0,
    amount1,
    amountUSD,
    ...people,
    logIndex: "1",
    timestamp: "1",
    sqrtPriceX96: "1",
  };
}

const bought = swap("0xaa#1", "-5", "120");
const sold = swap("0xbb#2", "5", "80");

describe("what happened in a pool", () => {
  test("what the pool loses somebody has bought", () => {
    expect(sideOf(bought, "token0")).toBe("buy");
    expect(sideOf(bought, "token1")).toBe("sell");
    expect(sideOf(sold, "token0")).toBe("sell");
  });

  test("is filtered by side and by size", () => {
    const all = [bought, sold];
    expect(filtered(all, { side: "all", dollarsLeast: 0, of: "token0" })).toEqual(all);
    expect(filtered(all, { side: "sell", dollarsLeast: 0, of: "token0" })).toEqual([sold]);
    expect(filtered(all, { side: "all", dollarsLeast: 100, of: "token0" })).toEqual([bought]);
  });

  test("is listed once, whoever told it, and only swaps are told", () => {
    const answer = { poolAddress: "0x1", swaps: [sold], mints: [] };
    expect(eventsOf("swaps", answer, [bought, sold])).toEqual([bought, sold]);
    expect(eventsOf("mints", answer, [bought])).toEqual([]);
    expect(eventsOf("swaps", undefined, [])).toEqual([]);
  });

  test("names its transaction", () => {
    expect(hashOf("0xaa#1")).toBe("0xaa");
  });
});
