import type { Queryable } from "../../database/database.ts";
import { addOpenDays, newYorkDay, newYorkTime } from "../../lib/calendar.ts";
import { unmatchedWireBusinessDays } from "../policy.ts";
import { loadCalendar } from "../store/calendars.ts";

/** When what nobody has claimed goes back, at noon in New York. */
export async function returnTime(db: Queryable, at: number): Promise<Date> {
  const calendar = await loadCalendar(db);
  const day = addOpenDays(calendar, newYorkDay(at), unmatchedWireBusinessDays);
  return new Date(newYorkTime(day, 12));
}
