import type { Transaction } from "../../../database/database.ts";
import type { DueWork } from "../../../database/due.ts";
import { newYorkDay } from "../../../lib/calendar.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents } from "../../../lib/money.ts";
import { isDispute } from "../../../ramp/payouts/ach-returns.ts";
import type { BankLine } from "../../../ramp/rails/iso20022/wire-file.ts";
import { scheduleSentFile, takeDueSentFile } from "../../store/bank-files.ts";
import { type Payment, settlePayments, updatePayment } from "../../store/payments.ts";
import type { Planned } from "../plan.ts";
import { leaveAchNews, leaveNotification, leaveStatuses, rejectedWire } from "./answers.ts";
import { bookLine } from "./book-line.ts";

const minuteMs = 60_000;

/** Settles the ACH payments of a file when its morning has come: one line for all. Nobody is told. */
export const dueSentFiles: DueWork<{ name: string }> = {
  name: "settlement at the sandbox's bank",
  take: takeDueSentFile,
  async handle(tx, { name }, now) {
    await tx.query(scheduleSentFile(name, null));
    const cents = await settlePayments(tx, name);
    if (cents === 0n) return;
    const sum = { reference: `sum-${name}`, direction: "debit", endToEndId: name } as const;
    await bookLine(tx, lineOf({ ...sum, amount: cents, at: now.getTime() }));
  },
  postpone: ({ name }, now) => scheduleSentFile(name, new Date(now.getTime() + minuteMs)),
};

/** Lets one thing happen to a payment that came in a file: the money moves, and a file for us says so. */
export async function happenAtBank(
  tx: Transaction,
  payment: Payment,
  planned: Planned,
  later: readonly Planned[],
  at: number,
): Promise<void> {
  const { reference, state } = payment;
  switch (planned.kind) {
    case "settle":
      await updatePayment(tx, { reference, state: "settled", plan: later });
      return settleWire(tx, payment, at);
    case "fail":
      await updatePayment(tx, { reference, state: "failed", plan: later });
      return leaveStatuses(tx, fileOf(payment), [rejectedWire({ reference, ...planned })], at);
    case "correct":
      await updatePayment(tx, { reference, state, plan: later });
      return leaveAchNews(tx, payment, planned, at);
    case "return":
      return payment.rail === "wire"
        ? returnWire(tx, payment, planned.code, at)
        : returnEntry(tx, payment, planned.code, at);
  }
}

async function settleWire(tx: Transaction, payment: Payment, at: number): Promise<void> {
  const { reference: endToEndId, amount } = payment;
  const imad = imadOf(payment);
  const verdict = { outcome: "settled", code: "ACSC", reason: null } as const;
  const status = { endToEndId, ...verdict, networkReference: imad };
  await leaveStatuses(tx, fileOf(payment), [status], at);
  await bookLine(tx, lineOf({ reference: imad, direction: "debit", endToEndId, amount, at }));
}

async function returnWire(
  tx: Transaction,
  payment: Payment,
  code: string,
  at: number,
): Promise<void> {
  const { reference: endToEndId, amount } = payment;
  await updatePayment(tx, { reference: endToEndId, state: "returned", plan: [] });
  const back = { reference: `${imadOf(payment)}-RETURN`, direction: "credit" } as const;
  const line = { ...lineOf({ ...back, endToEndId, amount, at }), returnReason: code };
  await leaveNotification(tx, line);
  await bookLine(tx, line);
}

/** What comes back before its file settles was never taken from our account. A dispute moves nothing. */
async function returnEntry(
  tx: Transaction,
  payment: Payment,
  code: string,
  at: number,
): Promise<void> {
  const { reference, trace: endToEndId, amount, state } = payment;
  await leaveAchNews(tx, payment, { code }, at);
  if (isDispute(code)) return;
  await updatePayment(tx, { reference, state: "returned", plan: [] });
  if (state !== "settled") return;
  const back = { reference: `return-${endToEndId}`, direction: "credit" } as const;
  await bookLine(tx, { ...lineOf({ ...back, endToEndId, amount, at }), returnReason: code });
}

function lineOf(
  line: Pick<BankLine, "reference" | "direction" | "endToEndId"> & { amount: bigint; at: number },
): BankLine {
  const { amount, at, ...rest } = line;
  const nothingElse = { counterparty: null, returnReason: null, texts: [] };
  return { ...rest, ...nothingElse, cents: asCents(amount), isReversal: false, bookedAt: at };
}

/** What the network calls a wire. */
export function imadOf({ number, createdAt }: Pick<Payment, "number" | "createdAt">): string {
  const day = newYorkDay(createdAt.getTime()).replaceAll("-", "");
  return `${day}SLIPWAY1${String(number).padStart(6, "0").slice(-6)}`;
}

function fileOf({ reference, file }: Payment): string {
  assert(file, `${reference} came in a file`);
  return file;
}
