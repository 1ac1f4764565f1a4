import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, addOpenDays, bankCalendar, newYorkDay, newYorkTime } from "../lib/calendar.ts";
import { settledOn, settlementFor } from "./settlement.ts";
import type { SettlementMethod } from "./transaction.ts";

const calendar = bankCalendar();
const at = (text: string) => Date.parse(text);

/** Ordered, sent, wire by, ACH settles, its window ends, earliest, latest. Worked out by hand. */
const vectors = [
  [
    "2026-11-13T21:59:59Z",
    "2026-11-13",
    "2026-11-16",
    "2026-11-16",
    "2026-11-18",
    "2026-11-17",
    "2026-11-20",
  ],
  [
    "2026-11-13T22:00:00Z",
    "2026-11-16",
    "2026-11-17",
    "2026-11-17",
    "2026-11-19",
    "2026-11-18",
    "2026-11-23",
  ],
  [
    "2026-07-03T20:59:00Z",
    "2026-07-03",
    "2026-07-06",
    "2026-07-06",
    "2026-07-08",
    "2026-07-07",
    "2026-07-10",
  ],
  [
    "2026-07-03T21:00:00Z",
    "2026-07-06",
    "2026-07-07",
    "2026-07-07",
    "2026-07-09",
    "2026-07-08",
    "2026-07-13",
  ],
  [
    "2026-11-25T22:30:00Z",
    "2026-11-27",
    "2026-11-30",
    "2026-11-30",
    "2026-12-02",
    "2026-12-01",
    "2026-12-04",
  ],
  [
    "2027-07-02T21:30:00Z",
    "2027-07-06",
    "2027-07-07",
    "2027-07-07",
    "2027-07-09",
    "2027-07-08",
    "2027-07-13",
  ],
  [
    "2027-12-24T16:00:00Z",
    "2027-12-24",
    "2027-12-27",
    "2027-12-27",
    "2027-12-29",
    "2027-12-28",
    "2027-12-31",
  ],
  [
    "2026-03-08T15:00:00Z",
    "2026-03-09",
    "2026-03-10",
    "2026-03-10",
    "2026-03-12",
    "2026-03-11",
    "2026-03-16",
  ],
  [
    "2027-12-31T23:00:00Z",
    "2028-01-03",
    "2028-01-04",
    "2028-01-04",
    "2028-01-06",
    "2028-01-05",
    "2028-01-10",
  ],
  [
    "2028-11-10T15:00:00Z",
    "2028-11-10",
    "2028-11-13",
    "2028-11-13",
    "2028-11-15",
    "2028-11-14",
    "2028-11-17",
  ],
] as const;

describe("ordered at", () => {
  test.each(vectors)(
    "%s",
    (ordered, sendOn, wireBy, settleOn, windowEndsOn, earliestOn, latestOn) => {
      expect(settlementFor("WIRE", at(ordered), calendar)).toMatchObject({
        sendOn,
        earliestOn: sendOn,
        latestOn: wireBy,
        settleOn: null,
        windowEndsOn: null,
        windowClosesAt: null,
        calendarVersion: "fed-2026.1",
      });
      expect(settlementFor("ACH", at(ordered), calendar)).toMatchObject({
        sendOn,
        earliestOn,
        latestOn,
        settleOn,
        windowEndsOn,
        calendarVersion: "fed-2026.1",
      });
    },
  );
});

test.each([
  ["inside business hours goes now", "2026-11-13T15:12:34.567Z", "2026-11-13T15:12:34.567Z"],
  ["at nine goes now", "2026-11-13T14:00:00Z", "2026-11-13T14:00:00Z"],
  ["before nine goes at nine", "2026-11-13T13:59:59Z", "2026-11-13T14:00:00Z"],
  ["before five goes now", "2026-11-13T21:59:59.999Z", "2026-11-13T21:59:59.999Z"],
  ["after five goes on the next open day at nine", "2026-11-13T22:00:00Z", "2026-11-16T14:00:00Z"],
  ["on a Sunday goes on Monday at nine", "2026-11-15T15:00:00Z", "2026-11-16T14:00:00Z"],
  ["in summer time, nine is an hour earlier", "2026-07-05T15:00:00Z", "2026-07-06T13:00:00Z"],
])("a wire ordered %s", (_, ordered, sent) => {
  expect(settlementFor("WIRE", at(ordered), calendar).sendAt).toBe(at(sent));
});

test("an ACH file goes at five, and its window closes when the last day of it is over in New York", () => {
  const { sendAt, windowClosesAt } = settlementFor("ACH", at("2026-11-13T15:00:00Z"), calendar);
  expect(sendAt).toBe(at("2026-11-13T22:00:00Z"));
  expect(windowClosesAt).toBe(at("2026-11-19T05:00:00Z"));
});

test("a window that spans the change of clocks closes at the new midnight", () => {
  const { windowEndsOn, windowClosesAt } = settlementFor(
    "ACH",
    at("2026-10-29T15:00:00Z"),
    calendar,
  );
  expect(windowEndsOn).toBe("2026-11-03");
  expect(windowClosesAt).toBe(at("2026-11-04T05:00:00Z"));
});

test("whenever it is ordered: never sent before, in business hours, and everything in its order", () => {
  const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 11, 1) });
  const method = fc.constantFrom<SettlementMethod>("ACH", "WIRE");
  fc.assert(
    fc.property(time, method, (ordered, by) => {
      const { sendOn, sendAt, earliestOn, latestOn, settleOn, windowEndsOn, windowClosesAt } =
        settlementFor(by, ordered, calendar);
      expect(sendAt).toBeGreaterThanOrEqual(ordered);
      expect(newYorkDay(sendAt)).toBe(sendOn);
      expect(sendAt).toBeGreaterThanOrEqual(newYorkTime(sendOn, 9));
      expect(sendAt).toBeLessThanOrEqual(newYorkTime(sendOn, 17));
      expect(sendOn <= earliestOn && earliestOn <= latestOn).toBe(true);
      if (by === "WIRE") return;
      expect(settleOn).toBe(addOpenDays(calendar, sendOn, 1));
      expect(windowEndsOn).toBe(addOpenDays(calendar, settleOn ?? "", 2));
      expect(newYorkDay((windowClosesAt ?? 0) - 1)).toBe(windowEndsOn);
    }),
  );
});

describe("an ACH payment that was settled", () => {
  const planned = settlementFor("ACH", at("2026-11-13T15:00:00Z"), calendar);

  test.each([
    ["on the planned day", "2026-11-16T13:30:00Z", "2026-11-16", "2026-11-18"],
    ["a day late", "2026-11-17T13:30:00Z", "2026-11-17", "2026-11-19"],
    ["before a holiday", "2026-11-25T13:30:00Z", "2026-11-25", "2026-11-30"],
    ["as was told on a Sunday", "2026-11-22T13:30:00Z", "2026-11-22", "2026-11-24"],
    ["as was told before the planned day", "2026-11-13T13:30:00Z", "2026-11-16", "2026-11-18"],
  ])("%s may come back for two days from then", (_, settled, settleOn, windowEndsOn) => {
    const { sendOn, sendAt } = planned;
    const windowClosesAt = newYorkTime(windowEndsOn, 24);
    expect(settledOn(planned, at(settled), calendar)).toMatchObject({
      ...{ sendOn, sendAt, settleOn, windowEndsOn, windowClosesAt },
    });
  });

  test("as planned has the planned dates", () => {
    expect(settledOn(planned, at("2026-11-16T13:30:00Z"), calendar)).toEqual(planned);
  });

  test("whenever that was: can come back for two whole open days after it, and not only after the planned ones", () => {
    const ordered = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 10, 1) });
    const late = fc.integer({ min: -3 * 86_400_000, max: 30 * 86_400_000 });
    const closed = fc.array(fc.nat(40), { maxLength: 5 });
    fc.assert(
      fc.property(ordered, late, closed, (orderedAt, lateMs, closedDays) => {
        const plan = settlementFor("ACH", orderedAt, calendar);
        const settledAt = newYorkTime(plan.settleOn ?? "", 8, 30) + lateMs;
        // Days of which nobody knew when it was planned that the banks would be closed.
        const now = bankCalendar(
          closedDays.map((count) => ({ day: addDays(plan.sendOn, count), isOpen: false })),
        );
        const { settleOn, windowEndsOn, windowClosesAt, earliestOn, latestOn, calendarVersion } =
          settledOn(plan, settledAt, now);
        const day = newYorkDay(settledAt);
        expect(settleOn).toBe(day > (plan.settleOn ?? "") ? day : plan.settleOn);
        expect(windowEndsOn).toBe(addOpenDays(now, settleOn ?? "", 2));
        expect(windowClosesAt).toBe(newYorkTime(windowEndsOn ?? "", 24));
        expect(windowClosesAt).toBeGreaterThanOrEqual(plan.windowClosesAt ?? 0);
        expect([earliestOn > (settleOn ?? ""), earliestOn <= latestOn]).toEqual([true, true]);
        expect(calendarVersion).toBe(now.version);
      }),
    );
  });
});
