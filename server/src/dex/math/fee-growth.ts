import type { Dialect } from "../deployment.ts";
import { maximumTick, minimumTick, sqrtPriceAtTick, tickAtSqrtPrice } from "./tick-math.ts";
import type { Tick, Ticks } from "./ticks.ts";

/** What has to be known of a pool before an event. */
export type PoolView = {
  readonly sqrtPrice: bigint;
  /** Nothing before the pool is initialised. */
  readonly tick: number | undefined;
  readonly liquidity: bigint;
  readonly ticks: Ticks;
  readonly tickSpacing: number;
  /** In millionths of the input. */
  readonly fee: number;
  /** The protocol's share of the fee, as the dialect counts it. */
  readonly feeProtocol0: number;
  readonly feeProtocol1: number;
};

/** What the pool received, or gave if negative, and the price after that. */
export type SwapAmounts = {
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly sqrtPrice: bigint;
};

/** Growth is per unit of liquidity, in fractions of 2^128; the protocol's part is in the tokens' smallest units. */
export type Fees = { growth0: bigint; growth1: bigint; protocol0: bigint; protocol1: bigint };

/** The fees of a swap, and the liquidity and tick where it must have ended. */
export type SwapFees = Fees & { liquidity: bigint; tick: number };

/**
 * Finds the fees of a swap by taking the same steps as the contract, from the pool's price to the event's.
 * Nothing if these amounts cannot have moved the price of this pool so.
 */
export function swapFees(
  pool: PoolView,
  { amount0, amount1, sqrtPrice }: SwapAmounts,
  dialect: Dialect,
): SwapFees | undefined {
  if (pool.tick === undefined) return undefined;
  const isDown = sqrtPrice === pool.sqrtPrice ? amount0 > 0n : sqrtPrice < pool.sqrtPrice;
  const walk: Walk = {
    isDown,
    sqrtPrice: pool.sqrtPrice,
    tick: pool.tick,
    liquidity: pool.liquidity,
    rest: isDown ? amount0 : amount1,
    growth: 0n,
    protocol: 0n,
    feeProtocol: isDown ? pool.feeProtocol0 : pool.feeProtocol1,
    dialect,
  };
  if (!walkTo(sqrtPrice, walk, pool)) return undefined;
  const { growth, protocol, liquidity, tick } = walk;
  return isDown
    ? { growth0: growth, growth1: 0n, protocol0: protocol, protocol1: 0n, liquidity, tick }
    : { growth0: 0n, growth1: growth, protocol0: 0n, protocol1: protocol, liquidity, tick };
}

/** The fees of a flash loan, which are what was paid back beyond the loan. */
export function flashFees(
  pool: Pick<PoolView, "liquidity" | "feeProtocol0" | "feeProtocol1">,
  { paid0, paid1 }: { readonly paid0: bigint; readonly paid1: bigint },
  dialect: Dialect,
): Fees {
  const protocol0 = protocolPart(paid0, pool.feeProtocol0, dialect);
  const protocol1 = protocolPart(paid1, pool.feeProtocol1, dialect);
  return {
    growth0: growthOf(paid0 - protocol0, pool.liquidity),
    growth1: growthOf(paid1 - protocol1, pool.liquidity),
    protocol0,
    protocol1,
  };
}

/** A swap under way. Down: token0 comes in and the price falls. */
type Walk = {
  readonly isDown: boolean;
  sqrtPrice: bigint;
  tick: number;
  liquidity: bigint;
  /** Of the input, fee included. */
  rest: bigint;
  growth: bigint;
  protocol: bigint;
  readonly feeProtocol: number;
  readonly dialect: Dialect;
};

/** Goes from stop to stop, as each of them rounds for itself. Most swaps end before the first. */
function walkTo(end: bigint, walk: Walk, pool: PoolView): boolean {
  for (;;) {
    const stop = walk.isDown ? stopBelow(walk.tick, pool) : stopAbove(walk.tick, pool);
    const stopPrice = sqrtPriceAtTick(stop.tick);
    const isBefore = walk.isDown ? end > stopPrice : end < stopPrice;
    if (isBefore) return finish(walk, end);
    if (!reach(walk, stop, stopPrice, pool.fee)) return false;
    // What is left over at the very end is a fee, and the liquidity beyond the stop gets it.
    if (stopPrice === end && walk.rest === 0n) return true;
  }
}

/** A tick where the liquidity changes, or the end of a word of the contract's bitmap, where it does not. */
type Stop = Pick<Tick, "tick" | "liquidityNet">;

/** The bitmap has one bit for each multiple of the spacing. */
const wordBits = 256;

function stopBelow(tick: number, { ticks, tickSpacing }: PoolView): Stop {
  const word = wordBits * tickSpacing;
  const wordStart = Math.floor(tick / word) * word;
  const next = ticks.at(ticks.countUpTo(tick) - 1);
  if (next && next.tick >= wordStart) return next;
  return { tick: Math.max(wordStart, minimumTick), liquidityNet: 0n };
}

function stopAbove(tick: number, { ticks, tickSpacing }: PoolView): Stop {
  const word = wordBits * tickSpacing;
  const wordEnd = (Math.floor((tick + tickSpacing) / word) + 1) * word - tickSpacing;
  const next = ticks.at(ticks.countUpTo(tick));
  if (next && next.tick <= wordEnd) return next;
  return { tick: Math.min(wordEnd, maximumTick), liquidityNet: 0n };
}

const millionths = 1_000_000n;

/** Pays for the way to a stop and goes beyond it, unless that cannot be. */
function reach(walk: Walk, stop: Stop, stopPrice: bigint, feeMillionths: number): boolean {
  if (stop.tick === minimumTick || stop.tick === maximumTick) return false;
  const rate = BigInt(feeMillionths);
  const amount = amountIn(walk, stopPrice);
  const fee = dividedUp(amount * rate, millionths - rate);
  takeFee(walk, fee);
  walk.rest -= amount + fee;
  walk.sqrtPrice = stopPrice;
  walk.liquidity += walk.isDown ? -stop.liquidityNet : stop.liquidityNet;
  walk.tick = walk.isDown ? stop.tick - 1 : stop.tick;
  return walk.rest >= 0n && walk.liquidity >= 0n;
}

/** Between two stops the fee is all that the amount leaves of the input. */
function finish(walk: Walk, end: bigint): boolean {
  const fee = walk.rest - amountIn(walk, end);
  if (fee < 0n || (fee > 0n && walk.liquidity === 0n)) return false;
  takeFee(walk, fee);
  // A price that does not move leaves the tick alone, which may be the one below it.
  if (end !== walk.sqrtPrice) walk.tick = tickAtSqrtPrice(end);
  return true;
}

/** How much of the incoming token moves the price so far, rounded up. */
function amountIn({ isDown, sqrtPrice, liquidity }: Walk, end: bigint): bigint {
  return isDown
    ? dividedUp((liquidity << 96n) * (sqrtPrice - end), sqrtPrice * end)
    : dividedUp(liquidity * (end - sqrtPrice), 1n << 96n);
}

function takeFee(walk: Walk, fee: bigint): void {
  if (fee === 0n) return;
  const part = protocolPart(fee, walk.feeProtocol, walk.dialect);
  walk.protocol += part;
  walk.growth += growthOf(fee - part, walk.liquidity);
}

/** A share is "one in so many" for Uniswap, and in ten-thousandths for PancakeSwap. */
function protocolPart(fee: bigint, feeProtocol: number, dialect: Dialect): bigint {
  if (feeProtocol === 0) return 0n;
  if (dialect === "pancake") return (fee * BigInt(feeProtocol)) / 10_000n;
  return fee / BigInt(feeProtocol);
}

function growthOf(fee: bigint, liquidity: bigint): bigint {
  return liquidity > 0n ? (fee << 128n) / liquidity : 0n;
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
