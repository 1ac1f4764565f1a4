import { addDays, newYorkTime } from "../../../lib/calendar.ts";
import { asCents, formatCents } from "../../../lib/money.ts";
import { newMessage, readMessage } from "./document.ts";
import { readLines, sumOfLines } from "./read-lines.ts";
import {
  accountAt,
  codeAt,
  dayOrTimeAt,
  find,
  findAll,
  need,
  needId,
  needTimestamp,
  readCents,
  readDay,
  readDirection,
  refuse,
  timeAt,
} from "./reading.ts";
import type { BankStatement } from "./wire-file.ts";
import { accountElement, directionElement, entryElement } from "./write-lines.ts";
import { element, type XmlElement } from "./xml.ts";

/** Writes a statement of an account as camt.053.001.08. */
export function writeCamt053(statement: BankStatement): Buffer {
  const { id, createdAt, accountNumber, from, to, openingCents, closingCents, lines } = statement;
  return newMessage("camt.053", [
    element("GrpHdr", [element("MsgId", id), element("CreDtTm", createdAt)]),
    element("Stmt", [
      element("Id", id),
      element("CreDtTm", createdAt),
      element("FrToDt", [
        element("FrDtTm", new Date(from).toISOString()),
        element("ToDtTm", new Date(to).toISOString()),
      ]),
      accountElement(accountNumber),
      balanceElement("OPBD", openingCents, from),
      balanceElement("CLBD", closingCents, to),
      ...lines.map(entryElement),
    ]),
  ]).write();
}

/** Reads a statement of an account: camt.053 of any bank, with one statement in it, whose lines explain its balances. */
export function readCamt053(bytes: Buffer): BankStatement {
  const message = readMessage(bytes, "camt.053");
  const createdAt = needTimestamp(message, "GrpHdr/CreDtTm");
  const statement = need(message, "Stmt");
  const id = needId(statement, "Id");
  const opening = balanceOf(statement, "OPBD") ?? balanceOf(statement, "PRCD");
  const closing = balanceOf(statement, "CLBD");
  if (!opening || !closing) refuse(statement, "must have the balances OPBD or PRCD, and CLBD");
  const lines = readLines(findAll(statement, "Ntry"), { id, createdAt: Date.parse(createdAt) });
  const [openingCents, closingCents] = [centsIn(opening), centsIn(closing)];
  if (openingCents + sumOfLines(lines) !== closingCents)
    refuse(closing, "must be the opening balance with all booked entries");
  return {
    ...{ id, createdAt },
    accountNumber: accountAt(statement, "Acct") ?? refuse(statement, "must have an account"),
    ...periodOf(statement, opening, closing),
    ...{ openingCents, closingCents, lines },
  };
}

/** From when to when: as the bank says, or from the beginning of the first to the end of the last day. */
function periodOf(
  statement: XmlElement,
  opening: XmlElement,
  closing: XmlElement,
): Pick<BankStatement, "from" | "to"> {
  const from = timeAt(statement, "FrToDt/FrDtTm") ?? startOf(opening);
  const to = timeAt(statement, "FrToDt/ToDtTm") ?? endOf(closing);
  return from <= to ? { from, to } : refuse(statement, "must not end before it begins");
}

/** What was there at the end of a day is what the next one begins with. */
function startOf(opening: XmlElement): number {
  if (codeOf(opening) === "PRCD") return endOf(opening);
  return dayOrTimeAt(opening, "Dt") ?? refuse(opening, "must have a date");
}

function endOf(balance: XmlElement): number {
  const day = find(balance, "Dt/Dt");
  if (day) return newYorkTime(addDays(readDay(day), 1), 0);
  return timeAt(balance, "Dt/DtTm") ?? refuse(balance, "must have a date");
}

/** The only balance of a kind, if there is one. */
function balanceOf(statement: XmlElement, code: string): XmlElement | undefined {
  const [balance, second] = findAll(statement, "Bal").filter((each) => codeOf(each) === code);
  if (second) refuse(second, `must be the only balance ${code}`);
  return balance;
}

const codeOf = (balance: XmlElement): string | undefined => codeAt(balance, "Tp/CdOrPrtry");

/** Cents of a balance; what the account is overdrawn by is negative. */
function centsIn(balance: XmlElement): bigint {
  const cents = readCents(need(balance, "Amt"));
  return readDirection(need(balance, "CdtDbtInd")) === "credit" ? cents : -cents;
}

function balanceElement(code: string, cents: bigint, at: number): XmlElement {
  const isOverdrawn = cents < 0n;
  return element("Bal", [
    element("Tp", [element("CdOrPrtry", [element("Cd", code)])]),
    element("Amt", formatCents(asCents(isOverdrawn ? -cents : cents)), { Ccy: "USD" }),
    directionElement(isOverdrawn ? "debit" : "credit"),
    element("Dt", [element("DtTm", new Date(at).toISOString())]),
  ]);
}
