import { arbitrageur, type Pool, pools, providers, traders } from "../layout.ts";
import { fairPoolPrice, type UsdPrices } from "./amounts.ts";
import { type Chance, chanceOf } from "./chance.ts";
import type { Order, Range, Side } from "./orders.ts";
import { activityAt, type Span, scriptBetween } from "./script.ts";

/** What a decision is made from: nothing else, so that the same chain goes on in the same way. */
export type Market = {
  seed: number;
  /** Of the block to come. */
  number: number;
  /** Of the block before and of the one to come, in Unix seconds. */
  parentTime: number;
  time: number;
  history: Span;
  usdOf: UsdPrices;
  /** The price in every pool that is open: smallest units of token 1 for one of token 0. */
  prices: ReadonlyMap<Pool, number>;
};

/** How much happens in a block, on average. */
type Pace = {
  swaps: number;
  /** In each pool. */
  arbitrage: number;
  positions: number;
  flashes: number;
  protocolFees: number;
};

/** A block of history stands for minutes, one of the present for seconds. */
const historyPace: Pace = {
  swaps: 0.95,
  arbitrage: 0.25,
  positions: 0.12,
  flashes: 0.02,
  protocolFees: 0.002,
};
const livePace: Pace = {
  swaps: 0.12,
  arbitrage: 0.03,
  positions: 0.008,
  flashes: 0.002,
  protocolFees: 0.0004,
};

/** How far beyond its fee a price must be off before somebody takes the trouble. */
const arbitrageMargin = 0.0002;
const hopelessSwaps = 0.02;

/** After such a pause the whole market has moved on, and every pool has to follow. */
const awaySeconds = 600;

/** What everybody does in the block to come. Pure. */
export function decide(market: Market): Order[] {
  const { seed, number, parentTime, time, history, prices } = market;
  const scripted = scriptBetween(history, parentTime, time);
  const open = pools.filter((pool) => prices.has(pool));
  if (open.length === 0) return scripted;

  const chance = chanceOf(seed, number);
  const isPast = time <= history.end;
  const pace = isPast ? historyPace : livePace;
  const wasAway = !isPast && time - parentTime > awaySeconds;
  // In history the blocks themselves are further apart at night.
  const swaps = chance.count(isPast ? pace.swaps : pace.swaps * activityAt(time));
  return [
    ...scripted,
    ...Array.from({ length: swaps }, () => someSwap(chance, open)),
    ...arbitrage(market, () => wasAway || chance.happens(pace.arbitrage)),
    ...(chance.happens(pace.positions) ? [somePosition(chance, open)] : []),
    ...(chance.happens(pace.flashes) ? [someFlash(chance, open)] : []),
    ...(chance.happens(pace.protocolFees)
      ? [{ kind: "collect protocol fee", pool: chance.pick(open) } as const]
      : []),
  ];
}

/** Trades in pools that are further from the fair price than their fee, up to where it no longer pays. */
function arbitrage({ prices, usdOf }: Market, isWatched: () => boolean): Order[] {
  return [...prices].flatMap(([pool, price]): Order[] => {
    const fair = fairPoolPrice(pool, usdOf);
    const fee = pool.fee / 1e6;
    const off = Math.log(price / fair);
    if (!isWatched() || Math.abs(off) < fee + arbitrageMargin) return [];
    const side: Side = off > 0 ? "sell0" : "sell1";
    const target = off > 0 ? fair * (1 + fee) : fair / (1 + fee);
    return [{ kind: "move price", trader: arbitrageur, pool, side, price: target }];
  });
}

function someSwap(chance: Chance, open: readonly Pool[]): Order {
  const pool = chance.pickWeighted(open, ({ share }) => share);
  const trader = chance.pick(traders);
  const side: Side = chance.happens(0.5) ? "sell0" : "sell1";
  const usd = someSize(chance, pool);
  const way = chance.unit();
  if (way < hopelessSwaps) return { kind: "hopeless swap", trader, pool, side, usd };
  if (way < 0.06) return { kind: "swap twice", trader, pool, side, usd };
  const second = neighbour(chance, pool, open);
  if (way < 0.14 && second) return { kind: "route", trader, first: pool, second, usd };
  return { kind: "swap", trader, pool, side, usd, exact: way < 0.24 ? "output" : "input" };
}

/** Most are small and a few are large; none moves a pool far. */
function someSize(chance: Chance, { depthUsd }: Pool): number {
  const usual = depthUsd * 0.000_15;
  return Math.min(usual * Math.exp(1.3 * chance.normal()), depthUsd * 0.01);
}

/** Another pool to go on in, with one token in common. */
function neighbour(chance: Chance, pool: Pool, open: readonly Pool[]): Pool | undefined {
  const others = open.filter((other) => sharedTokens(pool, other) === 1);
  return others.length === 0 ? undefined : chance.pickWeighted(others, ({ share }) => share);
}

function sharedTokens({ token0, token1 }: Pool, other: Pool): number {
  return [token0, token1].filter((token) => token === other.token0 || token === other.token1)
    .length;
}

function somePosition(chance: Chance, open: readonly Pool[]): Order {
  const way = chance.unit();
  const which = chance.unit();
  if (way < 0.2) return { kind: "collect", which };
  if (way < 0.5)
    return { kind: "withdraw", which, part: chance.happens(0.4) ? 1 : chance.between(0.1, 0.7) };
  const pool = chance.pickWeighted(open, ({ share }) => share);
  return {
    kind: "provide",
    provider: chance.pick(providers),
    pool,
    range: someRange(chance, pool),
    usd: pool.depthUsd * 0.01 * Math.exp(0.8 * chance.normal()),
  };
}

/** Around the price, or all above it, or all below it. */
function someRange(chance: Chance, { spread }: Pool): Range {
  const way = chance.unit();
  const width = spread * chance.between(0.4, 4);
  const gap = spread / 2;
  if (way < 0.15) return { from: Math.exp(gap), to: Math.exp(gap + width) };
  if (way < 0.3) return { from: Math.exp(-gap - width), to: Math.exp(-gap) };
  return { from: Math.exp(-width), to: Math.exp(spread * chance.between(0.4, 4)) };
}

function someFlash(chance: Chance, open: readonly Pool[]): Order {
  const pool = chance.pickWeighted(open, ({ share }) => share);
  const usd = pool.depthUsd * chance.between(0.002, 0.02);
  const [usd0, usd1] = chance.pick([
    [usd, 0],
    [0, usd],
    [usd, usd / 2],
  ] as const);
  return { kind: "flash", trader: chance.pick(traders), pool, usd0, usd1 };
}
