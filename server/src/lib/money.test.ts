import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asCents,
  asPriceE18,
  formatCents,
  formatDecimal,
  formatPrice,
  parseDecimal,
  readQuantity,
} from "./money.ts";

const decimals = fc.integer({ min: 0, max: 18 });
/** Short enough that every amount fits the longest text there may be. */
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe("reading a decimal", () => {
  test.each<[string, number, bigint]>([
    ["0", 2, 0n],
    ["0.00", 2, 0n],
    ["12.5", 2, 1250n],
    ["12.5", 6, 12_500_000n],
    ["100", 0, 100n],
    ["0.000000000000000001", 18, 1n],
    ["9".repeat(40), 0, BigInt("9".repeat(40))],
  ])("%j with %i decimals is %s", (text, places, expected) => {
    expect(parseDecimal(text, places)).toBe(expected);
  });

  test.each([
    "",
    " ",
    "1 ",
    "1\n",
    "+1",
    "-1",
    "-0",
    "01",
    "00",
    ".5",
    "5.",
    "1e3",
    "1E3",
    "1,000",
    "1_000",
    "0x10",
    "１",
    "Infinity",
    "NaN",
    "1.2.3",
    "9".repeat(41),
    `0.${"0".repeat(39)}`,
  ])("%j is none", (text) => {
    expect(parseDecimal(text, 18)).toBeUndefined();
  });

  test("more decimals than there may be are refused, even if they are zeros", () => {
    expect(parseDecimal("1.234", 2)).toBeUndefined();
    expect(parseDecimal("1.200", 2)).toBeUndefined();
    expect(parseDecimal("1.0", 0)).toBeUndefined();
  });

  test("what was written is read back, digit for digit", () => {
    fc.assert(
      fc.property(
        amount,
        decimals,
        (value, places) => parseDecimal(formatDecimal(value, places), places) === value,
      ),
    );
  });

  test("zeros at the end change nothing", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 9 }), (value, places) => {
        const digits = String(value).padStart(places + 1, "0");
        const padded = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
        return parseDecimal(padded, places) === value;
      }),
    );
  });

  test("order is kept, and one unit more is never the same text", () => {
    fc.assert(
      fc.property(amount, amount, decimals, (one, other, places) => {
        const [first, second] = [formatDecimal(one, places), formatDecimal(other, places)];
        const isBelow = Number(first) < Number(second);
        return (first === second) === (one === other) && (!isBelow || one < other);
      }),
    );
  });

  test("any text at all gives a whole number or nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), decimals, (text, places) => {
        const read = parseDecimal(text, places);
        return read === undefined || (read >= 0n && /^[0-9.]+$/.test(text));
      }),
    );
  });
});

describe("writing a decimal", () => {
  test.each<[bigint, number, string]>([
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [1_500_000n, 6, "1.5"],
    [10n, 0, "10"],
    [100n, 2, "1"],
    [-5n, 2, "-0.05"],
    [10n ** 40n, 0, `1${"0".repeat(40)}`],
  ])("%s with %i decimals is %s", (value, places, expected) => {
    expect(formatDecimal(value, places)).toBe(expected);
  });

  test.each<[bigint, string]>([
    [0n, "0.00"],
    [5n, "0.05"],
    [99n, "0.99"],
    [2500n, "25.00"],
    [123_456_789_01n, "123456789.01"],
    [-5n, "-0.05"],
    [-2500n, "-25.00"],
  ])("%s cents are %s", (cents, expected) => {
    expect(formatCents(asCents(cents))).toBe(expected);
  });

  test("dollars are read back to the cent", () => {
    fc.assert(
      fc.property(amount, (cents) => parseDecimal(formatCents(asCents(cents)), 2) === cents),
    );
  });

  test("a price has no zeros at its end and no exponent", () => {
    expect(formatPrice(asPriceE18(10n ** 18n))).toBe("1");
    expect(formatPrice(asPriceE18(999_800_000_000_000_000n))).toBe("0.9998");
    expect(formatPrice(asPriceE18(1n))).toBe("0.000000000000000001");
  });
});

describe("a quantity of a JSON body", () => {
  test.each<[unknown, string]>([
    ["12.5", "12.5"],
    [12.5, "12.5"],
    [100, "100"],
    [0.1, "0.1"],
    [0.000001, "0.000001"],
    [123456789012345, "123456789012345"],
    [1234567.12345678, "1234567.12345678"],
    ["123456789012345678", "123456789012345678"],
    [-0, "0"],
  ])("%j is taken as %s", (value, text) => {
    expect(readQuantity(value)).toEqual({ text });
  });

  test.each([null, undefined, true, [], {}, [1], "1e3", "", -1, 1e21, 1e-7, Number.NaN])(
    "%j is refused, with an example",
    (value) => {
      expect(readQuantity(value)).toEqual({ fault: 'must be a decimal string such as "12.5"' });
    },
  );

  test.each([1234567890123456, 0.1234567890123456, 0.1 + 0.2, 2 ** 53])(
    "the number %j may have lost digits: it must be a string",
    (value) => {
      expect(readQuantity(value)).toEqual({
        fault: "must be a string when it has more than 15 digits",
      });
    },
  );

  test("a number that is taken is exactly the decimal that was sent", () => {
    const sent = fc
      .tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 99_999_999 }))
      .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(8, "0")}`);
    fc.assert(
      fc.property(sent, (text) => {
        const read = readQuantity(JSON.parse(text));
        return "fault" in read || parseDecimal(read.text, 8) === parseDecimal(text, 8);
      }),
    );
  });
});
