import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialect } from "../deployment.ts";
import { type PoolView, swapFees } from "./fee-growth.ts";
import { maximumTick, minimumTick, sqrtPriceAtTick } from "./tick-math.ts";
import { Ticks } from "./ticks.ts";

/** A pool as the published mathematics describes it: what it does is known, not found out from events. */
type Contract = {
  readonly dialect: Dialect;
  readonly fee: bigint;
  readonly tickSpacing: number;
  feeProtocol: [number, number];
  sqrtPrice: bigint;
  tick: number;
  liquidity: bigint;
  gross: Map<number, bigint>;
  net: Map<number, bigint>;
  growth: [bigint, bigint];
  protocol: [bigint, bigint];
};

type Step = { sqrtPrice: bigint; amountIn: bigint; amountOut: bigint; fee: bigint };

const q96 = 1n << 96n;
const q128 = 1n << 128n;
const q160 = 1n << 160n;
const q256 = 1n << 256n;

const up = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor;

/** What the contract refuses. */
class Revert extends Error {}

function must(condition: boolean): void {
  if (!condition) throw new Revert();
}

function amount0(a: bigint, b: bigint, liquidity: bigint, isUp: boolean): bigint {
  const [low, high] = a < b ? [a, b] : [b, a];
  const product = (liquidity << 96n) * (high - low);
  return isUp ? up(up(product, high), low) : product / high / low;
}

function amount1(a: bigint, b: bigint, liquidity: bigint, isUp: boolean): bigint {
  const product = liquidity * (a < b ? b - a : a - b);
  return isUp ? up(product, q96) : product / q96;
}

function priceAfterAmount0(
  price: bigint,
  liquidity: bigint,
  amount: bigint,
  isIn: boolean,
): bigint {
  if (amount === 0n) return price;
  const numerator = liquidity << 96n;
  const product = amount * price;
  if (!isIn) {
    must(product < q256 && numerator > product);
    return up(numerator * price, numerator - product);
  }
  if (product < q256 && numerator + product < q256)
    return up(numerator * price, numerator + product);
  return up(numerator, numerator / price + amount);
}

function priceAfterAmount1(
  price: bigint,
  liquidity: bigint,
  amount: bigint,
  isIn: boolean,
): bigint {
  if (isIn) return price + (amount << 96n) / liquidity;
  const quotient = up(amount << 96n, liquidity);
  must(price > quotient);
  return price - quotient;
}

/** One step of a swap: `rest` is positive if the input is given, and negative if the output is. */
function swapStep(
  price: bigint,
  target: bigint,
  liquidity: bigint,
  rest: bigint,
  fee: bigint,
): Step {
  const isDown = price >= target;
  const isExactIn = rest >= 0n;
  const million = 1_000_000n;
  const inTo = (to: bigint) =>
    isDown ? amount0(to, price, liquidity, true) : amount1(price, to, liquidity, true);
  const outTo = (to: bigint) =>
    isDown ? amount1(to, price, liquidity, false) : amount0(price, to, liquidity, false);
  const given = isExactIn ? (rest * (million - fee)) / million : -rest;
  const next = given >= (isExactIn ? inTo(target) : outTo(target)) ? target : nextPrice();
  const amountIn = inTo(next);
  const out = outTo(next);
  return {
    sqrtPrice: next,
    amountIn,
    amountOut: !isExactIn && out > -rest ? -rest : out,
    fee: isExactIn && next !== target ? rest - amountIn : up(amountIn * fee, million - fee),
  };

  function nextPrice(): bigint {
    const after = isDown === isExactIn ? priceAfterAmount0 : priceAfterAmount1;
    const result = after(price, liquidity, given, isExactIn);
    must(result < q160);
    return result;
  }
}

/** The next tick of the bitmap's word, bit by bit. */
function nextTick({ gross, tick, tickSpacing }: Contract, isDown: boolean): number {
  const compressed = Math.floor(tick / tickSpacing);
  let bit = isDown ? compressed : compressed + 1;
  const isEdge = () => (bit & 255) === (isDown ? 0 : 255);
  while (!gross.has(bit * tickSpacing) && !isEdge()) bit += isDown ? -1 : 1;
  return Math.min(maximumTick, Math.max(minimumTick, bit * tickSpacing));
}

function tickAt(sqrtPrice: bigint): number {
  let low = minimumTick;
  let high = maximumTick;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (sqrtPriceAtTick(middle) <= sqrtPrice) low = middle;
    else high = middle;
  }
  return low;
}

function collectFee(pool: Contract, side: 0 | 1, fee: bigint): void {
  const share = BigInt(pool.feeProtocol[side]);
  const pancake = (fee * share) / 10_000n;
  const part = share === 0n ? 0n : pool.dialect === "pancake" ? pancake : fee / share;
  pool.protocol[side] += part;
  if (pool.liquidity > 0n) pool.growth[side] += ((fee - part) * q128) / pool.liquidity;
}

/** Swaps as the contract does, and returns what its event says of the amounts. */
function swap(pool: Contract, isDown: boolean, specified: bigint, limit: bigint) {
  must(isDown ? limit < pool.sqrtPrice : limit > pool.sqrtPrice);
  let input = 0n;
  let output = 0n;
  must(specified !== 0n);
  for (let rest = specified; rest !== 0n && pool.sqrtPrice !== limit; ) {
    const next = nextTick(pool, isDown);
    const target = nearer(sqrtPriceAtTick(next), limit, isDown);
    const step = swapStep(pool.sqrtPrice, target, pool.liquidity, rest, pool.fee);
    rest += specified > 0n ? -(step.amountIn + step.fee) : step.amountOut;
    input += step.amountIn + step.fee;
    output += step.amountOut;
    collectFee(pool, isDown ? 0 : 1, step.fee);
    moveTo(pool, step.sqrtPrice, next, isDown);
  }
  return isDown ? { amount0: input, amount1: -output } : { amount0: -output, amount1: input };
}

function nearer(price: bigint, limit: bigint, isDown: boolean): bigint {
  return price < limit === isDown ? limit : price;
}

function moveTo(pool: Contract, sqrtPrice: bigint, tick: number, isDown: boolean): void {
  const isMoving = sqrtPrice !== pool.sqrtPrice;
  pool.sqrtPrice = sqrtPrice;
  if (sqrtPrice === sqrtPriceAtTick(tick)) {
    const net = pool.net.get(tick) ?? 0n;
    pool.liquidity += isDown ? -net : net;
    pool.tick = isDown ? tick - 1 : tick;
  } else if (isMoving) pool.tick = tickAt(sqrtPrice);
}

type Position = { lower: number; upper: number; liquidity: bigint };

function mint(pool: Contract, { lower, upper, liquidity }: Position): void {
  for (const [tick, net] of [
    [lower, liquidity],
    [upper, -liquidity],
  ] as const) {
    pool.gross.set(tick, (pool.gross.get(tick) ?? 0n) + liquidity);
    pool.net.set(tick, (pool.net.get(tick) ?? 0n) + net);
    if (pool.gross.get(tick) === 0n) pool.gross.delete(tick);
  }
  if (lower <= pool.tick && pool.tick < upper) pool.liquidity += liquidity;
}

const tiers: [fee: bigint, tickSpacing: number][] = [
  [100n, 1],
  [500n, 10],
  [2_500n, 50],
  [3_000n, 60],
  [10_000n, 200],
];

/** As likely to be small as to be large. */
const size = (bitsMost: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: bitsMost }), fc.bigInt({ min: 1n << 20n, max: 1n << 21n }))
    .map(([bits, lead]) => (lead << BigInt(bits)) >> 20n);

const start = fc.record({
  tier: fc.constantFrom(...tiers),
  dialect: fc.constantFrom<Dialect>("uniswap", "pancake"),
  tick: fc.oneof(
    fc.integer({ min: -3_000, max: 3_000 }),
    fc.integer({ min: -600_000, max: 600_000 }),
  ),
  /** How far the price is above the tick. */
  offset: fc.constantFrom(0n, 1n, 1_000_003n),
});

/** Where it begins and how wide it is, in spacings. */
const position = fc.record({
  from: fc.oneof(fc.integer({ min: -6, max: 5 }), fc.integer({ min: -600, max: 600 })),
  width: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 1_200 })),
  liquidity: size(90),
});
const widePosition = fc.record({
  from: fc.constant(-700),
  width: fc.constant(1_500),
  liquidity: size(90),
});

const round = fc.record({
  minted: fc.option(position),
  isBurning: fc.constantFrom(false, false, true),
  shares: fc.tuple(fc.nat(6), fc.nat(6)),
  isDown: fc.boolean(),
  isExactIn: fc.boolean(),
  amount: size(90),
  /** Where the price may go, in ticks from where it is; to the very price of a tick or a little off. */
  reach: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5_000 })),
  isAligned: fc.boolean(),
  offset: fc.constantFrom(0n, 0n, 1n, 12_345n),
  /** Instead of the amount: what it takes to get there, and so much more. */
  more: fc.option(fc.constantFrom(-1n, 0n, 1n, 2n, 7n), { freq: 2 }),
});

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Round = ValueOf<typeof round>;

test("a swap's event and the pool before it tell exactly what the contract did", () => {
  const rounds = fc.array(round, { minLength: 1, maxLength: 12, size: "max" });
  let swaps = 0;
  fc.assert(
    fc.property(start, widePosition, rounds, (first, wide, all) => {
      const pool = poolAt(first);
      const ticks = new Ticks();
      const positions: Position[] = [];
      const change = (plan: Position) => {
        mint(pool, plan);
        expect(ticks.add(plan.lower, plan.upper, plan.liquidity)).toBe(true);
      };
      const add = (plan: ValueOf<typeof position>) => {
        const added = positionOf(pool, plan);
        positions.push(added);
        change(added);
      };
      const remove = ({ lower, upper, liquidity }: Position) =>
        change({ lower, upper, liquidity: -liquidity });
      add(wide);
      for (const each of all) {
        if (each.minted) add(each.minted);
        if (each.isBurning) positions.splice(0, 1).forEach(remove);
        if (swapAndCompare(pool, ticks, each)) swaps++;
      }
    }),
    { numRuns: 300 },
  );
  expect(swaps).toBeGreaterThan(300);
});

function poolAt({
  tier: [fee, tickSpacing],
  dialect,
  tick,
  offset,
}: ValueOf<typeof start>): Contract {
  const sqrtPrice = sqrtPriceAtTick(tick) + offset;
  return {
    dialect,
    fee,
    tickSpacing,
    feeProtocol: [0, 0],
    sqrtPrice,
    tick: tickAt(sqrtPrice),
    liquidity: 0n,
    gross: new Map(),
    net: new Map(),
    growth: [0n, 0n],
    protocol: [0n, 0n],
  };
}

function positionOf(
  { tick, tickSpacing }: Contract,
  { from, width, liquidity }: ValueOf<typeof position>,
): Position {
  const most = Math.floor(maximumTick / tickSpacing);
  const lower = Math.max(-most, Math.floor(tick / tickSpacing) + from);
  const upper = Math.min(most, lower + width);
  return { lower: lower * tickSpacing, upper: upper * tickSpacing, liquidity };
}

/** Returns whether there was a swap: the contract may refuse. */
function swapAndCompare(pool: Contract, ticks: Ticks, each: Round): boolean {
  const [share0, share1] = each.shares;
  pool.feeProtocol = [shareOf(pool, share0), shareOf(pool, share1)];
  const after = copyOf(pool);
  const amounts = trySwap(after, each);
  if (!amounts) return false;
  const { sqrtPrice } = after;
  expect(swapFees(viewOf(pool, ticks), { ...amounts, sqrtPrice }, pool.dialect)).toEqual({
    growth0: after.growth[0] - pool.growth[0],
    growth1: after.growth[1] - pool.growth[1],
    protocol0: after.protocol[0] - pool.protocol[0],
    protocol1: after.protocol[1] - pool.protocol[1],
    liquidity: after.liquidity,
    tick: after.tick,
  });
  Object.assign(pool, after);
  return true;
}

/** Uniswap knows one in 4 to 10. */
function shareOf({ dialect }: Contract, share: number): number {
  if (share === 0) return 0;
  return dialect === "pancake" ? share * 617 : share + 3;
}

function trySwap(pool: Contract, each: Round) {
  try {
    const limit = limitOf(pool, each, 0);
    if (each.more === null)
      return swap(pool, each.isDown, each.isExactIn ? each.amount : -each.amount, limit);
    const { amount0, amount1 } = swap(copyOf(pool), each.isDown, 1n << 200n, limit);
    const needed = (each.isDown ? amount0 : amount1) + each.more;
    return swap(pool, each.isDown, needed, limitOf(pool, each, 5_000));
  } catch (error) {
    if (error instanceof Revert) return undefined;
    throw error;
  }
}

function limitOf(
  { tick, tickSpacing }: Contract,
  { isDown, reach, isAligned, offset }: Round,
  further: number,
): bigint {
  const distance = reach + further;
  const spacing = isAligned ? tickSpacing : 1;
  const near = Math.floor((isDown ? tick - distance : tick + distance) / spacing) * spacing;
  return sqrtPriceAtTick(Math.min(maximumTick - 1, Math.max(minimumTick + 1, near))) + offset;
}

function copyOf(pool: Contract): Contract {
  const { gross, net, growth, protocol } = pool;
  return {
    ...pool,
    gross: new Map(gross),
    net: new Map(net),
    growth: [...growth],
    protocol: [...protocol],
  };
}

function viewOf(pool: Contract, ticks: Ticks): PoolView {
  const { sqrtPrice, tick, liquidity, tickSpacing, fee, feeProtocol } = pool;
  const [feeProtocol0, feeProtocol1] = feeProtocol;
  const shares = { feeProtocol0, feeProtocol1 };
  return { sqrtPrice, tick, liquidity, tickSpacing, fee: Number(fee), ticks, ...shares };
}
