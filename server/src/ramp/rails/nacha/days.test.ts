import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayArbitrary } from "../../../../test/ach-examples.ts";
import { addDays } from "../../../lib/calendar.ts";
import { readDay, readDayOfYear, readTime, writeDay, writeDayOfYear, writeTime } from "./days.ts";

describe("a day", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(dayArbitrary, (day) => {
        expect(readDay(writeDay(day))).toBe(day);
      }),
    );
  });

  test.each(["", "26111", "2611160", "260229", "261131", "261301", "260010", "26111 ", "26-1-1"])(
    "is not %j",
    (text) => {
      expect(readDay(text)).toBeUndefined();
    },
  );

  test.each(["1999-12-31", "2100-01-01", "2026-02-29", "16.11.2026"])("%s has no form", (day) => {
    expect(() => writeDay(day)).toThrow("is a day of this century");
  });
});

describe("a day by its number in the year", () => {
  test("is read as it was written when the other day is less than half a year away", () => {
    const apart = fc.integer({ min: -182, max: 182 });
    fc.assert(
      fc.property(dayArbitrary, apart, (near, days) => {
        const day = addDays(near, days);
        expect(readDayOfYear(writeDayOfYear(day, near), near)).toBe(day);
      }),
    );
  });

  test.each([
    ["001", "2026-12-30", "2027-01-01"],
    ["365", "2027-01-02", "2026-12-31"],
    ["366", "2028-12-30", "2028-12-31"],
    ["366", "2027-06-01", undefined],
    ["322", "2026-11-18", "2026-11-18"],
    ["000", "2026-11-18", undefined],
    ["367", "2028-11-18", undefined],
    ["32", "2026-11-18", undefined],
  ])("%s near %s is %s", (text, near, day) => {
    expect(readDayOfYear(text, near)).toBe(day);
  });
});

test("a time of day is read as it was written, and no other", () => {
  expect(writeTime("17:05")).toBe("1705");
  expect(readTime("1705")).toBe("17:05");
  for (const text of ["", "2400", "1760", "17:0", "170"]) expect(readTime(text)).toBeUndefined();
  expect(() => writeTime("24:00")).toThrow("is a time of day");
});
