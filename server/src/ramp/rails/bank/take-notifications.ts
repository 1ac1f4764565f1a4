import type { Transaction } from "../../../database/database.ts";
import { asCents, formatCents } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { readCamt054 } from "../iso20022/camt054.ts";
import type { BankLine, WireParty } from "../iso20022/wire-file.ts";
import type { BankEntry } from "../store/bank-entries.ts";
import { findSentFile } from "../store/bank-files.ts";
import { changeWireSender, insertWireSender } from "../store/wire-senders.ts";
import type { BankContext } from "./bank-profile.ts";
import { findNamedEntry, hearOfEntry } from "./entry-news.ts";
import { nothingTold, problem, type Reading, type Told, tellInOrder } from "./reading.ts";
import { partyFault } from "./wire-party.ts";

/** Reads a notification of what came to our account and left it. */
export function readNotification(context: BankContext, bytes: Buffer): Reading {
  const { accountNumber, lines } = readCamt054(bytes);
  checkAccount(context, accountNumber);
  return {
    format: "camt.054",
    entries: lines.length,
    cents: asCents(lines.reduce((sum, { cents }) => sum + cents, 0n)),
    take: (tx) => tellLines(tx, context, lines),
  };
}

/** What happens on another account than ours is no news. */
export function checkAccount({ bank }: BankContext, accountNumber = bank.accountNumber): void {
  if (accountNumber !== bank.accountNumber)
    throw new BadFile("the account", "is another one than ours");
}

/** Tells what follows from lines of a notification or statement. Lines that were told before change nothing. */
export function tellLines(
  tx: Transaction,
  context: BankContext,
  lines: readonly BankLine[],
): Promise<Told> {
  return tellInOrder(lines, async (line) => {
    const { endToEndId } = line;
    const entry = endToEndId === null ? undefined : await findNamedEntry(tx, endToEndId);
    if (isTakenBack(line)) return takenBack(line);
    if (await isForStatement(tx, line, entry)) return nothingTold;
    if (isIncoming(line)) return tellWire(tx, context, wireOf(line));
    return entry ? hearOfOwnWire(tx, context, line, entry) : notOurs(line);
  });
}

/** Sums of files, ACH payments and their returns: of these the bank tells with other files, and only books them here. */
async function isForStatement(
  tx: Transaction,
  { endToEndId }: BankLine,
  entry: BankEntry | undefined,
): Promise<boolean> {
  if (entry) return entry.rail === "ach";
  return endToEndId !== null && (await findSentFile(tx, endToEndId)) !== undefined;
}

/** A wire that came in. What the bank does not tell of its sender is empty. */
type IncomingWire = Pick<BankLine, "reference" | "cents" | "texts"> & {
  sender: WireParty;
  receivedAt: number;
};

/** Tells of a wire that came in and keeps who sent it. The bank's reference of it counts once. */
export async function tellWire(
  tx: Transaction,
  context: BankContext,
  { reference: bankReference, cents, texts, sender, receivedAt }: IncomingWire,
): Promise<Told> {
  const now = new Date(context.clock.now());
  const known = await insertWireSender(tx, context, { bankReference, sender, cents }, now);
  if (known?.cents === cents) {
    // A later notice, or the statement, may say of the sender what the first one did not.
    const isBetter = partyFault(known.sender) !== undefined && partyFault(sender) === undefined;
    if (isBetter) await changeWireSender(tx, context, { ...known, sender });
    return nothingTold;
  }
  if (known) {
    return problem(
      `the wire ${bankReference} is of ${formatCents(cents)} dollars, but was ${formatCents(known.cents)} before: the first counts, ask the bank`,
    );
  }
  const { name, accountNumber: senderAccount } = sender;
  const senderName = name === "" ? nobody : name;
  const wire = { bankReference, cents, senderName, senderAccount, texts, at: receivedAt };
  return { notices: [{ kind: "wire_received", ...wire }], problems: [] };
}

/** Somebody whom the bank does not name: no customer's name, and no name to screen. */
const nobody = "UNKNOWN";
const unknownParty: WireParty = { name: "", routingNumber: "", accountNumber: "" };

function wireOf({ counterparty, bookedAt, ...line }: BankLine): IncomingWire {
  return { ...line, sender: counterparty ?? unknownParty, receivedAt: bookedAt };
}

/** Whether a line is a wire that somebody sent us. */
export function isIncoming(line: BankLine): boolean {
  return line.direction === "credit" && !isComingBack(line);
}

/** Whether the bank itself says that a line takes another one back. */
function isComingBack({ isReversal, returnReason }: BankLine): boolean {
  return isReversal || returnReason !== null;
}

/** A wire of ours went out, or came back. */
async function hearOfOwnWire(
  tx: Transaction,
  context: BankContext,
  line: BankLine,
  { trace, payoutId, cents }: BankEntry,
): Promise<Told> {
  if (line.cents !== cents) {
    return problem(
      `line ${line.reference} is of ${formatCents(line.cents)} dollars, but ${payoutId} of ${formatCents(cents)}: nothing was changed, ask the bank`,
    );
  }
  if (line.direction === "debit")
    return hearOfEntry(tx, context, trace, { outcome: "settled", networkReference: null });
  const code = line.returnReason ?? "REVERSED";
  return hearOfEntry(tx, context, trace, { outcome: "returned", code });
}

/** Fees and the like are for the statement; money that comes back from nowhere is for a person. */
function notOurs({ direction, reference, cents }: BankLine): Told {
  if (direction === "debit") return nothingTold;
  return problem(
    `line ${reference} brings ${formatCents(cents)} dollars back that belong to no payment of ours: ask the bank`,
  );
}

/** Whether the bank takes money from us that it had given us. */
function isTakenBack(line: BankLine): boolean {
  return line.direction === "debit" && isComingBack(line);
}

function takenBack({ reference, cents }: BankLine): Told {
  return problem(
    `line ${reference} takes ${formatCents(cents)} dollars back from us: ask the bank what for, and stop what they paid for`,
  );
}
