import { addOpenDays, type Calendar, newYorkTime, sendDay } from "../lib/calendar.ts";
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
  // Settled a day after the file; the receiving bank has two more to send it back. No news is the good news.
  const windowEndsOn = after(3);
  return {
    ...common,
    earliestOn: after(2),
    latestOn: after(5),
    settleOn: after(1),
    windowEndsOn,
    sendAt: newYorkTime(sendOn, closingHour),
    windowClosesAt: newYorkTime(windowEndsOn, 24),
  };
}
