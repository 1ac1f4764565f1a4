import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalsOf, readFigure, readNumber, shortest } from "./figures.ts";

describe("figures", () => {
  test("that are numbers become decimal text of the same value, without an exponent", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const figure = readFigure(number);
        expect(figure).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(figure)).toBe(number === 0 ? 0 : number);
      }),
    );
  });

  test("that are text keep every digit", () => {
    const digits = "123456789.123456789012345678901234567890";
    expect(readFigure(digits)).toBe(digits);
    expect(readFigure("1.50")).toBe("1.50");
    expect(readFigure("1e-8")).toBe("0.00000001");
  });

  test.each(["", " ", "x", "1,5", "0x", null, undefined, {}, [], Number.NaN, Infinity, true])(
    "are not made of %j",
    (value) => {
      expect(readFigure(value)).toBeUndefined();
      expect(readNumber(value)).toBeUndefined();
    },
  );

  test.each([
    ["1.500", "1.5"],
    ["1.000", "1"],
    ["100", "100"],
    ["0.0", "0"],
    ["007.10", "7.1"],
  ])("%s is %s in short", (figure, short) => {
    expect(shortest(figure)).toBe(short);
  });

  test.each([
    [0.01, 2],
    [0.25, 2],
    [1, 0],
    [10, 0],
    [1e-8, 8],
    [5e-10, 10],
  ])("steps of %d need %i decimals", (step, decimals) => {
    expect(decimalsOf(step)).toBe(decimals);
  });
});
