import { fixed, numeric, recordType, unused } from "./fields.ts";

/** Record 9: what the batches of a file add up to. Lines of nothing but 9s after it fill the last block. */
export const fileControl = recordType({
  recordType: fixed(1, 1, "9", "The end of the file."),
  batchCount: numeric(2, 7, "How many batches there are."),
  blockCount: numeric(8, 13, "How many blocks of ten records, the last one filled up with 9s."),
  entryAndAddendaCount: numeric(14, 21, "How many records 6 and 7 are in the file."),
  entryHash: numeric(22, 31, "Sum of the batches' hashes, its last ten digits."),
  totalDebit: numeric(32, 43, "Sum of the batches' debits in cents."),
  totalCredit: numeric(44, 55, "Sum of the batches' credits in cents."),
  reserved: unused(56, 94, "Nothing."),
});
