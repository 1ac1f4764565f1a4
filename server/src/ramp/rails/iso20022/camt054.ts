import { newMessage, readMessage } from "./document.ts";
import { readLines } from "./read-lines.ts";
import { accountAt, findAll, needId, needTimestamp, refuse } from "./reading.ts";
import type { BankNotification } from "./wire-file.ts";
import { accountElement, entryElement } from "./write-lines.ts";
import { element, type XmlElement } from "./xml.ts";

/** Stands for an account or an id where the schema asks for one and nobody gave one. */
const notProvided = "NOTPROVIDED";

/** Writes what happened on an account as camt.054.001.08. */
export function writeCamt054(notification: BankNotification): Buffer {
  const { messageId, createdAt, accountNumber = notProvided, lines } = notification;
  return newMessage("camt.054", [
    element("GrpHdr", [element("MsgId", messageId), element("CreDtTm", createdAt)]),
    element("Ntfctn", [
      element("Id", messageId),
      element("CreDtTm", createdAt),
      accountElement(accountNumber),
      ...lines.map(entryElement),
    ]),
  ]).write();
}

/** Reads what happened on an account: camt.054 of any bank. */
export function readCamt054(bytes: Buffer): BankNotification {
  const message = readMessage(bytes, "camt.054");
  const messageId = needId(message, "GrpHdr/MsgId");
  const createdAt = needTimestamp(message, "GrpHdr/CreDtTm");
  const accountNumber = onlyAccountIn(message);
  return {
    ...{ messageId, createdAt },
    ...(accountNumber !== undefined && { accountNumber }),
    lines: readLines(findAll(message, "Ntfctn/Ntry"), {
      id: messageId,
      createdAt: Date.parse(createdAt),
    }),
  };
}

/** What is told of two accounts at once cannot be taken for one. */
function onlyAccountIn(message: XmlElement): string | undefined {
  const numbers = findAll(message, "Ntfctn").map((each) => accountAt(each, "Acct") ?? notProvided);
  const [number, ...others] = new Set(numbers);
  if (others.length > 0) refuse(message, "must be about one account");
  return number === notProvided ? undefined : number;
}
