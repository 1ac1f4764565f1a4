import { asCents } from "../../../lib/money.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import { BadFile } from "../file-exchange.ts";
import type { AchBatch, AchEntry, AchFile, EntryClass } from "./ach-file.ts";
import { batchControl } from "./batch-control.ts";
import { batchHeader } from "./batch-header.ts";
import { readDay, readTime } from "./days.ts";
import { entryDetail } from "./entry-detail.ts";
import type { Line } from "./fields.ts";
import { fileControl } from "./file-control.ts";
import { fileHeader } from "./file-header.ts";
import {
  type BatchRecord,
  type EntryRecord,
  type FileRecords,
  readRecords,
} from "./read-records.ts";
import { entryFault, paymentCodes, writeAchFile } from "./write-file.ts";

/** By the character with which the record begins. */
const recordTypes: Readonly<Record<string, Pick<typeof fileControl, "mustEqual">>> = {
  1: fileHeader,
  5: batchHeader,
  6: entryDetail,
  8: batchControl,
  9: fileControl,
};

/**
 * Reads a file of payments; throws `BadFile` at the first thing that is not right. Whatever is read is written as the
 * very same bytes again, so two files that differ never read the same.
 */
export function readAchFile(bytes: Buffer): AchFile {
  const records = readRecords(bytes);
  const small = records.lines.find(({ text }) => /[a-z]/.test(text));
  if (small) throw new BadFile(`line ${small.number}`, "must not hold small letters");
  const file = fileOf(records);
  mustBeWrittenAs(bytes, writeAchFile(file));
  return file;
}

function fileOf({ header: { line, values }, batches }: FileRecords): AchFile {
  const routingNumber = values.immediateDestination.slice(1);
  const fault = routingNumberFault(routingNumber);
  if (fault) throw new BadFile("line 1, immediate destination", `${routingNumber} ${fault}`);
  const createdOn = readDay(values.fileCreationDate);
  if (!createdOn) throw fileHeader.fault(line, "fileCreationDate", "a day, as YYMMDD");
  const createdAt = readTime(values.fileCreationTime);
  if (!createdAt) throw fileHeader.fault(line, "fileCreationTime", "a time, as HHMM");
  if (!/^[A-Z0-9]$/.test(values.fileIdModifier))
    throw fileHeader.fault(line, "fileIdModifier", "a letter or a digit");
  if (batches.length === 0) throw new BadFile("line 2", "must begin a batch");
  return {
    destination: { routingNumber, name: values.immediateDestinationName },
    origin: { id: values.immediateOrigin, name: values.immediateOriginName },
    createdOn,
    createdAt,
    modifier: values.fileIdModifier,
    batches: batches.map(batchOf),
  };
}

function batchOf({ header: { line, values }, entries }: BatchRecord): AchBatch {
  const effectiveOn = readDay(values.effectiveEntryDate);
  if (!effectiveOn) throw batchHeader.fault(line, "effectiveEntryDate", "a day, as YYMMDD");
  return {
    entryClass: entryClassOf(line, values.standardEntryClassCode),
    companyName: values.companyName,
    companyId: values.companyIdentification,
    description: values.companyEntryDescription,
    effectiveOn,
    originator: values.originatingBank,
    entries: entriesOf(entries, values.originatingBank),
  };
}

function entryClassOf(line: Line, code: string): EntryClass {
  if (code === "PPD" || code === "CCD") return code;
  throw batchHeader.fault(line, "standardEntryClassCode", '"PPD" or "CCD"');
}

function entriesOf(records: readonly EntryRecord[], originator: string): AchEntry[] {
  const entries = records.map(entryOf);
  for (const [index, entry] of entries.entries()) {
    const fault = entryFault(entry, entries[index - 1], originator);
    const line = records[index]?.line;
    if (fault && line) throw entryDetail.fault(line, fault.field, fault.must);
  }
  return entries;
}

function entryOf({ line, values, addenda }: EntryRecord): AchEntry {
  const routingNumber = values.receivingBank + values.checkDigit;
  const fault = routingNumberFault(routingNumber);
  if (fault) throw new BadFile(`line ${line.number}, receiving bank`, `${routingNumber} ${fault}`);
  if (addenda.length > 0) throw entryDetail.fault(line, "addendaIndicator", '"0"');
  return {
    trace: values.traceNumber,
    accountType: accountTypeOf(line, values.transactionCode),
    routingNumber,
    accountNumber: values.accountNumber,
    cents: asCents(values.amount),
    identification: values.identification,
    name: values.receiverName,
  };
}

function accountTypeOf(line: Line, code: string): AchEntry["accountType"] {
  if (code === paymentCodes.checking) return "checking";
  if (code === paymentCodes.savings) return "savings";
  throw entryDetail.fault(line, "transactionCode", '"22" or "32"');
}

/** Finds what the forms of the fields let pass: other blanks, batches that are counted otherwise, a cut end. */
function mustBeWrittenAs(bytes: Buffer, expected: Buffer): void {
  const found = bytes.toString("latin1").replaceAll("\r\n", "\n").split("\n");
  for (const [index, must] of expected.toString("latin1").split("\n").entries()) {
    const text = found[index];
    if (text === must) continue;
    const number = index + 1;
    if (text === undefined) throw new BadFile(`line ${index}`, "must end as all the others do");
    if (text.length !== must.length)
      throw new BadFile(
        `line ${number}`,
        `has ${text.length} characters, must have ${must.length}`,
      );
    recordTypes[must[0] ?? ""]?.mustEqual({ number, text }, must);
  }
}
