import { assert } from "../../../lib/errors.ts";
import { asCents, formatCents, parseDecimal } from "../../../lib/money.ts";
import { BadFile } from "../file-exchange.ts";
import { newMessage, readMessage } from "./document.ts";
import { painShape } from "./pain001-shape.ts";
import { findAll, need } from "./reading.ts";
import { type Fault, faultAt, shapeFault } from "./shape.ts";
import type { WireFile, WireOrder, WireParty } from "./wire-file.ts";
import { element, type XmlElement } from "./xml.ts";

/** Writes wires as pain.001.001.09. Names and remittances are fit for a wire already, by `wireText`. */
export function writePain001(file: WireFile): Buffer {
  const { messageId, createdAt, executionOn, debtor, orders } = file;
  const totals = () => [
    element("NbOfTxs", String(orders.length)),
    element("CtrlSum", formatCents(sumOf(orders))),
  ];
  const { message, write } = newMessage("pain.001", [
    element("GrpHdr", [
      element("MsgId", messageId),
      element("CreDtTm", createdAt),
      ...totals(),
      element("InitgPty", [element("Nm", debtor.name)]),
    ]),
    element("PmtInf", [
      element("PmtInfId", messageId),
      element("PmtMtd", "TRF"),
      element("BtchBookg", "false"),
      ...totals(),
      element("PmtTpInf", [element("SvcLvl", [element("Cd", "URGP")])]),
      element("ReqdExctnDt", [element("Dt", executionOn)]),
      element("Dbtr", [element("Nm", debtor.name)]),
      accountElement("DbtrAcct", debtor),
      agentElement("DbtrAgt", debtor),
      // The receiver gets all of it: what the wire costs is ours.
      element("ChrgBr", "DEBT"),
      ...orders.map(transferElement),
    ]),
  ]);
  const fault = painFault(message);
  assert(!fault, `wires can be written: ${fault?.where} ${fault?.why}`);
  return write();
}

/** Reads pain.001.001.09 as we write it: anything else in it is refused. */
export function readPain001(bytes: Buffer): WireFile {
  const message = readMessage(bytes, "pain.001");
  const fault = painFault(message);
  if (fault) throw new BadFile(fault.where, fault.why);
  return fileIn(message);
}

/** What is wrong with a message: in its elements, or in what they say of each other. */
function painFault(message: XmlElement): Fault | undefined {
  const fault = shapeFault(message, painShape);
  if (fault) return fault;
  const file = fileIn(message);
  const total = formatCents(sumOf(file.orders));
  const expected: [path: string, text: string][] = [
    ["GrpHdr/NbOfTxs", String(file.orders.length)],
    ["GrpHdr/CtrlSum", total],
    ["GrpHdr/InitgPty/Nm", file.debtor.name],
    ["PmtInf/PmtInfId", file.messageId],
    ["PmtInf/NbOfTxs", String(file.orders.length)],
    ["PmtInf/CtrlSum", total],
  ];
  const wrong = expected.find(([path, text]) => valueAt(message, path) !== text);
  if (wrong) return faultAt(need(message, wrong[0]), `must be ${wrong[1]}`);
  return twiceFault(message);
}

/** An id that comes twice would be answered for once. */
function twiceFault(message: XmlElement): Fault | undefined {
  const ids = findAll(message, "PmtInf/CdtTrfTxInf/PmtId/EndToEndId");
  const seen = new Set<string>();
  const twice = ids.find(({ text }) => seen.has(text) || !seen.add(text));
  return twice && faultAt(twice, "must be unique");
}

/** What a message of the right shape says. */
function fileIn(message: XmlElement): WireFile {
  const payment = need(message, "PmtInf");
  return {
    messageId: valueAt(message, "GrpHdr/MsgId"),
    createdAt: valueAt(message, "GrpHdr/CreDtTm"),
    executionOn: valueAt(payment, "ReqdExctnDt/Dt"),
    debtor: partyIn(payment, "Dbtr"),
    orders: findAll(payment, "CdtTrfTxInf").map(orderIn),
  };
}

function orderIn(transfer: XmlElement): WireOrder {
  const cents = parseDecimal(valueAt(transfer, "Amt/InstdAmt"), 2);
  assert(cents !== undefined, "an amount has two decimals");
  return {
    endToEndId: valueAt(transfer, "PmtId/EndToEndId"),
    cents: asCents(cents),
    creditor: partyIn(transfer, "Cdtr"),
    remittance: findAll(transfer, "RmtInf/Ustrd")[0]?.text ?? "",
  };
}

function partyIn(element: XmlElement, role: "Dbtr" | "Cdtr"): WireParty {
  return {
    name: valueAt(element, `${role}/Nm`),
    routingNumber: valueAt(element, `${role}Agt/FinInstnId/ClrSysMmbId/MmbId`),
    accountNumber: valueAt(element, `${role}Acct/Id/Othr/Id`),
  };
}

/** To the letter: in what we write ourselves, white space is no matter of taste. */
const valueAt = (element: XmlElement, path: string): string => need(element, path).text;

const sumOf = (orders: readonly WireOrder[]) =>
  asCents(orders.reduce((total, { cents }) => total + cents, 0n));

function transferElement({ endToEndId, cents, creditor, remittance }: WireOrder): XmlElement {
  return element("CdtTrfTxInf", [
    element("PmtId", [element("EndToEndId", endToEndId)]),
    element("Amt", [element("InstdAmt", formatCents(cents), { Ccy: "USD" })]),
    agentElement("CdtrAgt", creditor),
    element("Cdtr", [element("Nm", creditor.name)]),
    accountElement("CdtrAcct", creditor),
    remittance === "" ? undefined : element("RmtInf", [element("Ustrd", remittance)]),
  ]);
}

const accountElement = (name: string, { accountNumber }: WireParty): XmlElement =>
  element(name, [element("Id", [element("Othr", [element("Id", accountNumber)])])]);

function agentElement(name: string, { routingNumber }: WireParty): XmlElement {
  const member = element("ClrSysMmbId", [
    element("ClrSysId", [element("Cd", "USABA")]),
    element("MmbId", routingNumber),
  ]);
  const address = element("PstlAdr", [element("Ctry", "US")]);
  return element(name, [element("FinInstnId", [member, address])]);
}
