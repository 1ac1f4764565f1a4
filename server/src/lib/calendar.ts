import { hash } from "node:crypto";
import { assert } from "./errors.ts";

/** On which days the banks work. Days are New York's, written `2026-11-16`. */
export type Calendar = {
  /** Which rule and which exceptions an estimate was made with. */
  version: string;
  isOpen(day: string): boolean;
};

/** A day on which the banks work, or do not, against the rule. */
export type CalendarOverride = { day: string; isOpen: boolean };

const ruleVersion = "fed-2026.1";
const timeZone = "America/New_York";
const dayMs = 86_400_000;
/** What is sent from here on goes out on the next day. */
const cutOffHour = 17;
/** No run of closed days is as long as this. */
const closedDaysMost = 366;

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6];

const fixedHolidays: ReadonlySet<string> = new Set(["01-01", "06-19", "07-04", "11-11", "12-25"]);

/** Holidays on the n-th such day of their week in a month; Memorial Day, the last Monday of May, stands by itself. */
const floatingHolidays: readonly { month: number; weekday: number; nth: number }[] = [
  { month: 1, weekday: monday, nth: 3 },
  { month: 2, weekday: monday, nth: 3 },
  { month: 9, weekday: monday, nth: 1 },
  { month: 10, weekday: monday, nth: 2 },
  { month: 11, weekday: thursday, nth: 4 },
];

/** The Federal Reserve Banks' days, with exceptions. */
export function bankCalendar(overrides: readonly CalendarOverride[] = []): Calendar {
  const exceptions = new Map(overrides.map(({ day, isOpen }) => [day, isOpen]));
  return {
    version: versionOf(exceptions),
    isOpen: (day) => exceptions.get(day) ?? isOpenByRule(day),
  };
}

/** The day itself if the banks work then, otherwise the first one after it. */
export function nextOpenDay(calendar: Calendar, day: string): string {
  let open = day;
  for (let closed = 0; !calendar.isOpen(open); closed++) {
    assert(closed < closedDaysMost, `the calendar opens again after ${day}`);
    open = addDays(open, 1);
  }
  return open;
}

/** The `count`-th open day after `day`. */
export function addOpenDays(calendar: Calendar, day: string, count: number): string {
  let open = day;
  for (let index = 0; index < count; index++) open = nextOpenDay(calendar, addDays(open, 1));
  return open;
}

/** When money that is ordered at `at` goes out: the same day until 17:00 in New York, if that is an open day. */
export function sendDay(calendar: Calendar, at: number): string {
  const today = newYorkDay(at);
  const isInTime = at < newYorkTime(today, cutOffHour);
  return nextOpenDay(calendar, isInTime ? today : addDays(today, 1));
}

/** The date in New York at a Unix time in milliseconds. */
export function newYorkDay(at: number): string {
  return dayOf(at + offsetAt(at));
}

/**
 * The Unix time in milliseconds of an hour in New York; 24 is the midnight at the end of the day. In the night when
 * clocks change, an hour that comes twice is the first and one that is left out is the one after it.
 */
export function newYorkTime(day: string, hour: number, minute = 0): number {
  const asIfUtc = startOf(day) + (hour * 60 + minute) * 60_000;
  // A day before and a day after, both offsets that may hold are seen.
  const first = asIfUtc - offsetAt(asIfUtc - dayMs);
  const second = asIfUtc - offsetAt(asIfUtc + dayMs);
  return [first, second].find((at) => at + offsetAt(at) === asIfUtc) ?? first;
}

/** The date a number of days later. */
export function addDays(day: string, count: number): string {
  return dayOf(startOf(day) + count * dayMs);
}

/** A holiday on a Saturday closes nothing, one on a Sunday the Monday after it. */
function isOpenByRule(day: string): boolean {
  const weekday = weekdayOf(day);
  if (weekday === saturday || weekday === sunday) return false;
  return !isHoliday(day) && !(weekday === monday && isHoliday(addDays(day, -1)));
}

function isHoliday(day: string): boolean {
  if (fixedHolidays.has(day.slice(5))) return true;
  const month = Number(day.slice(5, 7));
  const dayOfMonth = Number(day.slice(8));
  const weekday = weekdayOf(day);
  if (month === 5) return weekday === monday && dayOfMonth > 24;
  const nth = Math.ceil(dayOfMonth / 7);
  return floatingHolidays.some(
    (holiday) => holiday.month === month && holiday.weekday === weekday && holiday.nth === nth,
  );
}

/** Exceptions are part of the version: an estimate made before one was known can be told from one made after. */
function versionOf(exceptions: ReadonlyMap<string, boolean>): string {
  if (exceptions.size === 0) return ruleVersion;
  const sorted = [...exceptions].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${ruleVersion}+${hash("sha256", JSON.stringify(sorted), "hex").slice(0, 8)}`;
}

const clockOfNewYork = new Intl.DateTimeFormat("en-US", {
  timeZone,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** What has to be added to UTC for New York's time, in milliseconds. */
function offsetAt(at: number): number {
  const wholeSeconds = Math.floor(at / 1_000) * 1_000;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOfNewYork.formatToParts(wholeSeconds))
    parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSeconds;
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const weekdayOf = (day: string): number => new Date(startOf(day)).getUTCDay();
