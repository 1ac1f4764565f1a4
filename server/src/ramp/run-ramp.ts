import type { DueRunner } from "../database/due.ts";
import { dueTransactions } from "./due-transactions.ts";
import type { RampContext } from "./engine.ts";
import { newsReader } from "./intake/news.ts";
import { unclaimedReturns } from "./intake/unclaimed.ts";
import { invariantsWatch } from "./invariants.ts";
import { payoutSender } from "./payouts/send.ts";

/** Everything that has to happen by itself: news first, then what they made due, then the money. */
export function rampRunners(context: RampContext): DueRunner[] {
  return [
    newsReader(context),
    dueTransactions(context),
    ...unclaimedReturns(context),
    payoutSender(context),
    invariantsWatch(context),
  ];
}
