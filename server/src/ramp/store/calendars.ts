import type { Queryable } from "../../database/database.ts";
import { prepared } from "../../database/sql.ts";
import { bankCalendar, type Calendar, type CalendarOverride } from "../../lib/calendar.ts";
import type { SettlementMethod } from "../transaction.ts";

const railOf: Record<SettlementMethod, string> = { ACH: "FEDACH", WIRE: "FEDWIRE" };

/** The days on which our bank works and, with a method, its rail too. Of two exceptions for a day, closing wins. */
export async function loadCalendar(db: Queryable, method?: SettlementMethod): Promise<Calendar> {
  const calendars = ["PARTNER_BANK", ...(method ? [railOf[method]] : [])];
  const overrides = await db.query<CalendarOverride>(prepared`
    select to_char(day, 'YYYY-MM-DD') as day, bool_and(is_open) as "isOpen"
    from calendar_overrides where calendar = any(${calendars}) group by day`);
  return bankCalendar(overrides);
}
