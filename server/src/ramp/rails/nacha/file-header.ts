import { digits, fixed, recordType, text, unused, whole } from "./fields.ts";

/** Record 1: who sends the file to whom, and when it was made. */
export const fileHeader = recordType({
  recordType: fixed(1, 1, "1", "A file header; there is one, at the beginning."),
  priorityCode: fixed(2, 3, "01", "There is only this one."),
  immediateDestination: whole(4, 13, "Who gets the file: for a bank a blank and its nine digits."),
  immediateOrigin: whole(14, 23, "Who sends it: for us the ten characters that the bank gave us."),
  fileCreationDate: digits(24, 29, "Day on which it was made, as YYMMDD."),
  fileCreationTime: text(30, 33, "Time of that day, as HHMM; banks may leave it out."),
  fileIdModifier: text(34, 34, "A–Z, then 0–9: tells the files of one day apart."),
  recordSize: fixed(35, 37, "094", "How many characters a record has."),
  blockingFactor: fixed(38, 39, "10", "How many records a block has."),
  formatCode: fixed(40, 40, "1", "There is only this one."),
  immediateDestinationName: text(41, 63, "Name of who gets it."),
  immediateOriginName: text(64, 86, "Name of who sends it."),
  referenceCode: unused(87, 94, "Room for the sender's own notes."),
});
