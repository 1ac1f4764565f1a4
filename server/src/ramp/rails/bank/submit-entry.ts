import type { Transaction } from "../../../database/database.ts";
import { assert } from "../../../lib/errors.ts";
import type { Cents } from "../../../lib/money.ts";
import type { PayoutRail, Submission } from "../../ports.ts";
import type { PayoutId } from "../../transaction.ts";
import { type BankOrder, type BankRail, findEntry, insertEntry } from "../store/bank-entries.ts";
import type { BankContext } from "./bank-profile.ts";

/** An instruction as the bank's files need it: how to name it, what it says, and when its file is made. */
type Entered<Rail extends BankRail> = {
  reference: PayoutId;
  rail: Rail;
  cents: Cents;
  order: BankOrder[Rail];
  traceOf(): Promise<string>;
  dueAt: Date;
};

/** Writes down a payout for the bank, once: whoever says it again hears what was written then. */
export async function submitEntry<Rail extends BankRail>(
  tx: Transaction,
  context: Pick<BankContext, "clock" | "sealer">,
  { reference, rail, cents, order, traceOf, dueAt }: Entered<Rail>,
): Promise<Submission> {
  const at = new Date(context.clock.now());
  const entry =
    (await findEntry(tx, reference)) ??
    (await insertEntry(tx, context, {
      ...{ payoutId: reference, rail, cents, order, dueAt, at },
      trace: await traceOf(),
    }));
  assert(entry.cents === cents && entry.rail === rail, `${reference} is told with one amount only`);
  return { outcome: "accepted", trace: entry.trace };
}

/** Asks what became of a payout that the bank should be told of. */
export function submissionFinder({ db }: Pick<BankContext, "db">): PayoutRail["find"] {
  return async (reference) => {
    const entry = await findEntry(db, reference);
    return entry && { outcome: "accepted", trace: entry.trace };
  };
}
