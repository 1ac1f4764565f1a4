import {
  addOpenDays,
  type Calendar,
  newYorkDay,
  newYorkTime,
  nextOpenDay,
} from "../../../lib/calendar.ts";

/**
 * Payouts are handed over from the cut-off on, one by one. A file waits for so long that all of them are in it: a day
 * has names for 36 files only.
 */
const gatherMs = 5 * 60_000;

/** When banks have settled what was sent for a day. */
const settled = { hour: 8, minute: 30 };

/** When the file is made that takes along what is entered at `at`: soon after the first cut-off that is not over by then. */
export function achFileTime(calendar: Calendar, cutOffs: readonly string[], at: number): number {
  let day = nextOpenDay(calendar, newYorkDay(at - gatherMs));
  for (;;) {
    const times = cutOffs.map((cutOff) => timeOn(day, cutOff) + gatherMs);
    const open = times.filter((time) => time >= at);
    if (open.length > 0) return Math.min(...open);
    day = addOpenDays(calendar, day, 1);
  }
}

/** When ACH payments are settled that the bank gets at `at`. What it gets on a closed day it works on at the next open one. */
export function achSettlement(calendar: Calendar, at: number): { on: string; at: number } {
  const workedOn = nextOpenDay(calendar, newYorkDay(at));
  const on = addOpenDays(calendar, workedOn, 1);
  return { on, at: newYorkTime(on, settled.hour, settled.minute) };
}

const clockOfNewYork = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** What clocks in New York show: 17:05:00. */
export function newYorkClock(at: number): string {
  return clockOfNewYork.format(at);
}

function timeOn(day: string, cutOff: string): number {
  const [hour = 0, minute = 0] = cutOff.split(":").map(Number);
  return newYorkTime(day, hour, minute);
}
