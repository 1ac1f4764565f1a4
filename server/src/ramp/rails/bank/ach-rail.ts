import { assert } from "../../../lib/errors.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import type { PayoutRail } from "../../ports.ts";
import { loadCalendar } from "../../store/calendars.ts";
import { nextTraceNumber } from "../store/bank-entries.ts";
import type { BankContext } from "./bank-profile.ts";
import { achFileTime } from "./file-times.ts";
import { submissionFinder, submitEntry } from "./submit-entry.ts";

/** The most that an entry has room for: ten digits. */
const centsMost = 99_999_999_99n;

/** One account that does not fit into a file would keep all the others from going. */
const accountForm = /^[0-9A-Za-z-]{1,17}$/;

/** Pays by ACH: what is submitted goes to the bank with the file of the next cut-off. */
export function achRail(context: BankContext): PayoutRail {
  const { db, clock, bank } = context;
  return {
    async submit(instruction) {
      assert(instruction.rail === "ach", `${instruction.reference} is for ACH`);
      const { reference, rail, cents, to, memo } = instruction;
      if (cents > centsMost) {
        return { outcome: "refused", why: "ACH carries 99,999,999.99 dollars at most" };
      }
      const isAccount = routingNumberFault(to.routingNumber) === undefined;
      if (!isAccount || !accountForm.test(to.accountNumber)) {
        return { outcome: "refused", why: "no ACH file can hold such an account" };
      }
      return db.transact(async (tx) => {
        const calendar = await loadCalendar(tx, "ACH");
        const dueAt = new Date(achFileTime(calendar, bank.cutOffs, clock.now()));
        return submitEntry(tx, context, {
          ...{ reference, rail, cents, dueAt },
          order: { ...to, memo },
          traceOf: async () => bank.routingNumber.slice(0, 8) + (await nextTraceNumber(tx)),
        });
      });
    },
    find: submissionFinder(context),
  };
}
