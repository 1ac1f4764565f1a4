import { assert } from "../../../lib/errors.ts";
import type { AchCorrection, AchReturn, AchReturnFile } from "./ach-file.ts";
import { correctionAddenda, returnAddenda } from "./addenda.ts";
import { writeDay, writeDayOfYear, writeTime } from "./days.ts";
import { achText } from "./text.ts";
import { writeRecords } from "./write-records.ts";

/** Writes a file of returns and corrections as a bank would. */
export function writeAchReturns(file: AchReturnFile): Buffer {
  const { origin, destination, returns, corrections } = file;
  assert(returns.length + corrections.length > 0, "a file of returns has one, or a correction");
  const batches = [
    ...batchesOf(returns).map((batch) => batchRecords(file, batch, "PPD", returnRecord)),
    ...batchesOf(corrections).map((batch) => batchRecords(file, batch, "COR", correctionRecord)),
  ];
  return writeRecords(
    {
      immediateDestination: destination.id,
      immediateOrigin: ` ${origin.routingNumber}`,
      fileCreationDate: writeDay(file.createdOn),
      fileCreationTime: writeTime(file.createdAt),
      fileIdModifier: file.modifier,
      immediateDestinationName: achText(destination.name, 23),
      immediateOriginName: achText(origin.name, 23),
    },
    batches,
  );
}

/** Neighbours of one bank whose traces grow are a batch, so that the order stays as it is. */
function batchesOf<Entry extends { trace: string }>(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  for (const entry of entries) {
    const batch = batches.at(-1);
    const last = batch?.at(-1);
    if (last && bankOf(last.trace) === bankOf(entry.trace) && last.trace < entry.trace)
      batch?.push(entry);
    else batches.push([entry]);
  }
  return batches;
}

function batchRecords<Entry extends { trace: string }>(
  { origin, destination, createdOn, settledOn }: AchReturnFile,
  entries: readonly Entry[],
  entryClass: "PPD" | "COR",
  record: (entry: Entry) => { amount: bigint; addenda: readonly string[] },
) {
  return {
    header: {
      companyName: achText(destination.name, 16),
      companyIdentification: destination.id,
      standardEntryClassCode: entryClass,
      companyEntryDescription: entryClass === "COR" ? "CORRECTION" : "RETURN",
      effectiveEntryDate: writeDay(settledOn),
      settlementDate: writeDayOfYear(settledOn, createdOn),
      originatorStatusCode: "1",
      originatingBank: bankOf(entries[0]?.trace ?? ""),
    },
    entries: entries.map((entry) => {
      const { amount, addenda } = record(entry);
      const values = {
        transactionCode: "21",
        receivingBank: origin.routingNumber.slice(0, 8),
        checkDigit: origin.routingNumber.slice(8),
        // Who it was for is known from the entry that comes back.
        accountNumber: "NOT REPEATED",
        amount,
        identification: "",
        receiverName: "NOT REPEATED",
        traceNumber: entry.trace,
      };
      return { values, addenda };
    }),
  };
}

function returnRecord(entry: AchReturn) {
  const addenda = returnAddenda.write({
    returnReasonCode: entry.code,
    originalTraceNumber: entry.originalTrace,
    originalReceivingBank: bankOf(entry.trace),
    information: achText(entry.information, 44),
    traceNumber: entry.trace,
  });
  return { amount: entry.cents, addenda: [addenda] };
}

function correctionRecord(entry: AchCorrection) {
  const addenda = correctionAddenda.write({
    changeCode: entry.code,
    originalTraceNumber: entry.originalTrace,
    originalReceivingBank: bankOf(entry.trace),
    correctedData: entry.correctedData,
    traceNumber: entry.trace,
  });
  return { amount: 0n, addenda: [addenda] };
}

const bankOf = (trace: string): string => trace.slice(0, 8);
