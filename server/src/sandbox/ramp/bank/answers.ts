import { hash } from "node:crypto";
import type { Transaction } from "../../../database/database.ts";
import { newYorkDay } from "../../../lib/calendar.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents } from "../../../lib/money.ts";
import { newYorkClock } from "../../../ramp/rails/bank/file-times.ts";
import { writeCamt053 } from "../../../ramp/rails/iso20022/camt053.ts";
import { writeCamt054 } from "../../../ramp/rails/iso20022/camt054.ts";
import { writePacs002 } from "../../../ramp/rails/iso20022/pacs002.ts";
import type {
  BankLine,
  BankStatement,
  WireStatus,
} from "../../../ramp/rails/iso20022/wire-file.ts";
import { writeAchReturns } from "../../../ramp/rails/nacha/write-returns.ts";
import { insertFile, nextFileNumber } from "../../store/bank-files.ts";
import type { Payment } from "../../store/payments.ts";
import { sandboxBank } from "./sandbox-bank.ts";

/** Says that the bank took a file of ACH payments, and how it understood it. */
export async function leaveAcknowledgement(
  tx: Transaction,
  file: { name: string; bytes: Buffer; payments: readonly Pick<Payment, "amount">[] },
  at: number,
): Promise<void> {
  const { name, bytes, payments } = file;
  const lines = [
    `file: ${name}`,
    `sha256: ${hash("sha256", bytes)}`,
    "status: accepted",
    `entries: ${payments.length}`,
    `cents: ${payments.reduce((sum, { amount }) => sum + amount, 0n)}`,
  ];
  const number = await nextFileNumber(tx);
  const content = Buffer.from(`${lines.join("\n")}\n`);
  await insertFile(tx, { number, name: `${name}.ack`, bytes: content, at: new Date(at) });
}

/** Says what became of wires of a file; of those that are not named, that they are worked on. */
export function leaveStatuses(
  tx: Transaction,
  originalMessageId: string,
  statuses: readonly WireStatus[],
  at: number,
): Promise<void> {
  return leave(tx, "statuses.xml", at, (messageId, createdAt) => {
    const group = { outcome: "pending", code: "ACSP", reason: null } as const;
    return writePacs002({ messageId, originalMessageId, createdAt, group, statuses });
  });
}

/** What is said of a wire that is not paid. */
export function rejectedWire({ reference, why }: Pick<Payment, "reference" | "why">): WireStatus {
  const verdict = { outcome: "rejected", code: "RJCT", reason: why } as const;
  return { endToEndId: reference, ...verdict, networkReference: null };
}

/** Says that something has happened on our account. */
export function leaveNotification(tx: Transaction, line: BankLine): Promise<void> {
  return leave(tx, "notification.xml", line.bookedAt, (messageId, createdAt) => {
    const { accountNumber } = sandboxBank;
    return writeCamt054({ messageId, createdAt, accountNumber, lines: [line] });
  });
}

/** Gives a statement of our account. */
export function leaveStatement(
  tx: Transaction,
  statement: Omit<BankStatement, "createdAt" | "accountNumber">,
): Promise<void> {
  return leave(tx, "statement.xml", statement.to, (_, createdAt) => {
    const { accountNumber } = sandboxBank;
    return writeCamt053({ ...statement, createdAt, accountNumber });
  });
}

/** Why an ACH payment comes back, or how its account should be written. */
type AchNews = { code: string } | { code: string; correctedData: string };

/** Says that an ACH payment comes back, or that its account should be written otherwise. */
export function leaveAchNews(
  tx: Transaction,
  payment: Payment,
  news: AchNews,
  at: number,
): Promise<void> {
  const { trace: originalTrace, amount } = payment;
  assert(originalTrace, "an ACH payment that came in a file has a trace");
  return leave(tx, "returns.ach", at, (_, __, number) => {
    const { routingNumber, bankName, companyId, companyName } = sandboxBank;
    const today = newYorkDay(at);
    const trace = `${receivingBank}${String(number).padStart(7, "0").slice(-7)}`;
    const entry = { originalTrace, trace };
    const isCorrection = "correctedData" in news;
    return writeAchReturns({
      origin: { routingNumber, name: bankName },
      destination: { id: companyId, name: companyName },
      ...{ createdOn: today, createdAt: newYorkClock(at).slice(0, 5), modifier: "A" },
      settledOn: today,
      returns: isCorrection ? [] : [{ ...entry, ...news, cents: asCents(amount), information: "" }],
      corrections: isCorrection ? [{ ...entry, ...news }] : [],
    });
  });
}

/** The bank of all customers, as far as this one cares. */
const receivingBank = "02100002";

/** Leaves a file whose name and message id are not used twice. */
async function leave(
  tx: Transaction,
  kind: string,
  at: number,
  write: (messageId: string, createdAt: string, number: bigint) => Buffer,
): Promise<void> {
  const number = await nextFileNumber(tx);
  const messageId = `sandbox-${number}`;
  const bytes = write(messageId, new Date(at).toISOString(), number);
  await insertFile(tx, { number, name: `${messageId}-${kind}`, bytes, at: new Date(at) });
}
