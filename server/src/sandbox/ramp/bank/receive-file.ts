import { hash } from "node:crypto";
import type { Transaction } from "../../../database/database.ts";
import { type Calendar, newYorkTime, nextOpenDay } from "../../../lib/calendar.ts";
import { ledgerAccounts } from "../../../ramp/ledger/accounts.ts";
import { achSettlement } from "../../../ramp/rails/bank/file-times.ts";
import { messageKindOf } from "../../../ramp/rails/iso20022/message-kind.ts";
import { readPain001 } from "../../../ramp/rails/iso20022/pain001.ts";
import type { WireFile, WireOrder } from "../../../ramp/rails/iso20022/wire-file.ts";
import type { AchFile } from "../../../ramp/rails/nacha/ach-file.ts";
import { achKindOf } from "../../../ramp/rails/nacha/file-kind.ts";
import { readAchFile } from "../../../ramp/rails/nacha/read-file.ts";
import { loadCalendar } from "../../../ramp/store/calendars.ts";
import type { PayoutId } from "../../../ramp/transaction.ts";
import { insertSentFile } from "../../store/bank-files.ts";
import { insertPayments, type Payment } from "../../store/payments.ts";
import { planEntry, planWire } from "../plan.ts";
import { leaveAcknowledgement, leaveStatuses, rejectedWire } from "./answers.ts";

type GivenFile = { name: string; bytes: Buffer };

/** Takes a file of ours: the bank will pay what is in it, and says that it has it. The same file again is nothing new. */
export async function receiveFile(tx: Transaction, given: GivenFile, at: number): Promise<void> {
  const { name, bytes } = given;
  const calendar = await loadCalendar(tx, "ACH");
  if (achKindOf(bytes) === "payments") {
    const file = readAchFile(bytes);
    const settlesOn = settlementDay(file, calendar, at);
    if (!(await isNew(tx, given, new Date(newYorkTime(settlesOn, 8, 30))))) return;
    const payments = achPayments(file, { name, settlesOn, calendar, at });
    await insertAll(tx, name, payments);
    await leaveAcknowledgement(tx, { name, bytes, payments }, at);
  } else if (messageKindOf(bytes) === "pain.001") {
    const file = readPain001(bytes);
    if (!(await isNew(tx, given, null))) return;
    const payments = wirePayments(file, calendar, at);
    await insertAll(tx, name, payments);
    const rejected = payments.filter(({ state }) => state === "refused");
    await leaveStatuses(tx, file.messageId, rejected.map(rejectedWire), at);
  } else {
    throw new Error(`the sandbox's bank cannot read ${name}`);
  }
}

/** Whether the bank has not had the file before. Another one under its name is no file at all. */
async function isNew(
  tx: Transaction,
  { name, bytes }: GivenFile,
  settlesAt: Date | null,
): Promise<boolean> {
  const sha256 = hash("sha256", bytes, "buffer");
  const known = await insertSentFile(tx, { name, sha256, settlesAt });
  if (known && !known.equals(sha256))
    throw new Error(`the sandbox's bank has another file named ${name}`);
  return known === undefined;
}

/** A payment in two files would be paid twice by most banks. This one takes no file with it. */
async function insertAll(
  tx: Transaction,
  name: string,
  payments: readonly Omit<Payment, "number">[],
): Promise<void> {
  const inserted = await insertPayments(tx, payments);
  if (inserted.length < payments.length)
    throw new Error(`the sandbox's bank has had payments of ${name} before, in another file`);
}

/** The day that the file asks for, or the next one on which that is possible. */
function settlementDay({ batches }: AchFile, calendar: Calendar, at: number): string {
  const wished = batches.map(({ effectiveOn }) => nextOpenDay(calendar, effectiveOn));
  const days = [achSettlement(calendar, at).on, ...wished];
  return days.reduce((one, other) => (other > one ? other : one));
}

function achPayments(
  { batches }: AchFile,
  {
    name,
    settlesOn,
    calendar,
    at,
  }: { name: string; settlesOn: string; calendar: Calendar; at: number },
): Omit<Payment, "number">[] {
  const entries = batches.flatMap((batch) => batch.entries);
  return entries.map((entry) => ({
    ...common(`pay-${entry.identification}`, entry.cents, at),
    ...{ rail: "ach", state: "taken", why: null, trace: entry.trace, file: name },
    plan: planEntry(entry, settlesOn, calendar),
  }));
}

function wirePayments(
  { messageId: file, orders }: WireFile,
  calendar: Calendar,
  at: number,
): Omit<Payment, "number">[] {
  return orders.map(({ endToEndId, cents, creditor }: WireOrder) => {
    const plan = planWire(creditor.accountNumber, at, calendar);
    // Its own name of what was sent is what a wire's end-to-end id is.
    const payment = { ...common(endToEndId as PayoutId, cents, at), trace: null, file };
    return "refused" in plan
      ? { ...payment, rail: "wire", state: "refused", why: plan.refused, plan: [] }
      : { ...payment, rail: "wire", state: "taken", why: null, plan: plan.planned };
  });
}

function common(reference: PayoutId, amount: bigint, at: number) {
  return { reference, account: ledgerAccounts.bank(), amount, createdAt: new Date(at) };
}
