import { digits, fixed, numeric, recordType, unused, whole } from "./fields.ts";

/** Record 8: what the entries of a batch add up to. */
export const batchControl = recordType({
  recordType: fixed(1, 1, "8", "The end of a batch."),
  serviceClassCode: digits(2, 4, "As in the batch's header."),
  entryAndAddendaCount: numeric(5, 10, "How many records 6 and 7 are in the batch."),
  entryHash: numeric(11, 20, "Sum of the receiving banks' eight digits, its last ten digits."),
  totalDebit: numeric(21, 32, "Sum of the debits in cents."),
  totalCredit: numeric(33, 44, "Sum of the credits in cents."),
  companyIdentification: whole(45, 54, "As in the batch's header."),
  messageAuthenticationCode: unused(55, 73, "Nobody uses it."),
  reserved: unused(74, 79, "Nothing."),
  originatingBank: digits(80, 87, "As in the batch's header."),
  batchNumber: numeric(88, 94, "As in the batch's header."),
});
