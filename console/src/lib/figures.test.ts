import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  about,
  aboutDollars,
  changeOf,
  decimal,
  dollars,
  price,
  shortened,
  signedPercent,
} from "./figures.ts";

describe("figures as people read them", () => {
  test.each([
    ["98312.44", "98,312.44"],
    ["1.0001", "1.0001"],
    ["0.00000009412", "0.0₇9412"],
    ["12.5", "12.50"],
    ["0", "0"],
    [9.4e-8, "0.0₇94"],
    ["", "–"],
    [null, "–"],
  ])("the price %s is shown as %s", (figure, shown) => {
    expect(price(figure)).toBe(shown);
  });

  test("no digit of a long amount is lost", () => {
    expect(dollars("12345678901234567890.12")).toBe("$12,345,678,901,234,567,890.12");
  });

  test("what is shown with all its decimals is the figure itself", () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 15 });
    const text = fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 25n }), digits)
      .map(([whole, fraction]) => `${whole}.${fraction.join("")}`);
    fc.assert(
      fc.property(text, (figure) => {
        expect(decimal(figure, 20).replaceAll(",", "")).toBe(figure.replace(/\.?0+$/, ""));
      }),
    );
  });

  test("large amounts are rounded, small ones are not", () => {
    expect(aboutDollars("1234567.89")).toBe("$1.23M");
    expect(aboutDollars("12.3")).toBe("$12.30");
    expect(about("123456")).toBe("123.5K");
  });

  test("a change has a sign", () => {
    expect(signedPercent(changeOf("100", "102.5") ?? 0)).toBe("+2.50%");
    expect(signedPercent(changeOf(100, 99) ?? 0)).toBe("-1.00%");
    expect(changeOf("0", "1")).toBeUndefined();
  });

  test("an address keeps both its ends", () => {
    expect(shortened("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")).toBe("0x88e6…5640");
    expect(shortened("txn-12")).toBe("txn-12");
  });
});
