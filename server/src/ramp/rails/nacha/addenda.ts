import { digits, fixed, hidden, recordType, text, unused, whole } from "./fields.ts";

/** Record 7 of type 99: why an entry came back. */
export const returnAddenda = recordType({
  recordType: fixed(1, 1, "7", "More about the entry before it."),
  addendaType: fixed(2, 3, "99", "A return."),
  returnReasonCode: text(4, 6, "R01–R85."),
  originalTraceNumber: digits(7, 21, "Trace of the entry that came back."),
  dateOfDeath: unused(22, 27, "Of R14 and R15 only, as YYMMDD."),
  originalReceivingBank: digits(28, 35, "Eight digits of the bank to which the entry had gone."),
  information: hidden(text(36, 79, "What that bank adds.")),
  traceNumber: digits(80, 94, "The same as that of the entry before it."),
});

/** Record 7 of type 98: what is to be written differently the next time. */
export const correctionAddenda = recordType({
  recordType: fixed(1, 1, "7", "More about the entry before it."),
  addendaType: fixed(2, 3, "98", "A notification of change."),
  changeCode: text(4, 6, "C01–C14: which fields are to change."),
  originalTraceNumber: digits(7, 21, "Trace of the entry that is corrected."),
  reserved: unused(22, 27, "Nothing."),
  originalReceivingBank: digits(28, 35, "Eight digits of the bank to which the entry had gone."),
  correctedData: hidden(whole(36, 64, "What is right, in columns that depend on the code.")),
  reservedToo: unused(65, 79, "Nothing."),
  traceNumber: digits(80, 94, "The same as that of the entry before it."),
});
