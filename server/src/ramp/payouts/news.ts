import type { Transaction } from "../../database/database.ts";
import { type RampContext, stepOn } from "../engine.ts";
import { ledgerAccounts } from "../ledger/accounts.ts";
import type { Notice } from "../ports.ts";
import { settledOn } from "../settlement.ts";
import type { Step } from "../step.ts";
import { loadCalendar } from "../store/calendars.ts";
import { bookOnce } from "../store/ledger.ts";
import {
  endPayout,
  findPayout,
  lockPayout,
  type Payout,
  type PayoutState,
} from "../store/payouts.ts";
import { lockRamp } from "../store/transactions.ts";
import type { Ramp, Settlement } from "../transaction.ts";
import { meaningOf } from "./ach-returns.ts";
import { bookReturn } from "./own-books.ts";

type PayoutNotice = Extract<
  Notice,
  { kind: "payout_settled" | "payout_failed" | "payout_returned" }
>;
type NewsContext = Pick<RampContext, "clock" | "random" | "log">;

/** A payout with its transaction, both locked, and when we hear of it. */
type Heard = { payout: Payout; ramp: Ramp | undefined; at: Date };

/** Takes over what a rail says about a payout. Said twice, it changes nothing. */
export async function takePayoutNotice(
  tx: Transaction,
  context: NewsContext,
  notice: PayoutNotice,
): Promise<void> {
  const heard = await lockHeard(tx, context, notice.reference);
  if (!heard) {
    context.log.error(
      { payout: notice.reference, notice: notice.kind },
      "a rail tells of a payout that is not ours; ask it what this is",
    );
    return;
  }
  switch (notice.kind) {
    case "payout_settled":
      return settle(tx, context, heard, notice);
    case "payout_failed":
      return failPayout(tx, context, heard, notice.why);
    case "payout_returned":
      return takeBack(tx, context, heard, notice.code);
  }
}

/** The transaction is locked before its payout, as everybody does. */
export async function lockHeard(
  tx: Transaction,
  { clock }: Pick<RampContext, "clock">,
  id: string,
): Promise<Heard | undefined> {
  const found = await findPayout(tx, id);
  const ramp = found?.transactionId ? await lockRamp(tx, found.transactionId) : undefined;
  const payout = found && (await lockPayout(tx, id));
  return payout && { payout, ramp, at: new Date(clock.now()) };
}

async function settle(
  tx: Transaction,
  context: NewsContext,
  heard: Heard,
  { trace, at: settledAt }: Extract<PayoutNotice, { kind: "payout_settled" }>,
): Promise<void> {
  const { payout, ramp, at } = heard;
  const { id: payoutId, purpose } = payout;
  // Money that came back had gone before: the news of it are only late.
  if (payout.state === "settled" || payout.state === "returned") return;
  if (payout.state !== "submitted") return contradict(context, heard, "settled");
  if (ramp) {
    const step: Step =
      purpose === "payout"
        ? { kind: "payout_settled", payoutId, trace, ...(await settlementOf(tx, ramp, settledAt)) }
        : { kind: "refund_settled", payoutId, trace };
    if (!(await isTaken(tx, context, heard, step))) return;
  } else {
    await bookReturn(tx, payout, "settled", at);
  }
  await endPayout(tx, payoutId, { state: "settled", trace, at });
}

/** A bank has its time to send an ACH payment back from the day on which it really was settled. */
async function settlementOf(
  tx: Transaction,
  { settlementMethod, settlement }: Ramp,
  settledAt: number,
): Promise<{ settlement?: Settlement }> {
  if (settlementMethod !== "ACH" || !settlement) return {};
  return { settlement: settledOn(settlement, settledAt, await loadCalendar(tx, "ACH")) };
}

/** The rail did not pay and will not. */
export async function failPayout(
  tx: Transaction,
  context: NewsContext,
  heard: Heard,
  why: string,
): Promise<void> {
  const { payout, ramp, at } = heard;
  const { id: payoutId, purpose } = payout;
  if (payout.state === "failed") return;
  if (payout.state !== "submitted") return contradict(context, heard, "failed");
  if (ramp) {
    const kind = purpose === "payout" ? "payout_failed" : "refund_failed";
    if (!(await isTaken(tx, context, heard, { kind, payoutId, why }))) return;
  } else {
    await bookReturn(tx, payout, "failed", at);
    context.log.error(
      { payout: payoutId, why },
      "money could not be sent back and lies in suspense again; return it by hand or try again",
    );
  }
  await endPayout(tx, payoutId, { state: "failed", trace: null, at });
}

async function takeBack(
  tx: Transaction,
  context: NewsContext,
  heard: Heard,
  code: string,
): Promise<void> {
  const { payout, ramp, at } = heard;
  if (payout.state === "returned") return;
  if (payout.state !== "submitted" && payout.state !== "settled")
    return contradict(context, heard, "returned");
  const { isAccountAtFault, review, alarm } = meaningOf(payout.rail, code);
  if (alarm) context.log.error({ payout: payout.id, transaction: ramp?.id, code }, alarm);
  if (!ramp) {
    await bookReturn(tx, payout, "returned", at);
  } else if (payout.purpose === "refund") {
    await takeRefundBack(tx, context, heard, code);
  } else {
    const said = { payoutId: payout.id, code, isAccountAtFault, ...(review && { review }) };
    const step: Step = { kind: "payout_returned", ...said };
    if (!(await isTaken(tx, context, heard, step))) return;
  }
  await endPayout(tx, payout.id, { state: "returned", trace: null, at });
}

/** A refund that comes back before it is confirmed has failed; one that was confirmed lies in suspense from now on. */
async function takeRefundBack(
  tx: Transaction,
  context: NewsContext,
  heard: Heard,
  code: string,
): Promise<void> {
  const { payout, at } = heard;
  const { id: payoutId, asset, amount, transactionId } = payout;
  if (payout.state === "submitted") {
    await isTaken(tx, context, heard, {
      kind: "refund_failed",
      payoutId,
      why: `returned: ${code}`,
    });
    return;
  }
  const moves = [
    { asset, amount, from: ledgerAccounts.bank(), to: ledgerAccounts.suspense(asset) },
  ];
  const fact = `${payoutId}#returned`;
  await bookOnce(tx, { fact, kind: "refund_returned", transactionId, at, moves });
  context.log.error(
    { payout: payoutId, transaction: transactionId, code },
    "a refund came back after it had been confirmed; it lies in suspense until the customer names another way",
  );
}

/** Applies the step unless it cannot happen; that is for an operator to look at. */
async function isTaken(
  tx: Transaction,
  context: NewsContext,
  { payout, ramp }: Heard,
  step: Step,
): Promise<boolean> {
  if (!ramp) return false;
  if ((await stepOn(tx, context, ramp, step)) !== "impossible") return true;
  context.log.error(
    { payout: payout.id, transaction: ramp.id, state: ramp.state, step: step.kind },
    "a rail says something that cannot be: compare its statement with the transaction",
  );
  return false;
}

function contradict(context: NewsContext, { payout }: Heard, said: PayoutState): void {
  context.log.error(
    { payout: payout.id, state: payout.state, said },
    "a rail contradicts what it said before: compare its statement with the payout",
  );
}
