import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Pool, pools, type Token } from "../layout.ts";
import { fairPoolPrice } from "./amounts.ts";
import { decide, type Market } from "./decide.ts";
import { fairPrice } from "./fair-price.ts";
import type { Order } from "./orders.ts";
import { activityAt, nextTime } from "./script.ts";

const history = { start: 1.8e9, end: 1.8e9 + 14 * 86_400 };

/** A market in which every pool is off its fair price by a factor. */
function marketAt(time: number, off: number, changes: Partial<Market> = {}): Market {
  const usdOf = ({ asset }: Token) => fairPrice(7, asset, time);
  const prices = new Map(pools.map((pool) => [pool, fairPoolPrice(pool, usdOf) * off]));
  return { seed: 7, number: 50, parentTime: time - 12, time, history, usdOf, prices, ...changes };
}

/** What happens in many blocks, each with its own chance. */
function manyBlocks(market: Market): Order[] {
  return Array.from({ length: 400 }, (_, number) => decide({ ...market, number })).flat();
}

function poolsIn(order: Order): Pool[] {
  if (order.kind === "route") return [order.first, order.second];
  return "pool" in order ? [order.pool] : [];
}

function isTooLarge(order: Order): boolean {
  return "usd" in order && poolsIn(order).some(({ depthUsd }) => order.usd > depthUsd / 4);
}

const moves = (orders: Order[]) => orders.filter((order) => order.kind === "move price");
const inHistory = history.start + 5 * 86_400;
const inPresent = history.end + 86_400;

describe("the market", () => {
  test("decides the same for the same block, and something else for another", () => {
    expect(decide(marketAt(inHistory, 1))).toEqual(decide(marketAt(inHistory, 1)));
    expect(manyBlocks(marketAt(inHistory, 1)).slice(0, 9)).not.toEqual(
      manyBlocks(marketAt(inHistory, 1, { seed: 8 })).slice(0, 9),
    );
  });

  test("opens the first pools before anything else", () => {
    const market = marketAt(history.start + 10, 1, { prices: new Map() });
    const opened = decide(market).map((order) => order.kind === "open pool" && order.pool);
    expect(opened).toEqual(pools.filter(({ opensAt }) => opensAt === 0));
  });

  test("leaves a pool alone whose price is off by less than its fee", () => {
    expect(moves(manyBlocks(marketAt(inHistory, 1)))).toEqual([]);
  });

  test.each([1.03, 0.97])("brings a price that is off by %f back to within the fee", (off) => {
    const orders = moves(manyBlocks(marketAt(inHistory, off)));
    expect(new Set(orders.map(({ pool }) => pool)).size).toBe(pools.length);
    for (const { pool, side, price } of orders) {
      const fair = fairPoolPrice(pool, marketAt(inHistory, off).usdOf);
      expect(side).toBe(off > 1 ? "sell0" : "sell1");
      expect(Math.abs(Math.log(price / fair))).toBeCloseTo(Math.log(1 + pool.fee / 1e6), 9);
    }
  });

  test("brings all pools back at once after a long pause", () => {
    const market = marketAt(inPresent, 1.03, { parentTime: inPresent - 86_400 });
    expect(moves(decide(market)).map(({ pool }) => pool)).toEqual(pools);
  });

  test("does less in a block of seconds than in one of minutes", () => {
    const past = manyBlocks(marketAt(inHistory, 1)).length;
    const present = manyBlocks(marketAt(inPresent, 1)).length;
    expect(present).toBeGreaterThan(0);
    expect(present).toBeLessThan(past / 3);
  });

  test("never trades in a pool that is not open, and never beyond its depth", () => {
    const open = pools.slice(0, 4);
    const market = marketAt(inHistory, 1);
    const prices = new Map([...market.prices].filter(([pool]) => open.includes(pool)));
    const orders = manyBlocks({ ...market, prices });
    expect(new Set(orders.map(({ kind }) => kind)).size).toBeGreaterThan(5);
    expect(orders.flatMap(poolsIn).filter((pool) => !open.includes(pool))).toEqual([]);
    expect(orders.filter(isTooLarge)).toEqual([]);
  });
});

describe("the blocks of history", () => {
  test("follow each other, at the distance they should have", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        let time = history.start;
        let blocks = 0;
        while (time < history.end) {
          const next = nextTime(seed, blocks, time, 600);
          expect(next).toBeGreaterThan(time);
          time = next;
          blocks++;
        }
        const expected = (history.end - history.start) / 600;
        expect(blocks / expected).toBeGreaterThan(0.85);
        expect(blocks / expected).toBeLessThan(1.15);
      }),
      { numRuns: 20 },
    );
  });

  test("are closer in the afternoon than at night, and as close on average as they should be", () => {
    const hours = Array.from({ length: 7 * 24 }, (_, hour) => activityAt(1.8e9 + hour * 3_600));
    expect(hours.reduce((sum, activity) => sum + activity, 0) / hours.length).toBeCloseTo(1, 2);
    expect(activityAt(Date.UTC(2027, 0, 13, 15) / 1_000)).toBeGreaterThan(
      3 * activityAt(Date.UTC(2027, 0, 13, 3) / 1_000),
    );
  });
});
