import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { postponeSettlements, settleEntries, takeDueSettlements } from "../store/bank-entries.ts";
import { tellNotices } from "../store/notices.ts";
import type { BankContext } from "./bank-profile.ts";

const pageSize = 500;

/** When a file is looked at again that should have been with the bank by now. */
const lateMs = 3_600_000;

/** Tells that ACH entries are settled, on the morning of the day for which their file was made: no bank says so. */
export function entrySettler(context: BankContext): DueRunner {
  const { db } = context;
  return {
    name: "settlement of ACH entries",
    async run(signal) {
      let handled = 0;
      for (let page = 1; page > 0 && !signal?.aborted; handled += page) {
        page = await db.transact((tx) => settlePage(tx, context));
      }
      return handled;
    },
  };
}

async function settlePage(tx: Transaction, context: BankContext): Promise<number> {
  const at = context.clock.now();
  const due = await takeDueSettlements(tx, new Date(at), pageSize);
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
