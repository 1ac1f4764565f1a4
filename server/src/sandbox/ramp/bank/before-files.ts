import type { Database, Transaction } from "../../../database/database.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents } from "../../../lib/money.ts";
import type { Sealer } from "../../../lib/seal.ts";
import type { Notice, PayoutInstruction, PayoutRail, Submission } from "../../../ramp/ports.ts";
import { insertWireSender } from "../../../ramp/rails/store/wire-senders.ts";
import type { PayoutId } from "../../../ramp/transaction.ts";
import { findToldWire, tellNotice } from "../../store/notices.ts";
import { findPayment, type Payment, updatePayment } from "../../store/payments.ts";
import type { Planned } from "../plan.ts";
import { bookLine } from "./book-line.ts";
import { imadOf } from "./happen.ts";
import { senderAccount } from "./sandbox-bank.ts";

/**
 * The sandbox's bank was told of payments directly before it read files. A rail that knows those it has from then, so
 * that none is paid a second time, and the wires that came then, so that they can go back.
 */
export function withOldPayments(
  rail: PayoutRail,
  { db, sealer }: { db: Database; sealer: Sealer },
): PayoutRail {
  async function findOld(reference: PayoutId): Promise<Submission | undefined> {
    const payment = await findPayment(db, reference);
    if (!payment || payment.file !== null) return undefined;
    return payment.why === null
      ? { outcome: "accepted", trace: oldTraceOf(payment) }
      : { outcome: "refused", why: payment.why };
  }
  return {
    async submit(instruction) {
      const old = await findOld(instruction.reference);
      if (old) return old;
      if ("returns" in instruction) await db.transact((tx) => keepSender(tx, sealer, instruction));
      return rail.submit(instruction);
    },
    find: async (reference) => (await rail.find(reference)) ?? findOld(reference),
  };
}

/** Lets one thing happen to a payment that came before there were files, and tells it directly. */
export async function tellOldPayment(
  tx: Transaction,
  payment: Payment,
  { next, later, at }: { next: Planned; later: readonly Planned[]; at: number },
): Promise<void> {
  const { reference } = payment;
  assert(next.kind !== "correct", "nothing was corrected before there were files");
  await updatePayment(tx, { reference, state: stateAfter[next.kind], plan: later });
  await tellNotice(tx, "sandbox-bank", noticeOf(payment, next));
  if (next.kind === "settle") await book(tx, payment, "debit", at);
  if (next.kind === "return" && payment.state === "settled") await book(tx, payment, "credit", at);
}

const stateAfter = { settle: "settled", return: "returned", fail: "failed" } as const;

function noticeOf(payment: Payment, planned: Exclude<Planned, { kind: "correct" }>): Notice {
  const { reference } = payment;
  const { at } = planned;
  switch (planned.kind) {
    case "settle":
      return { kind: "payout_settled", reference, trace: oldTraceOf(payment), at };
    case "return":
      return { kind: "payout_returned", reference, code: planned.code, at };
    case "fail":
      return { kind: "payout_failed", reference, why: planned.why, at };
  }
}

function book(
  tx: Transaction,
  { reference, amount }: Payment,
  direction: "credit" | "debit",
  at: number,
): Promise<void> {
  return bookLine(tx, {
    ...{ reference: `${reference}-${direction}`, direction, cents: asCents(amount), bookedAt: at },
    ...{ endToEndId: reference, counterparty: null, texts: [] },
    ...{ isReversal: direction === "credit", returnReason: null },
  });
}

function oldTraceOf(payment: Payment): string {
  if (payment.rail === "wire") return imadOf(payment);
  return `09100001${String(payment.number).padStart(7, "0").slice(-7)}`;
}

/** Where a wire came from that was told of before there were files. */
async function keepSender(
  tx: Transaction,
  sealer: Sealer,
  { returns }: Extract<PayoutInstruction, { returns: object }>,
): Promise<void> {
  const { bankReference } = returns;
  const wire = await findToldWire(tx, bankReference);
  if (!wire) return;
  const { cents, senderName: name, at } = wire;
  const sender = { name, ...senderAccount };
  await insertWireSender(tx, { sealer }, { bankReference, sender, cents }, new Date(at));
}
