import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maximumTick, minimumTick, sqrtPriceAtTick, tickAtSqrtPrice } from "./tick-math.ts";

const { tickMath } = JSON.parse(
  readFileSync(new URL("../../../test/vectors/dex-vectors.json", import.meta.url), "utf8"),
) as { tickMath: [tick: number, sqrtPrice: string][] };

const anyTick = fc.integer({ min: minimumTick, max: maximumTick });

test.each(tickMath)("the price at tick %i is %s, as the contracts have it", (tick, sqrtPrice) => {
  expect(sqrtPriceAtTick(tick)).toBe(BigInt(sqrtPrice));
});

test("a price is the same when it is asked for again, whatever was asked in between", () => {
  fc.assert(
    fc.property(anyTick, (tick) => {
      const sqrtPrice = sqrtPriceAtTick(tick);
      for (const other of [tick - 65_536, tick + 65_536]) {
        if (Math.abs(other) <= maximumTick) expect(sqrtPriceAtTick(other)).not.toBe(sqrtPrice);
      }
      expect(sqrtPriceAtTick(tick)).toBe(sqrtPrice);
    }),
  );
});

test("the tick of a price is the last one that is not above it", () => {
  const tickBelowTop = fc.integer({ min: minimumTick + 1, max: maximumTick - 1 });
  fc.assert(
    fc.property(tickBelowTop, (tick) => {
      const sqrtPrice = sqrtPriceAtTick(tick);
      expect(tickAtSqrtPrice(sqrtPrice - 1n)).toBe(tick - 1);
      expect(tickAtSqrtPrice(sqrtPrice)).toBe(tick);
      expect(tickAtSqrtPrice(sqrtPriceAtTick(tick + 1) - 1n)).toBe(tick);
    }),
    { numRuns: 2_000 },
  );
});

test("the tick of any price lies where the prices of ticks say", () => {
  const lowest = sqrtPriceAtTick(minimumTick);
  const highest = sqrtPriceAtTick(maximumTick) - 1n;
  const anyPrice = fc
    .tuple(fc.integer({ min: 0, max: 128 }), fc.bigInt({ min: lowest, max: lowest * 2n }))
    .map(([bits, price]) => price << BigInt(bits))
    .filter((price) => price <= highest);
  fc.assert(
    fc.property(anyPrice, (sqrtPrice) => {
      const tick = tickAtSqrtPrice(sqrtPrice);
      expect(sqrtPriceAtTick(tick) <= sqrtPrice && sqrtPrice < sqrtPriceAtTick(tick + 1)).toBe(
        true,
      );
    }),
    { numRuns: 1_000 },
  );
  expect(tickAtSqrtPrice(lowest)).toBe(minimumTick);
  expect(tickAtSqrtPrice(highest)).toBe(maximumTick - 1);
});

test.each([minimumTick - 1, maximumTick + 1])("there is no tick %i", (tick) => {
  expect(() => sqrtPriceAtTick(tick)).toThrow("no tick");
});
