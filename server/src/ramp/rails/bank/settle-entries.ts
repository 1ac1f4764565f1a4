import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import type { FileExchange } from "../file-exchange.ts";
import {
  isSettlementDue,
  postponeDueSettlements,
  postponeSettlements,
  settleEntries,
  takeDueSettlements,
} from "../store/bank-entries.ts";
import { tellNotices } from "../store/notices.ts";
import type { BankContext } from "./bank-profile.ts";
import { takeWhatIsThere } from "./take-files.ts";

type SettlerContext = BankContext & { exchange: FileExchange };

const pageSize = 500;

/** When a file is looked at again that should have been with the bank by now. */
const lateMs = 3_600_000;

/** When the bank's files are tried again that could not all be read. */
const unheardMs = 60_000;

/**
 * Tells that ACH entries are settled, on the morning of the day for which their file was made: no bank says so. What it
 * may have said to the contrary by then is read before.
 */
export function entrySettler(context: SettlerContext): DueRunner {
  const { db, clock } = context;
  return {
    name: "settlement of ACH entries",
    async run(signal) {
      const dueAt = new Date(clock.now());
      if (!(await isSettlementDue(db, dueAt))) return 0;
      const { isAll } = await takeWhatIsThere(context, signal);
      if (!isAll) return waitToHear(context, dueAt);
      let handled = 0;
      for (let page = 1; page > 0 && !signal?.aborted; handled += page) {
        page = await db.transact((tx) => settlePage(tx, context, dueAt));
      }
      return handled;
    },
  };
}

async function waitToHear({ db, log }: SettlerContext, dueAt: Date): Promise<number> {
  const entries = await postponeDueSettlements(db, dueAt, new Date(dueAt.getTime() + unheardMs));
  log.warn(
    { entries },
    "ACH payments are not called settled before all files of the bank are read, which may say otherwise; it is tried again in a minute",
  );
  return 0;
}

async function settlePage(tx: Transaction, context: BankContext, dueAt: Date): Promise<number> {
  const at = context.clock.now();
  const due = await takeDueSettlements(tx, dueAt, pageSize);
  if (due.length === 0) return 0;
  const settled = due.filter(({ isDelivered }) => isDelivered);
  await settleEntries(
    tx,
    settled.map(({ payoutId }) => payoutId),
    new Date(at),
  );
  const notices = settled.map(
    ({ payoutId, trace }) => ({ kind: "payout_settled", reference: payoutId, trace, at }) as const,
  );
  await tellNotices(tx, context, "bank", notices);
  const late = due.filter(({ isDelivered }) => !isDelivered);
  for (const fileId of new Set(late.map((entry) => entry.fileId))) {
    await postponeSettlements(tx, fileId, new Date(at + lateMs));
    context.log.error(
      { file: fileId },
      "payments should be settled by now and their file has not reached the bank; approve, deliver or withdraw it",
    );
  }
  return due.length;
}
