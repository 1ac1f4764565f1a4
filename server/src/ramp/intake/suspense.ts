import type { Queryable } from "../../database/database.ts";
import { addOpenDays, newYorkDay, newYorkTime } from "../../lib/calendar.ts";
import { unmatchedWireBusinessDays } from "../policy.ts";
import { loadCalendar } from "../store/calendars.ts";

/** Stops the money of a sanctioned sender where it is: it goes neither on nor back. */
export const freeze = { kind: "held", reason: "sanctioned", note: null } as const;

/** When what nobody has claimed goes back, at noon in New York. */
export async function returnTime(db: Queryable, at: number): Promise<Date> {
  const calendar = await loadCalendar(db);
  const day = addOpenDays(calendar, newYorkDay(at), unmatchedWireBusinessDays);
  return new Date(newYorkTime(day, 12));
}
