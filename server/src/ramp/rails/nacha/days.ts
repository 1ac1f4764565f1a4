import { addDays } from "../../../lib/calendar.ts";
import { assert } from "../../../lib/errors.ts";

/** No two years have the same number this near to a day. */
const halfYear = 182;

/** Writes `2026-11-17` as `261117`. */
export function writeDay(day: string): string {
  const written = day.replaceAll("-", "").slice(2);
  assert(readDay(written) === day, `${day} is a day of this century`);
  return written;
}

/** Reads `261117` as `2026-11-17`; nothing when there is no such day. */
export function readDay(text: string): string | undefined {
  if (!/^\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(text)) return undefined;
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`;
  // The 31st of a shorter month is a day of the next one.
  return addDays(day, 0) === day ? day : undefined;
}

/** Writes `17:00` as `1700`. */
export function writeTime(time: string): string {
  const written = time.replace(":", "");
  assert(readTime(written) === time, `${time} is a time of day`);
  return written;
}

/** Reads `1700` as `17:00`; nothing when there is no such time. */
export function readTime(text: string): string | undefined {
  if (!/^([01]\d|2[0-3])[0-5]\d$/.test(text)) return undefined;
  return `${text.slice(0, 2)}:${text.slice(2)}`;
}

/** Writes a day as its number in the year, `321`, if it can be told from that near another day. */
export function writeDayOfYear(day: string, near: string): string {
  const number = daysBetween(firstOfYear(Number(day.slice(0, 4))), day) + 1;
  const written = String(number).padStart(3, "0");
  assert(readDayOfYear(written, near) === day, `${day} is not more than half a year from ${near}`);
  return written;
}

/** Reads the number of a day in its year, in the year in which it is near another day. */
export function readDayOfYear(text: string, near: string): string | undefined {
  if (!/^\d{3}$/.test(text)) return undefined;
  const year = Number(near.slice(0, 4));
  return [year - 1, year, year + 1]
    .map((candidate) => dayOfYear(candidate, Number(text)))
    .find((day) => day !== undefined && Math.abs(daysBetween(day, near)) <= halfYear);
}

/** Only leap years have a 366th day, none has a day 0. */
function dayOfYear(year: number, number: number): string | undefined {
  const day = addDays(firstOfYear(year), number - 1);
  return day.startsWith(String(year)) ? day : undefined;
}

const firstOfYear = (year: number): string => `${year}-01-01`;
const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
