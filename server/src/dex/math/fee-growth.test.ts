import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialect } from "../deployment.ts";
import { flashFees, type PoolView, swapFees } from "./fee-growth.ts";
import { maximumTick, minimumTick, sqrtPriceAtTick } from "./tick-math.ts";
import { Ticks } from "./ticks.ts";

type Vector = {
  name: string;
  fee: number;
  tickSpacing: number;
  initialize: { sqrtPriceX96: string; tick: number };
  mints: { tickLower: number; tickUpper: number; amount: string }[];
  swap: { amount0: string; amount1: string; sqrtPriceX96: string; liquidity: string; tick: number };
  expect: { feeGrowthGlobal0X128: string; feeGrowthGlobal1X128: string };
};

const { feeGrowthFromEvents } = JSON.parse(
  readFileSync(new URL("../../../test/vectors/dex-vectors.json", import.meta.url), "utf8"),
) as { feeGrowthFromEvents: Vector[] };

function poolOf({ fee, tickSpacing, initialize, mints }: Vector): PoolView {
  const ticks = new Ticks();
  let liquidity = 0n;
  for (const { tickLower, tickUpper, amount } of mints) {
    ticks.add(tickLower, tickUpper, BigInt(amount));
    if (tickLower <= initialize.tick && initialize.tick < tickUpper) liquidity += BigInt(amount);
  }
  const sqrtPrice = BigInt(initialize.sqrtPriceX96);
  const shares = { feeProtocol0: 0, feeProtocol1: 0 };
  return { sqrtPrice, tick: initialize.tick, liquidity, ticks, tickSpacing, fee, ...shares };
}

function swapOf({ swap }: Vector) {
  return {
    amount0: BigInt(swap.amount0),
    amount1: BigInt(swap.amount1),
    sqrtPrice: BigInt(swap.sqrtPriceX96),
  };
}

test.each(feeGrowthFromEvents)("the contracts' own test: $name", (vector) => {
  expect(swapFees(poolOf(vector), swapOf(vector), "uniswap")).toEqual({
    growth0: BigInt(vector.expect.feeGrowthGlobal0X128),
    growth1: BigInt(vector.expect.feeGrowthGlobal1X128),
    protocol0: 0n,
    protocol1: 0n,
    liquidity: BigInt(vector.swap.liquidity),
    tick: vector.swap.tick,
  });
});
