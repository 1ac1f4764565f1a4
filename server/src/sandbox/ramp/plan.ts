import { addOpenDays, type Calendar, newYorkDay, newYorkTime } from "../../lib/calendar.ts";
import type { AchEntry } from "../../ramp/rails/nacha/ach-file.ts";
import { writeCorrectedData } from "../../ramp/rails/nacha/corrected-data.ts";

/** Something that will happen to a payment, at this Unix time in milliseconds. */
export type Planned =
  | { kind: "settle"; at: number }
  | { kind: "return"; at: number; code: string }
  | { kind: "fail"; at: number; why: string }
  /** The receiver's bank wants the account to be written otherwise the next time. */
  | { kind: "correct"; at: number; code: string; correctedData: string };

/** What a payment will go through, or why the bank does not take it. */
export type Plan = { planned: readonly Planned[] } | { refused: string };

const minuteMs = 60_000;
const wireConfirmsAfterMs = 10 * minuteMs;
const chainSettlesAfterMs = minuteMs;

/** ACH returns by the end of the account number, and the open day after settlement on which they come. */
const achReturns: readonly { ending: string; code: string; openDays: number }[] = [
  { ending: "0002", code: "R02", openDays: 1 },
  { ending: "0003", code: "R03", openDays: 1 },
  { ending: "0004", code: "R04", openDays: 1 },
  { ending: "0016", code: "R16", openDays: 1 },
  { ending: "0020", code: "R20", openDays: 1 },
  { ending: "0023", code: "R23", openDays: 1 },
  // The window has closed the evening before.
  { ending: "0923", code: "R23", openDays: 3 },
];
/** An account that is checking when it is said to be savings, and the other way round. */
const correctedEnding = "0105";
/** Account numbers to which nothing can be paid, to which a wire is rejected on its way, and from which it comes back. */
const refusedEnding = "0099";
const rejectedEnding = "0098";
const sentBackEnding = "0097";
/** Addresses to which no transfer succeeds, in capitals or not. */
const failingEnding = "beef";

/** What happens to a transfer that is sent now. Certain endings of addresses bring trouble. */
export function planTransfer(to: string, at: number): Planned[] {
  const settlesAt = at + chainSettlesAfterMs;
  return to.toLowerCase().endsWith(failingEnding)
    ? [{ kind: "fail", at: settlesAt, why: "the transfer was reverted" }]
    : [{ kind: "settle", at: settlesAt }];
}

/** What happens to a wire that the bank gets now. Certain endings of account numbers bring trouble. */
export function planWire(accountNumber: string, at: number, calendar: Calendar): Plan {
  if (accountNumber.endsWith(refusedEnding))
    return { refused: "AC01 the bank cannot pay to this account" };
  const confirmsAt = at + wireConfirmsAfterMs;
  if (accountNumber.endsWith(rejectedEnding)) {
    const why = "AC06 the receiving bank rejected the wire";
    return { planned: [{ kind: "fail", at: confirmsAt, why }] };
  }
  const settle = { kind: "settle", at: confirmsAt } as const;
  if (!accountNumber.endsWith(sentBackEnding)) return { planned: [settle] };
  const backAt = newYorkTime(addOpenDays(calendar, newYorkDay(confirmsAt), 1), 9);
  return { planned: [settle, { kind: "return", at: backAt, code: "AC04" }] };
}

/** What happens to an ACH payment besides that it settles with its file. The same endings bring trouble. */
export function planEntry(
  { accountNumber, accountType }: Pick<AchEntry, "accountNumber" | "accountType">,
  settlesOn: string,
  calendar: Calendar,
): Planned[] {
  const dayAfter = (openDays: number) => addOpenDays(calendar, settlesOn, openDays);
  // Before the file settles: it is never paid.
  if (accountNumber.endsWith(refusedEnding))
    return [{ kind: "return", at: newYorkTime(settlesOn, 8), code: "R03" }];
  if (accountNumber.endsWith(correctedEnding)) {
    const right = accountType === "checking" ? "savings" : "checking";
    const correctedData = writeCorrectedData("C05", { accountType: right });
    return [{ kind: "correct", at: newYorkTime(dayAfter(1), 9), code: "C05", correctedData }];
  }
  const sentBack = achReturns.find(({ ending }) => accountNumber.endsWith(ending));
  if (!sentBack) return [];
  const { code, openDays } = sentBack;
  return [{ kind: "return", at: newYorkTime(dayAfter(openDays), 9), code }];
}
