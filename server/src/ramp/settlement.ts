import { addOpenDays, type Calendar, newYorkDay, newYorkTime, sendDay } from "../lib/calendar.ts";
import type { Settlement, SettlementMethod } from "./transaction.ts";

/** New York's hours in which wires are sent; what is batched for ACH goes out when they end. */
const openingHour = 9;
const closingHour = 17;

/** When a payout that is ordered at `at` (Unix milliseconds) is sent and is expected to arrive. */
export function settlementFor(
  method: SettlementMethod,
  at: number,
  calendar: Calendar,
): Settlement {
  const sendOn = sendDay(calendar, at);
  const after = (count: number) => addOpenDays(calendar, sendOn, count);
  const common = { calendarVersion: calendar.version, sendOn };
  if (method === "WIRE") {
    return {
      ...common,
      earliestOn: sendOn,
      latestOn: after(1),
      settleOn: null,
      windowEndsOn: null,
      sendAt: Math.max(at, newYorkTime(sendOn, openingHour)),
      windowClosesAt: null,
    };
  }
  return { ...common, sendAt: newYorkTime(sendOn, closingHour), ...achDates(after(1), calendar) };
}

/**
 * The dates of an ACH payment that was settled at `at`. Its file may have left later than planned, and the receiving
 * bank's days to send it back are counted from the settlement; never from a day before the planned one.
 */
export function settledOn(planned: Settlement, at: number, calendar: Calendar): Settlement {
  const day = newYorkDay(at);
  const settleOn = planned.settleOn !== null && planned.settleOn > day ? planned.settleOn : day;
  return { ...planned, calendarVersion: calendar.version, ...achDates(settleOn, calendar) };
}

/** Settled a day after the file; the receiving bank has two more to send it back. No news is the good news. */
function achDates(settleOn: string, calendar: Calendar) {
  const after = (count: number) => addOpenDays(calendar, settleOn, count);
  const windowEndsOn = after(2);
  return {
    earliestOn: after(1),
    latestOn: after(4),
    settleOn,
    windowEndsOn,
    windowClosesAt: newYorkTime(windowEndsOn, 24),
  };
}
