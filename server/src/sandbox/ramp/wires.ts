import type { Transaction } from "../../database/database.ts";
import { asCents, type Cents } from "../../lib/money.ts";
import type { BankLine } from "../../ramp/rails/iso20022/wire-file.ts";
import { showReference } from "../../ramp/references.ts";
import type { OnRamp } from "../../ramp/transaction.ts";
import { leaveNotification } from "./bank/answers.ts";
import { bookLine } from "./bank/book-line.ts";
import { senderAccount } from "./bank/sandbox-bank.ts";

/** A wire that arrives at the sandbox's bank. */
export type ArrivingWire = {
  bankReference: string;
  cents: Cents;
  senderName: string;
  /** What stands on it; null is nothing. */
  text: string | null;
  /** How often the bank tells of it. */
  tellings: number;
  /** The bank does not say from which account it comes. */
  isAccountUntold?: boolean;
};

/** What is expected when the transaction itself does not say. */
const usualCents = asCents(100_00n);

/** Amounts of a few odd cents stand for what can go wrong with the wire that a transaction waits for. */
const oddWires: Record<string, (wire: ArrivingWire) => ArrivingWire> = {
  1: (wire) => ({ ...wire, cents: asCents((wire.cents * 9n) / 10n) }),
  3: (wire) => ({ ...wire, cents: asCents((wire.cents * 11n) / 10n) }),
  5: (wire) => ({ ...wire, text: null }),
  7: (wire) => ({ ...wire, senderName: "Third Party" }),
  9: (wire) => ({ ...wire, tellings: 2 }),
  11: (wire) => ({ ...wire, isAccountUntold: true }),
};

/** The odd amounts in words. */
export const oddWireMeanings = `Instead of an amount, a few odd cents choose what is wrong with the wire of the \
expected amount: \`0.01\` a tenth is missing, \`0.03\` it is a tenth too much, \`0.05\` no reference stands on it, \
\`0.07\` somebody else sent it, \`0.09\` the bank tells of it twice, \`0.11\` it does not say from which account it \
came.`;

/** The wire that a transaction waits for, with this amount or with what an odd amount stands for. */
export function wireFor(
  ramp: OnRamp,
  cents: Cents,
  wire: Pick<ArrivingWire, "bankReference" | "senderName">,
): ArrivingWire {
  const usual = { ...wire, text: showReference(ramp.reference), tellings: 1 };
  const odd = oddWires[String(cents)];
  const expected = ramp.cents ?? ramp.askedCents ?? usualCents;
  return odd ? odd({ ...usual, cents: expected }) : { ...usual, cents };
}

/** Lets a wire arrive: the bank has the money and tells of it. */
export async function receiveWire(tx: Transaction, wire: ArrivingWire, at: number): Promise<void> {
  const { bankReference: reference, cents, senderName: name, text, tellings } = wire;
  const account = wire.isAccountUntold ? { routingNumber: "", accountNumber: "" } : senderAccount;
  const line: BankLine = {
    ...{ reference, direction: "credit", cents, isReversal: false, bookedAt: at },
    ...{ endToEndId: null, counterparty: { name, ...account }, returnReason: null },
    texts: text === null ? [] : [text],
  };
  for (let telling = 0; telling < tellings; telling++) await leaveNotification(tx, line);
  await bookLine(tx, line);
}
