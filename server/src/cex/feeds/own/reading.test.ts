import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalOf, idOf, integerOf, levelsOf, millisecondsOf } from "./reading.ts";

test("numbers become decimal text of the same value, never with an exponent", () => {
  fc.assert(
    fc.property(fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }), (n) => {
      const text = decimalOf(n);
      expect(text).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(text)).toBe(n);
    }),
  );
  expect([1e-7, 1.5e-7, 1e21, 1.25e22, 40.0].map(decimalOf)).toEqual([
    "0.0000001",
    "0.00000015",
    "1000000000000000000000",
    "12500000000000000000000",
    "40",
  ]);
});

test("decimal text stays as it was written", () => {
  expect(decimalOf("0.10000000")).toBe("0.10000000");
});

test.each(["", "0", "0.00", "-1", "1e5", "1.", ".5", "x", 0, -1, Number.NaN, Infinity, null, {}])(
  "%j is no price",
  (value) => {
    expect(decimalOf(value)).toBeUndefined();
  },
);

test("levels are read from numbers and from text, and whatever else stands there is left out", () => {
  expect(
    levelsOf([
      [1.5, 2],
      ["3.25", "0", "1207590500704256"],
    ]),
  ).toEqual([1.5, 2, 3.25, 0]);
});

test.each([
  ["no list", "x"],
  ["a level that is none", [[1, 2], 3]],
  ["a price of 0", [[0, 1]]],
  ["a negative size", [["1", "-1"]]],
  ["a size that is missing", [["1"]]],
  ["an empty text", [["1", ""]]],
  ["too large a number", [["1e999", "1"]]],
])("levels with %s are not read", (_, levels) => {
  expect(levelsOf(levels)).toBeUndefined();
});

test("serial numbers must be exact", () => {
  expect([7, "1641343721305912", 2 ** 53, "1.5", "", null].map(integerOf)).toEqual([
    ...[7, 1_641_343_721_305_912],
    ...[undefined, undefined, undefined, undefined],
  ]);
});

test("ids are text, whichever way they are written", () => {
  expect([7, "a-1", "", 1.5, null].map(idOf)).toEqual([
    "7",
    "a-1",
    undefined,
    undefined,
    undefined,
  ]);
});

test("moments are read to the millisecond", () => {
  expect(millisecondsOf("2026-01-01T00:00:00.123456789Z")).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 123));
  expect([5, "soon", null].map(millisecondsOf)).toEqual([undefined, undefined, undefined]);
});
