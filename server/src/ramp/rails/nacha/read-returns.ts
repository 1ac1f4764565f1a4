import { asCents } from "../../../lib/money.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import { BadFile } from "../file-exchange.ts";
import type { AchCorrection, AchReturn, AchReturnFile } from "./ach-file.ts";
import { correctionAddenda, returnAddenda } from "./addenda.ts";
import { batchHeader } from "./batch-header.ts";
import { readDay, readDayOfYear, readTime } from "./days.ts";
import { entryDetail } from "./entry-detail.ts";
import type { Line } from "./fields.ts";
import { fileHeader } from "./file-header.ts";
import { type BatchRecord, type EntryRecord, readRecords } from "./read-records.ts";

/** An entry that comes back has the code of a return of a credit, from a checking account or from savings. */
const returnCodes: ReadonlySet<string> = new Set(["21", "31"]);

/**
 * Reads a bank's file of returns and corrections; throws `BadFile` at the first thing that is not right. What is
 * counted and added up must agree; names and what only repeats our own entries may be as the bank likes.
 */
export function readAchReturns(bytes: Buffer): AchReturnFile {
  const { header, batches } = readRecords(bytes);
  const { line, values } = header;
  const createdOn = readDay(values.fileCreationDate);
  if (!createdOn) throw fileHeader.fault(line, "fileCreationDate", "a day, as YYMMDD");
  const createdAt = readTime(values.fileCreationTime || "0000");
  if (!createdAt) throw fileHeader.fault(line, "fileCreationTime", "a time, as HHMM");
  const entries = batches.flatMap((batch) => batch.entries.map((entry) => entryOf(batch, entry)));
  return {
    origin: {
      routingNumber: values.immediateOrigin.trim().replace(/^0(?=\d{9}$)/, ""),
      name: values.immediateOriginName,
    },
    destination: { id: values.immediateDestination, name: values.immediateDestinationName },
    createdOn,
    createdAt,
    modifier: values.fileIdModifier,
    settledOn: settlementOf(batches, createdOn),
    returns: entries.filter((entry) => "cents" in entry),
    corrections: entries.filter((entry) => "correctedData" in entry),
  };
}

/** The last day on which something of it settled; banks that leave it out settle when they write the file. */
function settlementOf(batches: readonly BatchRecord[], createdOn: string): string {
  const days = batches.flatMap(({ header: { line, values } }) => {
    if (/^0*$/.test(values.settlementDate)) return [];
    const day = readDayOfYear(values.settlementDate, createdOn);
    if (!day) throw batchHeader.fault(line, "settlementDate", "the number of a day in its year");
    return [day];
  });
  return days.sort().at(-1) ?? createdOn;
}

function entryOf(batch: BatchRecord, entry: EntryRecord): AchReturn | AchCorrection {
  const { line, values, addenda } = entry;
  const routingNumber = values.receivingBank + values.checkDigit;
  const fault = routingNumberFault(routingNumber);
  if (fault) throw new BadFile(`line ${line.number}, receiving bank`, `${routingNumber} ${fault}`);
  if (!returnCodes.has(values.transactionCode))
    throw entryDetail.fault(line, "transactionCode", '"21" or "31"');
  const [first, second] = addenda;
  if (!first) throw entryDetail.fault(line, "addendaIndicator", '"1"');
  if (second) throw new BadFile(`line ${second.number}`, "is a second record 7, must be none");
  const isCorrection = batch.header.values.standardEntryClassCode === "COR";
  return isCorrection ? correctionOf(entry, first) : returnOf(entry, first);
}

function returnOf({ values }: EntryRecord, line: Line): AchReturn {
  const addenda = returnAddenda.read(line);
  returnAddenda.mustHold(line, { traceNumber: values.traceNumber });
  if (!/^R\d\d$/.test(addenda.returnReasonCode))
    throw returnAddenda.fault(line, "returnReasonCode", "R and two digits");
  return {
    code: addenda.returnReasonCode,
    originalTrace: addenda.originalTraceNumber,
    trace: values.traceNumber,
    cents: asCents(values.amount),
    information: addenda.information,
  };
}

function correctionOf({ line: entryLine, values }: EntryRecord, line: Line): AchCorrection {
  const addenda = correctionAddenda.read(line);
  correctionAddenda.mustHold(line, { traceNumber: values.traceNumber });
  if (!/^C\d\d$/.test(addenda.changeCode))
    throw correctionAddenda.fault(line, "changeCode", "C and two digits");
  // A correction moves no money.
  entryDetail.mustHold(entryLine, { amount: 0n });
  return {
    code: addenda.changeCode,
    originalTrace: addenda.originalTraceNumber,
    trace: values.traceNumber,
    correctedData: addenda.correctedData,
  };
}
