import { formatCents } from "../../../lib/money.ts";
import { counterpartyRole } from "./read-lines.ts";
import { wireText } from "./text.ts";
import type { BankLine, WireParty } from "./wire-file.ts";
import { element, type XmlElement } from "./xml.ts";

const textLengthMost = 140;

/** A line as a booked entry with the details of one payment. */
export function entryElement(line: BankLine): XmlElement {
  const { reference, cents, direction, isReversal, bookedAt } = line;
  return element("Ntry", [
    element("Amt", formatCents(cents), { Ccy: "USD" }),
    directionElement(direction),
    isReversal ? element("RvslInd", "true") : undefined,
    element("Sts", [element("Cd", "BOOK")]),
    element("BookgDt", [element("DtTm", new Date(bookedAt).toISOString())]),
    element("AcctSvcrRef", reference),
    transactionCodeElement(line),
    element("NtryDtls", [detailsElement(line)]),
  ]);
}

/** Whether money came in or went out. */
export function directionElement(direction: BankLine["direction"]): XmlElement {
  return element("CdtDbtInd", direction === "credit" ? "CRDT" : "DBIT");
}

/** An account of this bank. */
export function accountElement(accountNumber: string): XmlElement {
  return element("Acct", [
    element("Id", [element("Othr", [element("Id", accountNumber)])]),
    element("Ccy", "USD"),
  ]);
}

/** A credit transfer, received or issued; one that came back stays what it was. */
function transactionCodeElement({ direction, returnReason }: BankLine): XmlElement {
  const isIssued = (direction === "debit") === (returnReason === null);
  return element("BkTxCd", [
    element("Domn", [
      element("Cd", "PMNT"),
      element("Fmly", [
        element("Cd", isIssued ? "ICDT" : "RCDT"),
        element("SubFmlyCd", returnReason === null ? "OTHR" : "RRTN"),
      ]),
    ]),
  ]);
}

function detailsElement(line: BankLine): XmlElement {
  const { reference, endToEndId, cents, direction, counterparty, returnReason } = line;
  const role = counterpartyRole(line);
  return element("TxDtls", [
    element("Refs", [
      element("AcctSvcrRef", reference),
      element("EndToEndId", endToEndId ?? "NOTPROVIDED"),
    ]),
    element("Amt", formatCents(cents), { Ccy: "USD" }),
    directionElement(direction),
    counterparty ? partiesElement(role, counterparty) : undefined,
    counterparty?.routingNumber ? agentsElement(role, counterparty.routingNumber) : undefined,
    remittanceElement(line),
    returnReason === null
      ? undefined
      : element("RtrInf", [element("Rsn", [element("Cd", returnReason)])]),
  ]);
}

function partiesElement(role: string, { name, accountNumber }: WireParty): XmlElement | undefined {
  const plainName = wireText(name, textLengthMost);
  if (plainName === "" && accountNumber === "") return undefined;
  return element("RltdPties", [
    plainName === "" ? undefined : element(role, [element("Pty", [element("Nm", plainName)])]),
    accountNumber === ""
      ? undefined
      : element(`${role}Acct`, [element("Id", [element("Othr", [element("Id", accountNumber)])])]),
  ]);
}

function agentsElement(role: string, routingNumber: string): XmlElement {
  const member = element("ClrSysMmbId", [
    element("ClrSysId", [element("Cd", "USABA")]),
    element("MmbId", routingNumber),
  ]);
  return element("RltdAgts", [element(`${role}Agt`, [element("FinInstnId", [member])])]);
}

/** What the sender wrote. The id has a place of its own. */
function remittanceElement({ texts, endToEndId }: BankLine): XmlElement | undefined {
  const written = texts
    .filter((text) => text !== endToEndId)
    .map((text) => wireText(text, textLengthMost))
    .filter(Boolean);
  if (written.length === 0) return undefined;
  return element(
    "RmtInf",
    written.map((text) => element("Ustrd", text)),
  );
}
