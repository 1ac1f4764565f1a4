import { assert } from "../../../lib/errors.ts";
import { routingNumberFault } from "../../banking/routing-number.ts";
import type { AchBatch, AchEntry, AchFile } from "./ach-file.ts";
import { writeDay, writeTime } from "./days.ts";
import { achText } from "./text.ts";
import { writeRecords } from "./write-records.ts";

/** What an entry's code says about the account it pays into. */
export const paymentCodes = { checking: "22", savings: "32" } as const;

/** Writes a file of payments as the bank takes it. */
export function writeAchFile(file: AchFile): Buffer {
  assert(file.batches.length > 0, "a file has a batch");
  assert(/^[A-Z0-9]$/.test(file.modifier), "a file's modifier is a letter or a digit");
  checkRoutingNumber(file.destination.routingNumber);
  return writeRecords(
    {
      immediateDestination: ` ${file.destination.routingNumber}`,
      immediateOrigin: file.origin.id,
      fileCreationDate: writeDay(file.createdOn),
      fileCreationTime: writeTime(file.createdAt),
      fileIdModifier: file.modifier,
      immediateDestinationName: achText(file.destination.name, 23),
      immediateOriginName: achText(file.origin.name, 23),
    },
    file.batches.map(batchRecords),
  );
}

/** Why an entry cannot follow another one, or nothing, in its batch: a field and what it must hold. */
export function entryFault(
  entry: AchEntry,
  previous: AchEntry | undefined,
  originator: string,
): { field: "amount" | "traceNumber" | "accountNumber"; must: string } | undefined {
  if (entry.cents <= 0n) return { field: "amount", must: "more than 0" };
  if (entry.accountNumber === "") return { field: "accountNumber", must: "an account" };
  if (!entry.trace.startsWith(originator))
    return { field: "traceNumber", must: `${originator} and seven digits` };
  if (previous && entry.trace <= previous.trace)
    return { field: "traceNumber", must: `more than ${previous.trace}` };
  return undefined;
}

function batchRecords(batch: AchBatch) {
  assert(batch.entries.length > 0, "a batch has an entry");
  return {
    header: {
      companyName: achText(batch.companyName, 16),
      companyIdentification: batch.companyId,
      standardEntryClassCode: batch.entryClass,
      companyEntryDescription: achText(batch.description, 10),
      effectiveEntryDate: writeDay(batch.effectiveOn),
      settlementDate: "",
      originatorStatusCode: "1",
      originatingBank: batch.originator,
    },
    entries: batch.entries.map((entry, index) => {
      const fault = entryFault(entry, batch.entries[index - 1], batch.originator);
      assert(!fault, `the ${fault?.field} of ${entry.trace} is ${fault?.must}`);
      return { values: entryValues(entry), addenda: [] };
    }),
  };
}

function entryValues(entry: AchEntry) {
  checkRoutingNumber(entry.routingNumber);
  return {
    transactionCode: paymentCodes[entry.accountType],
    receivingBank: entry.routingNumber.slice(0, 8),
    checkDigit: entry.routingNumber.slice(8),
    // Letters in account numbers mean the same, small or not.
    accountNumber: entry.accountNumber.toUpperCase(),
    amount: entry.cents,
    identification: entry.identification,
    receiverName: achText(entry.name, 22),
    traceNumber: entry.trace,
  };
}

function checkRoutingNumber(routingNumber: string): void {
  const fault = routingNumberFault(routingNumber);
  assert(fault === undefined, `routing number ${routingNumber} ${fault}`);
}
