import { BadFile } from "../file-exchange.ts";
import { element, parseXml, writeXml, type XmlElement } from "./xml.ts";

/** The messages that we and the bank write to each other. */
export type MessageKind = "pain.001" | "pain.002" | "pacs.002" | "camt.054" | "camt.053";

/** What each is called inside of its document, which version we write, and which we read. */
const messages: Readonly<Record<MessageKind, { name: string; version: string; reads: RegExp }>> = {
  "pain.001": { name: "CstmrCdtTrfInitn", version: "09", reads: /^09$/ },
  "pain.002": { name: "CstmrPmtStsRpt", version: "10", reads: /^(?:0[3-9]|1[0-4])$/ },
  "pacs.002": { name: "FIToFIPmtStsRpt", version: "10", reads: /^(?:0[2-9]|1[0-3])$/ },
  "camt.054": { name: "BkToCstmrDbtCdtNtfctn", version: "08", reads: /^(?:0[2-9]|1[0-3])$/ },
  "camt.053": { name: "BkToCstmrStmt", version: "08", reads: /^(?:0[2-9]|1[0-3])$/ },
};

const namespaceStart = "urn:iso:std:iso:20022:tech:xsd:";
const namespaceForm = new RegExp(`^${namespaceStart}([a-z]{4}\\.[0-9]{3})\\.001\\.([0-9]{2})$`);

/** Reads a file as a document with a message of this kind, and gives the message. */
export function readMessage(bytes: Buffer, kind: MessageKind): XmlElement {
  const document = documentIn(parseXml(bytes));
  if (!document) throw new BadFile("XML", "must have a Document");
  const { name, reads } = messages[kind];
  const [, found, version = ""] = namespaceForm.exec(document.namespace) ?? [];
  if (found !== kind || !reads.test(version))
    throw new BadFile("Document", `must be of a namespace of ${kind} that is known`);
  const [message, ...others] = document.children;
  const isAlone = others.length === 0 && message?.namespace === document.namespace;
  if (!isAlone || message.name !== name) throw new BadFile("Document", `must have one ${name}`);
  return message;
}

/** A message as it goes into a document. */
export function newMessage(kind: MessageKind, content: readonly (XmlElement | undefined)[]) {
  const message = element(messages[kind].name, content);
  const document = element("Document", [message]);
  const namespace = `${namespaceStart}${kind}.001.${messages[kind].version}`;
  return { message, write: () => writeXml(document, namespace) };
}

/** Which message a document holds: by its namespace, or else by the message's name. */
export function kindIn(root: XmlElement): MessageKind | undefined {
  const document = documentIn(root);
  const [, found] = namespaceForm.exec(document?.namespace ?? "") ?? [];
  const names = document?.children.map(({ name }) => name) ?? [];
  const kinds = Object.entries(messages) as [MessageKind, { name: string }][];
  return (kinds.find(([kind]) => kind === found) ??
    kinds.find(([, { name }]) => names.includes(name)))?.[0];
}

/** The document itself, or the only one in an envelope. */
function documentIn(root: XmlElement): XmlElement | undefined {
  if (root.name === "Document") return root;
  const documents = root.children.filter(({ name }) => name === "Document");
  return documents.length === 1 ? documents[0] : undefined;
}
