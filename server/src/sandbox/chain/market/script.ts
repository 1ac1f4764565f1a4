import { assert } from "../../../lib/errors.ts";
import { pools, providers, traders } from "../layout.ts";
import { chanceOf } from "./chance.ts";
import type { Order } from "./orders.ts";

/** From when to when history is made up, in Unix seconds; the present follows. */
export type Span = { start: number; end: number };

const secondsInDay = 86_400;
const busiestHour = 15;
const blockSeconds = 12;

/** How much is going on at a time of the day and of the week: 1 on average, most in the afternoon of London. */
export function activityAt(unixSeconds: number): number {
  const day = unixSeconds / secondsInDay;
  const daytime = 1 + 0.6 * Math.cos(2 * Math.PI * (day - busiestHour / 24));
  // The first of January 1970 was a Thursday.
  const isWeekend = [2, 3].includes(Math.floor(day) % 7);
  return daytime * (isWeekend ? 0.7 : 1.12);
}

/** When the block after this one is, in history. Blocks in which nothing happens are left out. */
export function nextTime(
  seed: number,
  number: number,
  parentTime: number,
  meanSeconds: number,
): number {
  const chance = chanceOf(seed, number, blockSeconds);
  const wait = (-Math.log(1 - chance.unit()) * meanSeconds) / activityAt(parentTime);
  return parentTime + blockSeconds * Math.max(1, Math.round(wait / blockSeconds));
}

/** What happens for certain, however short history is. It belongs to the first block at or after its time. */
export function scriptBetween({ start, end }: Span, after: number, until: number): Order[] {
  return script
    .filter(([at]) => {
      const time = Math.round(start + at * (end - start));
      return after < time && time <= until;
    })
    .map(([, order]) => order);
}

const [stablePool, busiestPool, bitcoinPool, dollarPool, , tetherPool, , kelpPool] = pools;
const [ada, ben] = traders;
const [ivy] = providers;
assert(stablePool && busiestPool && bitcoinPool, "the first pools are there");
assert(dollarPool && tetherPool && kelpPool, "the other pools are there");
assert(ada && ben && ivy, "somebody trades, and somebody provides");

/** Everything that can happen on the exchange happens here once. A part of history, and what is done then. */
const script: readonly [at: number, order: Order][] = [
  ...pools.map((pool): [number, Order] => [pool.opensAt, { kind: "open pool", pool }]),
  [0.01, { kind: "swap", trader: ada, pool: stablePool, side: "sell0", usd: 3e3, exact: "input" }],
  [
    0.02,
    { kind: "swap", trader: ben, pool: busiestPool, side: "sell1", usd: 9e3, exact: "output" },
  ],
  [
    0.05,
    { kind: "provide", provider: ivy, pool: busiestPool, range: { from: 0.9, to: 1.1 }, usd: 4e5 },
  ],
  [
    0.08,
    { kind: "provide", provider: ivy, pool: stablePool, range: { from: 1.05, to: 1.2 }, usd: 2e5 },
  ],
  [
    0.15,
    {
      kind: "provide",
      provider: ivy,
      pool: dollarPool,
      range: { from: 0.999, to: 1.001 },
      usd: 2e5,
    },
  ],
  [0.25, { kind: "set protocol fee", pool: stablePool, fee0: 4, fee1: 4 }],
  [0.26, { kind: "set protocol fee", pool: busiestPool, fee0: 4, fee1: 4 }],
  [0.27, { kind: "set protocol fee", pool: bitcoinPool, fee0: 5, fee1: 10 }],
  [0.3, { kind: "flash", trader: ben, pool: busiestPool, usd0: 3e5, usd1: 1e5 }],
  [0.35, { kind: "hopeless swap", trader: ada, pool: stablePool, side: "sell1", usd: 5e3 }],
  [0.45, { kind: "collect", which: 0 }],
  [0.5, { kind: "route", trader: ada, first: stablePool, second: bitcoinPool, usd: 7e3 }],
  [0.55, { kind: "swap", trader: ben, pool: bitcoinPool, side: "sell0", usd: 2e6, exact: "input" }],
  [0.6, { kind: "swap twice", trader: ben, pool: tetherPool, side: "sell0", usd: 4e3 }],
  [0.65, { kind: "withdraw", which: 0, part: 0.5 }],
  [0.7, { kind: "collect protocol fee", pool: stablePool }],
  [0.75, { kind: "withdraw", which: 0.5, part: 1 }],
  [0.8, { kind: "set protocol fee", pool: bitcoinPool, fee0: 0, fee1: 0 }],
  [0.85, { kind: "flash", trader: ada, pool: kelpPool, usd0: 300, usd1: 0 }],
  [0.95, { kind: "collect protocol fee", pool: bitcoinPool }],
];
