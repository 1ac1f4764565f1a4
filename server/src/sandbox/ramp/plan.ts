import {
  addOpenDays,
  type Calendar,
  newYorkDay,
  newYorkTime,
  nextOpenDay,
} from "../../lib/calendar.ts";
import type { PayoutInstruction } from "../../ramp/ports.ts";

/** Something that will happen to a payment, at this Unix time in milliseconds. */
export type Planned =
  | { kind: "settle"; at: number }
  | { kind: "return"; at: number; code: string }
  | { kind: "fail"; at: number; why: string };

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
/** Account numbers that the bank refuses at once, and to which a wire is rejected on its way. */
const refusedEnding = "0099";
const rejectedEnding = "0098";
/** Addresses to which no transfer succeeds, in capitals or not. */
const failingEnding = "beef";

/** Decides what happens to a payment handed over at this time. Certain endings of accounts and addresses bring trouble. */
export function planPayment(instruction: PayoutInstruction, at: number, calendar: Calendar): Plan {
  if (instruction.rail === "chain") return planTransfer(instruction.to, at);
  if ("returns" in instruction)
    return { planned: [{ kind: "settle", at: at + wireConfirmsAfterMs }] };
  const { accountNumber } = instruction.to;
  if (accountNumber.endsWith(refusedEnding))
    return { refused: "the bank cannot pay to this account" };
  return instruction.rail === "ach"
    ? planEntry(accountNumber, at, calendar)
    : planWire(accountNumber, at);
}

function planTransfer(to: string, at: number): Plan {
  const settlesAt = at + chainSettlesAfterMs;
  return to.toLowerCase().endsWith(failingEnding)
    ? { planned: [{ kind: "fail", at: settlesAt, why: "the transfer was reverted" }] }
    : { planned: [{ kind: "settle", at: settlesAt }] };
}

function planWire(accountNumber: string, at: number): Plan {
  const confirmsAt = at + wireConfirmsAfterMs;
  return accountNumber.endsWith(rejectedEnding)
    ? { planned: [{ kind: "fail", at: confirmsAt, why: "the receiving bank rejected the wire" }] }
    : { planned: [{ kind: "settle", at: confirmsAt }] };
}

/** An ACH entry settles in the morning after its file; a return comes in a later morning. */
function planEntry(accountNumber: string, at: number, calendar: Calendar): Plan {
  const fileDay = nextOpenDay(calendar, newYorkDay(at));
  const settlesOn = addOpenDays(calendar, fileDay, 1);
  const settle = { kind: "settle", at: newYorkTime(settlesOn, 8, 30) } as const;
  const sentBack = achReturns.find(({ ending }) => accountNumber.endsWith(ending));
  if (!sentBack) return { planned: [settle] };
  const returnsAt = newYorkTime(addOpenDays(calendar, settlesOn, sentBack.openDays), 9);
  return { planned: [settle, { kind: "return", at: returnsAt, code: sentBack.code }] };
}
