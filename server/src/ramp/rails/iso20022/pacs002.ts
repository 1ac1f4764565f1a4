import { newMessage, readMessage } from "./document.ts";
import { groupStatusAt, statusIn } from "./read-statuses.ts";
import { find, findAll, needId, needTimestamp, refuse } from "./reading.ts";
import type { WireStatusReport } from "./wire-file.ts";
import { groupElements, statusElement } from "./write-statuses.ts";
import { element, type XmlElement } from "./xml.ts";

/** Writes what became of wires as pacs.002.001.10. */
export function writePacs002(report: WireStatusReport): Buffer {
  const { messageId, originalMessageId, createdAt, group, statuses } = report;
  return newMessage("pacs.002", [
    element("GrpHdr", [element("MsgId", messageId), element("CreDtTm", createdAt)]),
    element("OrgnlGrpInfAndSts", [
      element("OrgnlMsgId", originalMessageId),
      element("OrgnlMsgNmId", "pain.001.001.09"),
      ...groupElements("GrpSts", group),
    ]),
    ...statuses.map(statusElement),
  ]).write();
}

/** Reads what became of wires: pacs.002 of any bank. */
export function readPacs002(bytes: Buffer): WireStatusReport {
  const message = readMessage(bytes, "pacs.002");
  const transactions = findAll(message, "TxInfAndSts");
  const original = find(message, "OrgnlGrpInfAndSts");
  const group = original && groupStatusAt(original, "GrpSts");
  if (!group && transactions.length === 0) refuse(message, "must have TxInfAndSts or GrpSts");
  return {
    messageId: needId(message, "GrpHdr/MsgId"),
    originalMessageId: originalIn(message),
    createdAt: needTimestamp(message, "GrpHdr/CreDtTm"),
    ...(group && { group }),
    statuses: transactions.map((transaction) => statusIn(transaction, group)),
  };
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
