import type { Transaction } from "../../../database/database.ts";
import {
  addOpenDays,
  type Calendar,
  newYorkDay,
  newYorkTime,
  nextOpenDay,
} from "../../../lib/calendar.ts";
import { ledgerAccounts } from "../../../ramp/ledger/accounts.ts";
import type { BankLine } from "../../../ramp/rails/iso20022/wire-file.ts";
import { loadCalendar } from "../../../ramp/store/calendars.ts";
import { addToBalance } from "../../store/balances.ts";
import { insertLine, isStatementDue, signedCents } from "../../store/bank-lines.ts";

/** When the bank has worked for a day and writes its statement. */
const statementHour = 18;

/**
 * Books a line on our account at the sandbox's bank. The balance goes first: who has changed it has it alone until `tx`
 * ends, so that lines are in the order in which they count.
 */
export async function bookLine(tx: Transaction, line: BankLine): Promise<void> {
  await addToBalance(tx, ledgerAccounts.bank(), signedCents(line));
  const statementAt = (await isStatementDue(tx))
    ? null
    : new Date(statementTime(await loadCalendar(tx), line.bookedAt));
  await insertLine(tx, line, statementAt);
}

/** When the statement is written on which a line of now is. */
function statementTime(calendar: Calendar, at: number): number {
  const today = nextOpenDay(calendar, newYorkDay(at));
  const evening = newYorkTime(today, statementHour);
  return evening >= at ? evening : newYorkTime(addOpenDays(calendar, today, 1), statementHour);
}
