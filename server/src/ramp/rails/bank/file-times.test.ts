import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addOpenDays, bankCalendar, newYorkDay, newYorkTime } from "../../../lib/calendar.ts";
import { achFileTime, achSettlement, newYorkClock } from "./file-times.ts";

const calendar = bankCalendar();
const minute = 60_000;
const text = (at: number) => new Date(at).toISOString();
const fileAt = (at: string, cutOffs = ["17:00"]) =>
  text(achFileTime(calendar, cutOffs, Date.parse(at)));

describe("the file of a payout is made", () => {
  test.each([
    ["in the evening", "2026-11-13T15:00:00.000Z", "2026-11-13T22:05:00.000Z"],
    [
      "as long as those of the cut-off are gathered",
      "2026-11-13T22:04:59Z",
      "2026-11-13T22:05:00.000Z",
    ],
    [
      "on the next day after that, past the weekend",
      "2026-11-13T22:05:00.001Z",
      "2026-11-16T22:05:00.000Z",
    ],
    ["after a holiday", "2026-11-25T23:00:00.000Z", "2026-11-27T22:05:00.000Z"],
    ["in New York's summer", "2026-07-02T12:00:00.000Z", "2026-07-02T21:05:00.000Z"],
    ["on the Monday after clocks change", "2026-03-08T07:30:00.000Z", "2026-03-09T21:05:00.000Z"],
  ])("%s", (_, at, expected) => {
    expect(fileAt(at)).toBe(expected);
  });

  test("at the first of several cut-offs, in whatever order they stand", () => {
    const cutOffs = ["23:59", "09:30", "13:00"];
    expect(fileAt("2026-11-16T14:00:00Z", cutOffs)).toBe("2026-11-16T14:35:00.000Z");
    expect(fileAt("2026-11-16T17:00:00Z", cutOffs)).toBe("2026-11-16T18:05:00.000Z");
    // Past midnight, what belongs to the day before is still gathered.
    expect(fileAt("2026-11-17T05:03:00Z", cutOffs)).toBe("2026-11-17T05:04:00.000Z");
    expect(fileAt("2026-11-17T05:04:00.001Z", cutOffs)).toBe("2026-11-17T14:35:00.000Z");
  });

  const moment = fc.integer({
    min: Date.parse("2024-01-01T00:00:00Z"),
    max: Date.parse("2040-12-31T00:00:00Z"),
  });
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
  const cutOffs = fc.uniqueArray(time, { minLength: 1, maxLength: 4 });

  test("never before the payout, on an open day five minutes after a cut-off, and with no other one in between", () => {
    fc.assert(
      fc.property(moment, cutOffs, (at, times) => {
        const fileTime = achFileTime(calendar, times, at);
        expect(fileTime).toBeGreaterThanOrEqual(at);
        const cutOffTime = fileTime - 5 * minute;
        const cutOffDay = newYorkDay(cutOffTime);
        expect(calendar.isOpen(cutOffDay)).toBe(true);
        const timesOf = (day: string) =>
          times.map((each) => {
            const [hour = 0, minutes = 0] = each.split(":").map(Number);
            return newYorkTime(day, hour, minutes);
          });
        expect(timesOf(cutOffDay)).toContain(cutOffTime);
        for (
          let day = newYorkDay(at - 26 * 60 * minute);
          day <= cutOffDay;
          day = addOpenDays(calendar, day, 1)
        ) {
          if (!calendar.isOpen(day)) continue;
          const between = timesOf(day).filter(
            (each) => each + 5 * minute >= at && each < cutOffTime,
          );
          expect(between).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("the earlier, the earlier", () => {
    fc.assert(
      fc.property(moment, fc.nat(10 * 86_400_000), cutOffs, (at, later, times) => {
        const first = achFileTime(calendar, times, at);
        expect(achFileTime(calendar, times, at + later)).toBeGreaterThanOrEqual(first);
        expect(achSettlement(calendar, at + later).at).toBeGreaterThanOrEqual(
          achSettlement(calendar, at).at,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("a file is settled", () => {
  test.each([
    ["on the next open day", "2026-11-13T22:05:00.000Z", "2026-11-16", "2026-11-16T13:30:00.000Z"],
    [
      "a day later when it came on a Saturday",
      "2026-11-14T15:00:00.000Z",
      "2026-11-17",
      "2026-11-17T13:30:00.000Z",
    ],
    ["in New York's summer", "2026-07-02T21:05:00.000Z", "2026-07-03", "2026-07-03T12:30:00.000Z"],
  ])("%s", (_, at, on, settledAt) => {
    const settlement = achSettlement(calendar, Date.parse(at));
    expect([settlement.on, text(settlement.at)]).toEqual([on, settledAt]);
  });
});

test("clocks in New York", () => {
  expect(newYorkClock(Date.parse("2026-11-16T22:05:09.999Z"))).toBe("17:05:09");
  expect(newYorkClock(Date.parse("2026-07-16T04:00:00.000Z"))).toBe("00:00:00");
});
