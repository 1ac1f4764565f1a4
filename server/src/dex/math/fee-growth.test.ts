import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
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

const q128 = 1n << 128n;

/** Thrice the liquidity below tick 0 as above it; the price stands a little above. */
function steppedPool(changes: Partial<PoolView> = {}): PoolView {
  const ticks = new Ticks();
  ticks.add(-600, 0, 3n * 10n ** 18n);
  ticks.add(0, 600, 10n ** 18n);
  return {
    sqrtPrice: sqrtPriceAtTick(30),
    tick: 30,
    liquidity: 10n ** 18n,
    ticks,
    tickSpacing: 60,
    fee: 3_000,
    feeProtocol0: 0,
    feeProtocol1: 0,
    ...changes,
  };
}

describe("a swap that ends exactly at a tick", () => {
  const sqrtPrice = sqrtPriceAtTick(0);
  // By hand: 10^18 × (1 - 1 / 1.0001^15), and 3 / 997 of that, both rounded up.
  const amount = 1_498_800_679_694_117n;
  const fee = 4_509_931_834_587n;

  test("goes to the liquidity before it", () => {
    expect(
      swapFees(steppedPool(), { amount0: amount + fee, amount1: -1n, sqrtPrice }, "uniswap"),
    ).toEqual({
      growth0: (fee * q128) / 10n ** 18n,
      growth1: 0n,
      protocol0: 0n,
      protocol1: 0n,
      liquidity: 3n * 10n ** 18n,
      tick: -1,
    });
  });

  test("leaves what is left over to the liquidity beyond it", () => {
    const event = { amount0: amount + fee + 5n, amount1: -1n, sqrtPrice };
    expect(swapFees(steppedPool(), event, "uniswap")?.growth0).toBe(
      (fee * q128) / 10n ** 18n + (5n * q128) / (3n * 10n ** 18n),
    );
  });

  test("shares each part of its fee with the protocol for itself", () => {
    const event = { amount0: amount + fee + 5n, amount1: -1n, sqrtPrice };
    const uniswap = steppedPool({ feeProtocol0: 4, feeProtocol1: 9 });
    expect(swapFees(uniswap, event, "uniswap")).toMatchObject({
      protocol0: fee / 4n + 1n,
      protocol1: 0n,
    });
    const pancake = steppedPool({ feeProtocol0: 3_300, feeProtocol1: 1 });
    expect(swapFees(pancake, event, "pancake")).toMatchObject({
      protocol0: (fee * 3_300n) / 10_000n + 1n,
      protocol1: 0n,
    });
  });
});

test("an input too small to move the price is a fee, and the tick stays what it was", () => {
  const pool = steppedPool({ sqrtPrice: sqrtPriceAtTick(0), tick: -1, liquidity: 3n * 10n ** 18n });
  const event = { amount0: 1n, amount1: 0n, sqrtPrice: pool.sqrtPrice };
  expect(swapFees(pool, event, "uniswap")).toMatchObject({
    growth0: q128 / (3n * 10n ** 18n),
    tick: -1,
  });
});

describe("no swap", () => {
  const event = { amount0: 10n ** 16n, amount1: -1n, sqrtPrice: sqrtPriceAtTick(-30) };
  const fees = (changes: Partial<PoolView>, eventChanges: Partial<typeof event> = {}) =>
    swapFees(steppedPool(changes), { ...event, ...eventChanges }, "uniswap");

  test("happens before a pool is initialised", () => {
    expect(fees({ tick: undefined })).toBeUndefined();
  });

  test("moves the price further than its input can pay for", () => {
    expect(fees({})).toBeDefined();
    expect(fees({}, { amount0: 10n ** 15n })).toBeUndefined();
    expect(fees({}, { amount0: 1_504n * 10n ** 12n })).toBeUndefined();
  });

  test("pays a fee where there is no liquidity", () => {
    expect(fees({ ticks: new Ticks(), liquidity: 0n })).toBeUndefined();
    expect(fees({ ticks: new Ticks(), liquidity: 0n }, { amount0: 0n })).toMatchObject({
      growth0: 0n,
      tick: -30,
    });
  });

  test("takes away more liquidity than there is", () => {
    const below = { tick: -30, sqrtPrice: sqrtPriceAtTick(-30) };
    const rise = { amount0: -1n, amount1: 10n ** 18n, sqrtPrice: sqrtPriceAtTick(30) };
    expect(fees({ ...below, liquidity: 3n * 10n ** 18n }, rise)?.liquidity).toBe(10n ** 18n);
    expect(fees({ ...below, liquidity: 10n ** 18n }, rise)).toBeUndefined();
  });

  test.each([0n, sqrtPriceAtTick(minimumTick), sqrtPriceAtTick(maximumTick), 1n << 160n])(
    "leads to the price %s",
    (sqrtPrice) => {
      const amounts = { amount0: 1n << 200n, amount1: 1n << 200n, sqrtPrice };
      expect(fees({}, amounts)).toBeUndefined();
    },
  );
});

describe("the fee of a flash loan", () => {
  const liquidity = 1_000n;

  test("is shared with the protocol as one in so many by Uniswap", () => {
    const pool = { liquidity, feeProtocol0: 4, feeProtocol1: 0 };
    expect(flashFees(pool, { paid0: 11n, paid1: 7n }, "uniswap")).toEqual({
      growth0: (9n * q128) / liquidity,
      growth1: (7n * q128) / liquidity,
      protocol0: 2n,
      protocol1: 0n,
    });
  });

  test("is shared with the protocol in ten-thousandths by PancakeSwap", () => {
    const pool = { liquidity, feeProtocol0: 3_300, feeProtocol1: 10_000 };
    expect(flashFees(pool, { paid0: 10n, paid1: 7n }, "pancake")).toEqual({
      growth0: (7n * q128) / liquidity,
      growth1: 0n,
      protocol0: 3n,
      protocol1: 7n,
    });
  });

  test("makes nothing grow in a pool without liquidity", () => {
    const pool = { liquidity: 0n, feeProtocol0: 0, feeProtocol1: 0 };
    expect(flashFees(pool, { paid0: 8n, paid1: 8n }, "uniswap")).toMatchObject({
      growth0: 0n,
      growth1: 0n,
    });
  });
});
