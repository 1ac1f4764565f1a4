import { digits, fixed, numeric, recordType, text, unused, whole } from "./fields.ts";

/** Record 5: what all the entries that follow it have in common. */
export const batchHeader = recordType({
  recordType: fixed(1, 1, "5", "A batch header; entries follow it."),
  serviceClassCode: digits(2, 4, "220: only credits. 225: only debits. 200: both."),
  companyName: text(5, 20, "Us, as the receiver reads it on the statement."),
  companyDiscretionaryData: unused(21, 40, "Room for our own notes."),
  companyIdentification: whole(41, 50, "Us, by the ten characters that the bank gave us."),
  standardEntryClassCode: text(51, 53, "PPD pays persons, CCD firms; COR corrects."),
  companyEntryDescription: text(54, 63, "What it is for, as the receiver reads it."),
  companyDescriptiveDate: unused(64, 69, "A date for the receiver to read."),
  effectiveEntryDate: text(70, 75, "Day on which we want it to settle, as YYMMDD."),
  settlementDate: text(76, 78, "Day of the year on which it settles: the operator fills it in."),
  originatorStatusCode: text(79, 79, "1: we are bound by the rules of the network."),
  originatingBank: digits(80, 87, "First eight digits of the bank that sends the batch."),
  batchNumber: numeric(88, 94, "Counts the batches of a file from 1."),
});
