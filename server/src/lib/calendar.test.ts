import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  addOpenDays,
  bankCalendar,
  newYorkDay,
  newYorkTime,
  nextOpenDay,
  sendDay,
} from "./calendar.ts";

const calendar = bankCalendar();
const hourMs = 3_600_000;
const someTime = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 11, 31) });
const someDay = someTime.map(newYorkDay);
/** The nights in which New York changes its clocks. */
const changes = ["2026-03-08", "2026-11-01", "2027-03-14", "2027-11-07"];

describe("the banks' days", () => {
  /** Weekdays on which the Reserve Banks are closed, worked out by hand. */
  const closedWeekdays: Record<number, string[]> = {
    2024: [
      "01-01",
      "01-15",
      "02-19",
      "05-27",
      "06-19",
      "07-04",
      "09-02",
      "10-14",
      "11-11",
      "11-28",
      "12-25",
    ],
    2026: [
      "01-01",
      "01-19",
      "02-16",
      "05-25",
      "06-19",
      "09-07",
      "10-12",
      "11-11",
      "11-26",
      "12-25",
    ],
    2027: ["01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"],
    2028: ["01-17", "02-21", "05-29", "06-19", "07-04", "09-04", "10-09", "11-23", "12-25"],
  };

  test.each(Object.entries(closedWeekdays))("%s, as worked out by hand", (year, expected) => {
    const closed = daysOf(Number(year))
      .filter(({ weekday, day }) => weekday < 5 && !calendar.isOpen(day))
      .map(({ day }) => day.slice(5));
    expect(closed).toEqual(expected);
  });

  test.each(["2026-07-03", "2027-06-18", "2027-12-24", "2027-12-31", "2028-11-10"])(
    "%s, the Friday before a holiday on a Saturday, is open",
    (day) => expect(calendar.isOpen(day)).toBe(true),
  );

  test("every day from 2024 to 2040 is as somebody says who walks from day to day and counts", () => {
    const wrong: string[] = [];
    for (let year = 2024; year <= 2040; year++) {
      const open = openByCounting(year);
      wrong.push(
        ...daysOf(year).flatMap(({ day }) => (calendar.isOpen(day) === open.has(day) ? [] : [day])),
      );
    }
    expect(wrong).toEqual([]);
  });

  test("an exception beats the rule, both ways, and changes the version", () => {
    const overridden = bankCalendar([
      { day: "2026-11-16", isOpen: false },
      { day: "2026-11-26", isOpen: true },
    ]);
    expect(overridden.isOpen("2026-11-16")).toBe(false);
    expect(overridden.isOpen("2026-11-26")).toBe(true);
    expect(overridden.isOpen("2026-11-17")).toBe(true);
    expect(calendar.version).toBe("fed-2026.1");
    expect(overridden.version).toMatch(/^fed-2026\.1\+[0-9a-f]{8}$/);
  });

  test("the version does not depend on the order of exceptions", () => {
    const [one, other] = [
      { day: "2026-11-16", isOpen: false },
      { day: "2026-11-17", isOpen: false },
    ];
    expect(bankCalendar([one, other]).version).toBe(bankCalendar([other, one]).version);
    expect(bankCalendar([one]).version).not.toBe(bankCalendar([other]).version);
  });
});

describe("counting open days", () => {
  test("the next open day is the day itself, or there is no open one in between", () => {
    fc.assert(
      fc.property(someDay, (day) => {
        const open = nextOpenDay(calendar, day);
        expect(calendar.isOpen(open) && open >= day).toBe(true);
        for (let between = day; between < open; between = addDays(between, 1))
          expect(calendar.isOpen(between)).toBe(false);
      }),
    );
  });

  test("adding in two steps is adding at once", () => {
    const count = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(someDay, count, count, (day, one, other) => {
        const inSteps = addOpenDays(calendar, addOpenDays(calendar, day, one), other);
        return inSteps === addOpenDays(calendar, day, one + other);
      }),
    );
  });

  test("a calendar that never opens is our mistake, not an endless loop", () => {
    const closed = { version: "closed", isOpen: () => false };
    expect(() => addOpenDays(closed, "2026-01-01", 1)).toThrow("opens again");
  });
});

describe("the send day", () => {
  test.each([
    ["2026-11-13T21:59:59.999Z", "2026-11-13"],
    ["2026-11-13T22:00:00.000Z", "2026-11-16"],
    ["2026-07-03T20:59:00Z", "2026-07-03"],
    ["2026-07-03T21:00:00Z", "2026-07-06"],
    ["2026-11-25T22:30:00Z", "2026-11-27"],
    ["2027-07-02T21:30:00Z", "2027-07-06"],
    ["2027-12-24T16:00:00Z", "2027-12-24"],
    ["2026-03-08T15:00:00Z", "2026-03-09"],
    ["2027-12-31T23:00:00Z", "2028-01-03"],
    ["2028-11-10T15:00:00Z", "2028-11-10"],
    ["2026-11-01T05:30:00Z", "2026-11-02"],
    ["2026-11-17T04:59:59Z", "2026-11-17"],
  ])("of %s is %s", (at, day) => {
    expect(sendDay(calendar, Date.parse(at))).toBe(day);
  });

  test("is open, and never earlier for what is ordered later", () => {
    fc.assert(
      fc.property(someTime, fc.nat(10 * 24 * hourMs), (at, later) => {
        const day = sendDay(calendar, at);
        return (
          calendar.isOpen(day) && day >= newYorkDay(at) && day <= sendDay(calendar, at + later)
        );
      }),
    );
  });

  test("is a week later a week later, where there is no holiday", () => {
    const quietDays = fc.integer({ min: 0, max: 40 }).map((count) => addDays("2026-03-02", count));
    const hour = fc.integer({ min: 3, max: 23 });
    fc.assert(
      fc.property(quietDays, hour, fc.integer({ min: 0, max: 59 }), (day, hours, minutes) => {
        const sent = sendDay(calendar, newYorkTime(day, hours, minutes));
        const weekLater = sendDay(calendar, newYorkTime(addDays(day, 7), hours, minutes));
        return weekLater === addDays(sent, 7);
      }),
    );
  });

  test.each(changes)("around %s the cut-off stays at five", (day) => {
    for (const near of [-2, -1, 0, 1, 2, 3].map((count) => addDays(day, count))) {
      const cutOff = newYorkTime(near, 17);
      expect(sendDay(calendar, cutOff - 1)).toBe(nextOpenDay(calendar, near));
      expect(sendDay(calendar, cutOff)).toBe(nextOpenDay(calendar, addDays(near, 1)));
    }
  });
});

describe("New York's time", () => {
  test("is four hours behind from the second Sunday of March to the first of November, else five", () => {
    for (let year = 2024; year <= 2040; year++) {
      const sundays = daysOf(year).filter(({ weekday }) => weekday === 6);
      const inMonth = (month: string) => sundays.filter(({ day }) => day.slice(5, 7) === month);
      const [start = "", end = ""] = [inMonth("03")[1]?.day, inMonth("11")[0]?.day];
      for (const { day } of daysOf(year)) {
        const hours = day >= start && day < end ? 4 : 5;
        expect(newYorkTime(day, 17, 30)).toBe(Date.parse(`${day}T17:30:00Z`) + hours * hourMs);
      }
    }
  });

  test("has a day of 23 hours and one of 25", () => {
    const lengthOf = (day: string) => (newYorkTime(day, 24) - newYorkTime(day, 0)) / hourMs;
    expect(changes.map(lengthOf)).toEqual([23, 25, 23, 25]);
    expect(lengthOf("2026-07-04")).toBe(24);
  });

  test("takes the first of two hours, and the next one for an hour that is left out", () => {
    expect(newYorkTime("2026-11-01", 1, 30)).toBe(Date.parse("2026-11-01T05:30:00Z"));
    expect(newYorkTime("2026-03-08", 2, 30)).toBe(newYorkTime("2026-03-08", 3, 30));
  });

  test("gives the day back from which it was made, at every hour", () => {
    const hour = fc.integer({ min: 0, max: 23 });
    fc.assert(
      fc.property(someDay, hour, (day, hours) => newYorkDay(newYorkTime(day, hours)) === day),
    );
    for (const day of changes)
      for (let hours = 0; hours < 24; hours++)
        expect(newYorkDay(newYorkTime(day, hours))).toBe(day);
  });

  test("ends a day where the next begins", () => {
    fc.assert(
      fc.property(someDay, (day) => newYorkTime(day, 24) === newYorkTime(addDays(day, 1), 0)),
    );
    expect(newYorkDay(newYorkTime("2026-11-18", 24) - 1)).toBe("2026-11-18");
  });
});

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The days of a year with their weekday, Monday being 0, counted from a known Monday without any date library. */
function daysOf(year: number): { day: string; weekday: number }[] {
  let passed = 0;
  for (let before = 2024; before < year; before++) passed += before % 4 === 0 ? 366 : 365;
  return lengths.flatMap((length, month) => {
    const last = month === 1 && year % 4 === 0 ? 29 : length;
    return Array.from({ length: last }, (_, index) => ({
      day: `${year}-${String(month + 1).padStart(2, "0")}-${String(index + 1).padStart(2, "0")}`,
      // The first of January 2024 was a Monday.
      weekday: passed++ % 7,
    }));
  });
}

/** The rule in another form: whoever walks through the year and counts Mondays and Thursdays of each month. */
function openByCounting(year: number): Set<string> {
  const open = new Set<string>();
  const days = daysOf(year);
  let isMondayLost = false;
  for (const { day, weekday } of days) {
    const date = day.slice(5);
    const month = date.slice(0, 2);
    const same = days.filter(
      (other) => other.day.slice(5, 7) === month && other.weekday === weekday,
    );
    const position = same.findIndex((other) => other.day === day) + 1;
    const name = `${["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday]} ${position} of ${month}`;
    const isLastMondayOfMay = month === "05" && weekday === 0 && position === same.length;
    const isNamed =
      ["Mon 3 of 01", "Mon 3 of 02", "Mon 1 of 09", "Mon 2 of 10", "Thu 4 of 11"].includes(name) ||
      ["01-01", "06-19", "07-04", "11-11", "12-25"].includes(date) ||
      isLastMondayOfMay;
    if (weekday < 5 && !isNamed && !(weekday === 0 && isMondayLost)) open.add(day);
    isMondayLost = weekday === 6 && isNamed;
  }
  return open;
}
