import fc from "fast-check";
import { expect, test } from "vitest";
import { digitsOf } from "./digits.ts";

test.each([
  [12_345, 2, "123.45"],
  [5, 3, "0.005"],
  [0, 8, "0.00000000"],
  [100, 1, "10.0"],
  [7, 0, "7"],
])("%i with %i decimals is %s", (units, decimals, text) => {
  expect(digitsOf(units, decimals)).toBe(text);
});

test("all digits stay, and none is added", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 12 }), (units, decimals) => {
      const text = digitsOf(units, decimals);
      expect(BigInt(text.replace(".", ""))).toBe(BigInt(units));
      expect(text.split(".")[1]?.length ?? 0).toBe(decimals);
    }),
  );
});
