import type { CexLevel } from "@slipway/sdk";
import { middleOf } from "./money.ts";

/** A row of the book: all that rests within one step of the price, and all up to here together. */
export type Rung = { price: number; size: number; total: number };

type Side = "bids" | "asks";
type Levels = readonly (readonly [number, number])[];

const digitsMost = 12;
const stepsMost = 4;
/** A step coarser than this part of the price would leave no book to look at. */
const coarsestPart = 0.005;

/** How many decimals it takes to write every price. */
export function digitsOf(levels: Levels): number {
  return Math.min(digitsMost, Math.max(0, ...levels.map(([price]) => decimalsOf(price))));
}

function decimalsOf(price: number): number {
  const [mantissa = "", exponent = "0"] = String(price).split("e-");
  return (mantissa.split(".")[1]?.length ?? 0) + Number(exponent);
}

/** The steps a book can be grouped by, in its smallest units: 1, 10, 100 and so on. */
export function stepsOf(digits: number, middle: number): number[] {
  const units = middle * 10 ** digits;
  return Array.from({ length: stepsMost }, (_, power) => 10 ** power).filter(
    (step) => step === 1 || step <= units * coarsestPart,
  );
}

/** The best rows of a side. Prices are counted in whole units of the last decimal, so that none slips into the next group. */
export function ladderOf(
  levels: Levels,
  side: Side,
  { digits, step, count }: { digits: number; step: number; count: number },
): Rung[] {
  const scale = 10 ** digits;
  const round = side === "bids" ? Math.floor : Math.ceil;
  const rungs: Rung[] = [];
  let total = 0;
  for (const [price, size] of levels) {
    const grouped = (round(Math.round(price * scale) / step) * step) / scale;
    const last = rungs.at(-1);
    const isNew = last?.price !== grouped;
    if (isNew && rungs.length === count) break;
    total += size;
    if (isNew) rungs.push({ price: grouped, size, total });
    else Object.assign(last, { size: last.size + size, total });
  }
  return rungs;
}

/** What a depth chart draws: for each price how much could be sold down to it, or bought up to it. */
export type Depth = {
  prices: number[];
  bids: (number | null)[];
  asks: (number | null)[];
};

/** All that rests within a part of the middle price. */
export function depthOf(
  book: { bids: readonly CexLevel[]; asks: readonly CexLevel[] },
  part: number,
): Depth {
  const middle = middleOf(book);
  if (middle === undefined) return { prices: [], bids: [], asks: [] };
  const bids = cumulated(book.bids.filter(([price]) => price >= middle * (1 - part))).reverse();
  const asks = cumulated(book.asks.filter(([price]) => price <= middle * (1 + part)));
  return {
    prices: [...bids, ...asks].map(([price]) => price),
    bids: [...bids.map(([, total]) => total), ...asks.map(() => null)],
    asks: [...bids.map(() => null), ...asks.map(([, total]) => total)],
  };
}

function cumulated(levels: Levels): [price: number, total: number][] {
  let total = 0;
  return levels.map(([price, size]) => {
    total += size;
    return [price, total];
  });
}
