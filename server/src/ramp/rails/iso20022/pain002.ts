import { readMessage } from "./document.ts";
import { groupStatusAt, outcomeOf, statusIn } from "./read-statuses.ts";
import { findAll, need, needId, needTimestamp, refuse, textAt } from "./reading.ts";
import type { WireGroupStatus, WireStatusReport } from "./wire-file.ts";
import type { XmlElement } from "./xml.ts";

/**
 * Reads what became of wires: pain.002 of any bank. A file of ours is one batch of wires, so what is said of all of them
 * may stand in two places.
 */
export function readPain002(bytes: Buffer): WireStatusReport {
  const message = readMessage(bytes, "pain.002");
  const original = need(message, "OrgnlGrpInfAndSts");
  const ofFile = groupStatusAt(original, "GrpSts");
  const batches = findAll(message, "OrgnlPmtInfAndSts").map((each) => batchIn(each, ofFile));
  const group = groupIn(batches, ofFile);
  const statuses = batches.flatMap(({ transactions, ofBatch }) =>
    transactions.map((transaction) => statusIn(transaction, ofBatch)),
  );
  if (!group && statuses.length === 0)
    refuse(message, "must have TxInfAndSts, PmtInfSts or GrpSts");
  return {
    messageId: needId(message, "GrpHdr/MsgId"),
    originalMessageId: needId(original, "OrgnlMsgId"),
    createdAt: needTimestamp(message, "GrpHdr/CreDtTm"),
    ...(group && { group }),
    statuses,
  };
}

/** Wires that the bank speaks of together, and what it says of all of them. */
type Batch = {
  element: XmlElement;
  ofBatch: WireGroupStatus | undefined;
  transactions: readonly XmlElement[];
};

function batchIn(element: XmlElement, ofFile: WireGroupStatus | undefined): Batch {
  needId(element, "OrgnlPmtInfId");
  const ofBatch = groupStatusAt(element, "PmtInfSts");
  const code = textAt(element, "PmtInfSts");
  const isFileDone = ofFile !== undefined && ofFile.outcome !== "pending";
  if (isFileDone && code !== undefined && outcomeOf(code) !== ofFile.outcome)
    refuse(need(element, "PmtInfSts"), "must not contradict GrpSts");
  const transactions = findAll(element, "TxInfAndSts");
  return { element, ofBatch: ofBatch ?? ofFile, transactions };
}

/** What is said of all wires of the file. Where the bank makes several batches of one, each speaks of those in it only. */
function groupIn(
  batches: readonly Batch[],
  ofFile: WireGroupStatus | undefined,
): WireGroupStatus | undefined {
  const [only, second] = batches;
  if (only && !second) return only.ofBatch;
  const empty = batches.find(({ transactions }) => transactions.length === 0);
  return empty ? refuse(empty.element, "must have TxInfAndSts beside other batches") : ofFile;
}
