import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Tick, Ticks } from "./ticks.ts";

test("positions that share a tick are told apart by their sum and their difference", () => {
  const ticks = new Ticks();
  ticks.add(-60, 60, 100n);
  ticks.add(60, 120, 30n);
  expect([...ticks]).toEqual([
    { tick: -60, liquidityGross: 100n, liquidityNet: 100n },
    { tick: 60, liquidityGross: 130n, liquidityNet: -70n },
    { tick: 120, liquidityGross: 30n, liquidityNet: -30n },
  ]);
});

test("a tick disappears with its last position, even if others cancelled out there", () => {
  const ticks = new Ticks();
  ticks.add(0, 10, 5n);
  ticks.add(10, 20, 5n);
  expect(ticks.get(10)).toEqual({ tick: 10, liquidityGross: 10n, liquidityNet: 0n });
  ticks.add(0, 10, -5n);
  ticks.add(10, 20, -5n);
  expect([...ticks]).toEqual([]);
});

test("nothing changes when more is taken away than there is", () => {
  const ticks = new Ticks();
  ticks.add(0, 10, 5n);
  ticks.add(0, 20, 1n);
  const before = [...ticks];
  expect(ticks.add(0, 10, -6n)).toBe(false);
  expect(ticks.add(0, 30, -1n)).toBe(false);
  expect([...ticks]).toEqual(before);
});

test("a position of nothing leaves no trace", () => {
  const ticks = new Ticks();
  expect(ticks.add(0, 10, 0n)).toBe(true);
  expect([...ticks]).toEqual([]);
});

describe("any history of positions", () => {
  const tick = fc.integer({ min: -12, max: 12 });
  const position = fc
    .tuple(tick, tick, fc.bigInt({ min: 0n, max: 1n << 100n }))
    .filter(([lower, upper]) => lower < upper);
  const history = fc.array(fc.tuple(position, fc.boolean()), { maxLength: 40 });

  /** What is left of the history, added up tick by tick. */
  function addUp(positions: [number, number, bigint][]): Tick[] {
    const gross = new Map<number, bigint>();
    const net = new Map<number, bigint>();
    const add = (to: Map<number, bigint>, at: number, liquidity: bigint) =>
      to.set(at, (to.get(at) ?? 0n) + liquidity);
    for (const [lower, upper, liquidity] of positions) {
      add(gross, lower, liquidity);
      add(gross, upper, liquidity);
      add(net, lower, liquidity);
      add(net, upper, -liquidity);
    }
    return [...gross]
      .filter(([, liquidityGross]) => liquidityGross > 0n)
      .sort(([left], [right]) => left - right)
      .map(([at, liquidityGross]) => ({
        tick: at,
        liquidityGross,
        liquidityNet: net.get(at) ?? 0n,
      }));
  }

  test("adds up, in order, and can be stored and loaded", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const ticks = new Ticks();
        for (const [[lower, upper, liquidity]] of steps) ticks.add(lower, upper, liquidity);
        const removed = steps.filter(([, isRemoved]) => isRemoved);
        for (const [[lower, upper, liquidity]] of removed)
          expect(ticks.add(lower, upper, -liquidity)).toBe(true);
        const kept = steps.filter(([, isRemoved]) => !isRemoved).map(([kept]) => kept);
        expect([...ticks]).toEqual(addUp(kept));
        expect([...new Ticks([...ticks].reverse())]).toEqual([...ticks]);
      }),
    );
  });

  test("can be searched from any tick", () => {
    fc.assert(
      fc.property(history, tick, (steps, from) => {
        const ticks = new Ticks();
        for (const [[lower, upper, liquidity]] of steps) ticks.add(lower, upper, liquidity);
        const rows = [...ticks];
        const count = ticks.countUpTo(from);
        expect(ticks.at(count - 1)).toEqual(rows.findLast((row) => row.tick <= from));
        expect(ticks.at(count)).toEqual(rows.find((row) => row.tick > from));
        expect(ticks.get(from)).toEqual(rows.find((row) => row.tick === from));
      }),
    );
  });
});
