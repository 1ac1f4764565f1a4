import type { Cents } from "../../../lib/money.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import {
  accountAt,
  codeAt,
  dayOrTimeAt,
  find,
  findAll,
  idAt,
  need,
  readCents,
  readDirection,
  refuse,
  textAt,
} from "./reading.ts";
import type { BankLine, WireParty } from "./wire-file.ts";
import type { XmlElement } from "./xml.ts";

/** What every line of a message may fall back on. */
type Message = { id: string; createdAt: number };

/** What the lines of an entry have in common. */
type Entry = {
  element: XmlElement;
  direction: BankLine["direction"];
  cents: Cents;
  isReversal: boolean;
  bookedAt: number;
  /** The bank's reference of the whole entry, if it has one. */
  reference: string | undefined;
  /** What we can call it instead, which no other message does. */
  place: string;
};

const nameLengthMost = 140;
const textLengthMost = 500;

/** The lines of the entries of a notification or statement: only what is booked, and moves money. */
export function readLines(entries: readonly XmlElement[], message: Message): BankLine[] {
  const lines = entries.flatMap((element, index) =>
    isBooked(element) ? linesOf(entryIn(element, index + 1, message)) : [],
  );
  refuseTwice(entries, lines);
  return lines.filter(({ cents }) => cents > 0n);
}

/** Cents by which lines change a balance. */
export function sumOfLines(lines: readonly Pick<BankLine, "direction" | "cents">[]): bigint {
  return lines.reduce(
    (total, { direction, cents }) => total + (direction === "credit" ? cents : -cents),
    0n,
  );
}

const notBooked: readonly string[] = ["PDNG", "INFO", "FUTR"];

/** What is pending, or only told, comes again when it is booked. */
function isBooked(entry: XmlElement): boolean {
  const status = codeAt(entry, "Sts") ?? textAt(entry, "Sts");
  if (status === "BOOK") return true;
  if (status !== undefined && notBooked.includes(status)) return false;
  return refuse(entry, "must have a Sts that is known");
}

function entryIn(element: XmlElement, position: number, message: Message): Entry {
  const bookedAt = dayOrTimeAt(element, "BookgDt") ?? dayOrTimeAt(element, "ValDt");
  return {
    element,
    direction: readDirection(need(element, "CdtDbtInd")),
    cents: readCents(need(element, "Amt")),
    isReversal: isReversal(element),
    bookedAt: bookedAt ?? message.createdAt,
    reference: referenceOf(element),
    place: `${message.id}/${idAt(element, "NtryRef") ?? position}`,
  };
}

/** The bank's own reference, or that of the network: both are the same in every message about the entry. */
function referenceOf(entry: XmlElement): string | undefined {
  const payments = findAll(entry, "NtryDtls/TxDtls");
  const [only] = payments.length === 1 ? payments : [];
  const own = only && (idAt(only, "Refs/AcctSvcrRef") ?? idAt(only, "Refs/ClrSysRef"));
  return idAt(entry, "AcctSvcrRef") ?? own ?? (only && uetrIn(only));
}

/** The name that a payment has on all of its way through the world. */
function uetrIn(details: XmlElement): string | undefined {
  const uetr = textAt(details, "Refs/UETR");
  return uetr !== undefined && /^[0-9a-f-]{36}$/.test(uetr) ? uetr : undefined;
}

/** A credit that is named after its place would count again in the next message. Debits are known by our own ids. */
function needReference({ element, direction, reference, place }: Entry): string {
  if (reference !== undefined) return reference;
  return direction === "debit" ? place : refuse(element, "must have AcctSvcrRef, to count once");
}

/** One line for each payment of a booked batch when their amounts are told, otherwise one for the sum. */
function linesOf(entry: Entry): BankLine[] {
  const payments = findAll(entry.element, "NtryDtls/TxDtls");
  const isSplit = payments.length > 1 && payments.some(amountIn);
  if (isSplit) return paymentLines(entry, payments);
  return entry.cents > 0n ? [sumLine(entry, payments)] : [];
}

function paymentLines(entry: Entry, payments: readonly XmlElement[]): BankLine[] {
  const references = payments.map((payment) => idAt(payment, "Refs/AcctSvcrRef"));
  // Some banks repeat the entry's reference in each payment.
  const areOwn = new Set(references).size === payments.length;
  const lines = payments.map((payment, index) => {
    const own = areOwn ? references[index] : undefined;
    const reference = own ?? `${needReference(entry)}/${index + 1}`;
    const amount = amountIn(payment) ?? refuse(payment, "must have an Amt, as another has");
    const direction = directionIn(payment) ?? entry.direction;
    return detailLine({ ...entry, reference, direction, cents: readCents(amount) }, payment);
  });
  if (sumOfLines(lines) !== sumOfLines([entry]))
    refuse(entry.element, "must have payments that add up to its Amt");
  return lines;
}

/** Where a payment's amount is: in its details, or, in older versions, among other amounts. */
function amountIn(details: XmlElement): XmlElement | undefined {
  return find(details, "Amt") ?? find(details, "AmtDtls/TxAmt/Amt");
}

function directionIn(details: XmlElement): BankLine["direction"] | undefined {
  const indicator = find(details, "CdtDbtInd");
  return indicator && readDirection(indicator);
}

/** A line for a whole entry. The account moved by the entry's amount, whatever its details add about fees. */
function sumLine(entry: Entry, details: readonly XmlElement[]): BankLine {
  const addition = clean(textAt(entry.element, "AddtlNtryInf"));
  const [only, second] = details;
  if (only && !second) {
    const line = detailLine(entry, only);
    return { ...line, texts: distinct([...line.texts, addition]) };
  }
  const batch = batchIn(entry.element);
  const [returnReason = null] = details.flatMap((each) => returnReasonIn(each) ?? []);
  return {
    ...shared(entry),
    ...{ endToEndId: batch ?? null, counterparty: null, returnReason },
    texts: distinct([batch, ...details.flatMap(textsIn), addition]),
  };
}

/** What we called the payments of a booked batch: with one name, it is a file of ours. */
function batchIn(entry: XmlElement): string | undefined {
  const [batch, second] = findAll(entry, "NtryDtls/Btch");
  if (!batch || second) return undefined;
  return idAt(batch, "PmtInfId") ?? idAt(batch, "MsgId");
}

function detailLine(entry: Entry, details: XmlElement): BankLine {
  const returnReason = returnReasonIn(details);
  return {
    ...shared(entry),
    endToEndId: endToEndIdIn(details) ?? null,
    counterparty: partyIn(details, counterpartyRole({ ...entry, returnReason })),
    returnReason,
    texts: distinct(textsIn(details)),
  };
}

/** Which party is not us. What comes back still names those between whom it went in the first place. */
export function counterpartyRole({
  direction,
  isReversal,
  returnReason,
}: Pick<BankLine, "direction" | "isReversal" | "returnReason">): "Dbtr" | "Cdtr" {
  const isBack = isReversal || returnReason !== null;
  return (direction === "credit") === isBack ? "Cdtr" : "Dbtr";
}

function shared(entry: Entry) {
  const { direction, cents, isReversal, bookedAt } = entry;
  return { reference: needReference(entry), direction, cents, isReversal, bookedAt };
}

const yesAndNo: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function isReversal(entry: XmlElement): boolean {
  const indicator = find(entry, "RvslInd");
  if (!indicator) return false;
  return yesAndNo.get(indicator.text.trim()) ?? refuse(indicator, "must be true or false");
}

/** What the sender called the payment; there is a word for having called it nothing. */
function endToEndIdIn(details: XmlElement): string | undefined {
  const id = idAt(details, "Refs/EndToEndId");
  return id?.toUpperCase() === "NOTPROVIDED" ? undefined : id;
}

/** A return whose reason is not told has the code for that. */
function returnReasonIn(details: XmlElement): string | null {
  const information = find(details, "RtrInf");
  return information ? (codeAt(information, "Rsn") ?? "MS03") : null;
}

function partyIn(details: XmlElement, role: "Dbtr" | "Cdtr"): WireParty | null {
  const party = `RltdPties/${role}`;
  const name = textAt(details, `${party}/Pty/Nm`) ?? textAt(details, `${party}/Nm`);
  const accountNumber = accountAt(details, `${party}Acct`);
  const routingNumber = routingNumberIn(details, `RltdAgts/${role}Agt/FinInstnId/ClrSysMmbId`);
  if (!name && !accountNumber && !routingNumber) return null;
  return {
    name: name?.slice(0, nameLengthMost) ?? "",
    routingNumber: routingNumber ?? "",
    accountNumber: accountNumber ?? "",
  };
}

/** Banks abroad have numbers of other clearing systems, or none. */
function routingNumberIn(details: XmlElement, path: string): string | undefined {
  const number = textAt(details, `${path}/MmbId`);
  const system = codeAt(details, `${path}/ClrSysId`) ?? "USABA";
  return number !== undefined && system === "USABA" && !routingNumberFault(number)
    ? number
    : undefined;
}

const textPaths: readonly string[] = [
  "RmtInf/Ustrd",
  "RmtInf/Strd/CdtrRefInf/Ref",
  "RmtInf/Strd/RfrdDocInf/Nb",
  "RmtInf/Strd/AddtlRmtInf",
  "AddtlTxInf",
];

/** Everything that the sender may have written a reference into. */
function textsIn(details: XmlElement): (string | undefined)[] {
  const texts = textPaths.flatMap((path) => findAll(details, path)).map(({ text }) => clean(text));
  return [endToEndIdIn(details), ...texts];
}

const clean = (text: string | undefined): string | undefined =>
  text?.trim().slice(0, textLengthMost);

const distinct = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text ? [text] : []))),
];

/** Two credits under one reference would be taken for one. What takes a payment back may have its reference. */
function refuseTwice(entries: readonly XmlElement[], lines: readonly BankLine[]): void {
  const credits = lines.filter(
    ({ direction, isReversal, returnReason }) =>
      direction === "credit" && !isReversal && returnReason === null,
  );
  const place = entries[0]?.parent;
  if (place && new Set(credits.map(({ reference }) => reference)).size < credits.length)
    refuse(place, "must have a reference of its own for each credit");
}
