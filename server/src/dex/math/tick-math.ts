import { assert } from "../../lib/errors.ts";

/** The lowest tick; the highest is as far above zero. */
export const minimumTick = -887_272;
export const maximumTick = -minimumTick;

const q32 = 1n << 32n;
const q256 = 1n << 256n;
/** 1 / √1.0001^(2^i) for each bit i of a tick, as fractions of 2^128. */
const factors = factorsOfBits(20);

/** Ticks recur. Each has one slot, and those of neighbours never drive each other out. */
const slots = 1 << 16;
const recent = new Array<{ tick: number; sqrtPrice: bigint } | undefined>(slots).fill(undefined);

/** √1.0001^tick as the contracts compute it, in fractions of 2^96. */
export function sqrtPriceAtTick(tick: number): bigint {
  const slot = tick & (slots - 1);
  const known = recent[slot];
  if (known?.tick === tick) return known.sqrtPrice;
  const sqrtPrice = computeSqrtPrice(tick);
  recent[slot] = { tick, sqrtPrice };
  return sqrtPrice;
}

const logarithmOfTick = Math.log(1.0001) / 2;
/** The logarithm is right to 10^-9 ticks; what a low price loses as an integer is up to 5 × 10^-6. */
const doubt = 1e-4;

/** The last tick whose price is not above this one. */
export function tickAtSqrtPrice(sqrtPrice: bigint): number {
  const estimate = Math.log(Number(sqrtPrice) / 2 ** 96) / logarithmOfTick;
  const nearest = Math.round(estimate);
  if (Math.abs(estimate - nearest) > doubt) return Math.floor(estimate);
  return sqrtPrice < sqrtPriceAtTick(nearest) ? nearest - 1 : nearest;
}

function computeSqrtPrice(tick: number): bigint {
  assert(tick >= minimumTick && tick <= maximumTick, `there is no tick ${tick}`);
  const distance = Math.abs(tick);
  let ratio = 1n << 128n;
  for (const [bit, factor] of factors.entries()) {
    if (distance & (1 << bit)) ratio = (ratio * factor) >> 128n;
  }
  if (tick > 0) ratio = (q256 - 1n) / ratio;
  return (ratio + q32 - 1n) / q32;
}

function factorsOfBits(count: number): bigint[] {
  const precision = 256n;
  const surplus = precision - 128n;
  const list: bigint[] = [];
  let factor = squareRoot((10_000n << (2n * precision)) / 10_001n);
  for (let bit = 0; bit < count; bit++) {
    list.push((factor + (1n << (surplus - 1n))) >> surplus);
    factor = (factor * factor) >> precision;
  }
  return list;
}

/** The integer part of a square root, by Newton's method. */
function squareRoot(value: bigint): bigint {
  let root = value;
  for (let next = (value + 1n) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
}
