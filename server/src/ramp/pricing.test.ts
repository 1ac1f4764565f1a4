import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asCents, asPriceE18, asUnits, parseDecimal } from "../lib/money.ts";
import { centsNeeded, grossCents, unitsForCents, unitsNeeded } from "./pricing.ts";

const units = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(asUnits);
const cents = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(asCents);
/** From a millionth of a cent to a hundred million dollars. */
const price = fc.bigInt({ min: 10n ** 10n, max: 10n ** 26n }).map(asPriceE18);
const decimals = fc.integer({ min: 0, max: 18 });

const priceOf = (text: string) => asPriceE18(parseDecimal(text, 18) ?? 0n);

describe("by hand", () => {
  test.each<[string, number, bigint, bigint, bigint]>([
    // price, decimals, units, sold for (down), costs (up)
    ["1", 6, 1_000_000n, 100n, 100n],
    ["1", 6, 1_009_999n, 100n, 101n],
    ["3500", 18, 10n ** 18n, 350_000n, 350_000n],
    ["0.9998", 6, 100_000_000n, 9_998n, 9_998n],
    ["100000", 8, 1n, 0n, 1n],
    ["100000", 8, 10n, 1n, 1n],
    ["0.000001", 18, 1n, 0n, 1n],
    ["1", 18, 0n, 0n, 0n],
  ])("at %s with %i decimals, %s units are %s or %s cents", (text, places, amount, down, up) => {
    expect(grossCents(asUnits(amount), priceOf(text), places)).toBe(down);
    expect(centsNeeded(asUnits(amount), priceOf(text), places)).toBe(up);
  });

  test.each<[string, number, bigint, bigint, bigint]>([
    // price, decimals, cents, buy (down), take (up)
    ["1", 6, 100n, 1_000_000n, 1_000_000n],
    ["3", 6, 100n, 333_333n, 333_334n],
    ["3500", 18, 1n, 2_857_142_857_142n, 2_857_142_857_143n],
    ["100000", 8, 1n, 10n, 10n],
    ["300000000", 8, 1n, 0n, 1n],
  ])("at %s with %i decimals, %s cents are %s or %s units", (text, places, amount, down, up) => {
    expect(unitsForCents(asCents(amount), priceOf(text), places)).toBe(down);
    expect(unitsNeeded(asCents(amount), priceOf(text), places)).toBe(up);
  });
});

describe("rounding is against the customer by less than one", () => {
  test("selling: what comes out is worth what went in, less than a cent apart", () => {
    fc.assert(
      fc.property(units, price, decimals, (amount, at, places) => {
        const scale = 10n ** BigInt(places + 16);
        const lost = amount * at - grossCents(amount, at, places) * scale;
        return lost >= 0n && lost < scale;
      }),
    );
  });

  test("buying: less than one smallest unit is lost", () => {
    fc.assert(
      fc.property(cents, price, decimals, (amount, at, places) => {
        const lost = amount * 10n ** BigInt(places + 16) - unitsForCents(amount, at, places) * at;
        return lost >= 0n && lost < at;
      }),
    );
  });

  test("what is needed is enough, and one less is not", () => {
    fc.assert(
      fc.property(cents, units, price, decimals, (dollars, amount, at, places) => {
        const sold = unitsNeeded(dollars, at, places);
        const paid = centsNeeded(amount, at, places);
        expect(grossCents(sold, at, places) >= dollars).toBe(true);
        expect(unitsForCents(paid, at, places) >= amount).toBe(true);
        if (sold > 0n) expect(grossCents(asUnits(sold - 1n), at, places) < dollars).toBe(true);
        if (paid > 0n) expect(unitsForCents(asCents(paid - 1n), at, places) < amount).toBe(true);
      }),
    );
  });

  test("asking for what a quantity gives never takes more than that quantity", () => {
    fc.assert(
      fc.property(cents, units, price, decimals, (dollars, amount, at, places) => {
        expect(unitsNeeded(grossCents(amount, at, places), at, places) <= amount).toBe(true);
        expect(centsNeeded(unitsForCents(dollars, at, places), at, places) <= dollars).toBe(true);
      }),
    );
  });

  test("there and back never makes money", () => {
    fc.assert(
      fc.property(cents, units, price, decimals, (dollars, amount, at, places) => {
        const bought = unitsForCents(dollars, at, places);
        const sold = grossCents(amount, at, places);
        expect(grossCents(bought, at, places) <= dollars).toBe(true);
        expect(unitsForCents(sold, at, places) <= amount).toBe(true);
      }),
    );
  });

  test("more is never worth less", () => {
    fc.assert(
      fc.property(units, units, price, decimals, (one, other, at, places) => {
        const together = grossCents(asUnits(one + other), at, places);
        return together >= grossCents(one, at, places) + grossCents(other, at, places);
      }),
    );
  });
});

test("a price of nothing is our mistake, not a division by zero", () => {
  expect(() => unitsForCents(asCents(1n), asPriceE18(0n), 6)).toThrow("a price is positive");
  expect(() => unitsNeeded(asCents(1n), asPriceE18(0n), 6)).toThrow("a price is positive");
});
