import { assert } from "../../../lib/errors.ts";
import { newMessage, readMessage } from "./document.ts";
import {
  codeAt,
  find,
  findAll,
  idAt,
  need,
  needId,
  needText,
  needTimestamp,
  refuse,
  textAt,
} from "./reading.ts";
import { wireText } from "./text.ts";
import type { WireGroupStatus, WireStatus, WireStatusReport } from "./wire-file.ts";
import { element, type XmlElement } from "./xml.ts";

/** What each code comes to: the money has gone, it may still, or it will not. */
const outcomes: ReadonlyMap<string, WireStatus["outcome"]> = new Map([
  ["ACSC", "settled"],
  ["ACCC", "settled"],
  ["RCVD", "pending"],
  ["PDNG", "pending"],
  ["ACTC", "pending"],
  ["ACCP", "pending"],
  ["ACSP", "pending"],
  ["ACWC", "pending"],
  ["ACFC", "pending"],
  ["ACWP", "pending"],
  ["RJCT", "rejected"],
  ["CANC", "rejected"],
]);

/** Some of the wires are one thing and some another: each is told by itself. */
const partly = "PART";

/** How Fedwire names a wire: a day, an endpoint and a number. */
const imadForm = /^[0-9]{8}[0-9A-Z]{8}[0-9]{6}$/;
const reasonForm = /^([A-Z]{2}[0-9]{2})(?: (.+))?$/s;
const additionLengthMost = 105;

/** Writes what became of wires as pacs.002.001.10. */
export function writePacs002(report: WireStatusReport): Buffer {
  const { messageId, originalMessageId, createdAt, group, statuses } = report;
  return newMessage("pacs.002", [
    element("GrpHdr", [element("MsgId", messageId), element("CreDtTm", createdAt)]),
    element("OrgnlGrpInfAndSts", [
      element("OrgnlMsgId", originalMessageId),
      element("OrgnlMsgNmId", "pain.001.001.09"),
      group && element("GrpSts", checked(group).code),
      group && reasonElement(group.reason),
    ]),
    ...statuses.map(statusElement),
  ]).write();
}

/** Reads what became of wires: pacs.002 of any bank. */
export function readPacs002(bytes: Buffer): WireStatusReport {
  const message = readMessage(bytes, "pacs.002");
  const transactions = findAll(message, "TxInfAndSts");
  const group = groupIn(message);
  if (!group && transactions.length === 0) refuse(message, "must have TxInfAndSts or GrpSts");
  return {
    messageId: needId(message, "GrpHdr/MsgId"),
    originalMessageId: originalIn(message),
    createdAt: needTimestamp(message, "GrpHdr/CreDtTm"),
    ...(group && { group }),
    statuses: transactions.map((transaction) => statusIn(transaction, group)),
  };
}

/** What is said of all wires of the file at once. */
function groupIn(message: XmlElement): WireGroupStatus | undefined {
  const group = find(message, "OrgnlGrpInfAndSts");
  if (!group || (textAt(group, "GrpSts") ?? partly) === partly) return undefined;
  return { ...verdictAt(group, "GrpSts"), reason: reasonIn(group) };
}

/** Which message is answered. A report about two could be taken for one about either. */
function originalIn(message: XmlElement): string {
  const group = find(message, "OrgnlGrpInfAndSts");
  if (group) return needId(group, "OrgnlMsgId");
  const groups = findAll(message, "TxInfAndSts/OrgnlGrpInf");
  const [id, ...others] = new Set(groups.map((each) => needId(each, "OrgnlMsgId")));
  if (id === undefined || others.length > 0) refuse(message, "must have one OrgnlMsgId");
  return id;
}

/** What is said of a wire, by itself or with all others. */
function statusIn(transaction: XmlElement, group: WireGroupStatus | undefined): WireStatus {
  const isGroups = group && !find(transaction, "TxSts");
  const { outcome, code } = isGroups ? group : verdictAt(transaction, "TxSts");
  return {
    endToEndId: needId(transaction, "OrgnlEndToEndId"),
    ...{ outcome, code },
    reason: reasonIn(transaction) ?? (isGroups ? group.reason : null),
    networkReference: idAt(transaction, "ClrSysRef") ?? imadIn(transaction) ?? null,
  };
}

function verdictAt(element: XmlElement, path: string): Pick<WireStatus, "outcome" | "code"> {
  const code = needText(element, path);
  const outcome = outcomes.get(code) ?? refuse(need(element, path), "must be a code that is known");
  return { outcome, code };
}

/** Codes with what the bank adds to them, one after the other. */
function reasonIn(element: XmlElement): string | null {
  const reasons = findAll(element, "StsRsnInf").map((information) => {
    const additions = findAll(information, "AddtlInf").map(({ text }) => text.trim());
    return [codeAt(information, "Rsn") ?? "", ...additions].filter(Boolean).join(" ");
  });
  return reasons.filter(Boolean).join("; ") || null;
}

/** Banks have no agreed place for Fedwire's own name of a wire, but its form is unmistakable. */
function imadIn({ text, children }: XmlElement): string | undefined {
  const own = text.trim();
  if (imadForm.test(own)) return own;
  return children.map(imadIn).find((found) => found !== undefined);
}

function statusElement(status: WireStatus): XmlElement {
  const { endToEndId, code, reason, networkReference } = checked(status);
  return element("TxInfAndSts", [
    element("OrgnlEndToEndId", endToEndId),
    element("TxSts", code),
    reasonElement(reason),
    networkReference === null ? undefined : element("ClrSysRef", networkReference),
  ]);
}

function reasonElement(reason: string | null): XmlElement | undefined {
  if (reason === null) return undefined;
  const [, code, addition = ""] = reasonForm.exec(reason) ?? ["", undefined, reason];
  const text = wireText(addition, additionLengthMost);
  return element("StsRsnInf", [
    code === undefined ? undefined : element("Rsn", [element("Cd", code)]),
    text === "" ? undefined : element("AddtlInf", text),
  ]);
}

function checked<Status extends Pick<WireStatus, "outcome" | "code">>(status: Status): Status {
  assert(outcomes.get(status.code) === status.outcome, "the code says what the outcome says");
  return status;
}
