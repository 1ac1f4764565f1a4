import { digits, fixed, hidden, numeric, recordType, text, unused } from "./fields.ts";

/** Record 6: money for one account, or what came back from it. */
export const entryDetail = recordType({
  recordType: fixed(1, 1, "6", "An entry."),
  transactionCode: digits(
    2,
    3,
    "Pays into a checking account (22) or into savings (32); comes back from one (21, 31).",
  ),
  receivingBank: digits(4, 11, "First eight digits of the bank that gets the entry."),
  checkDigit: digits(12, 12, "The ninth: it proves the other eight."),
  accountNumber: hidden(text(13, 29, "The account at that bank.")),
  amount: numeric(30, 39, "Cents."),
  identification: text(40, 54, "What the sender calls the receiver or the payment."),
  receiverName: hidden(text(55, 76, "Whose account it is.")),
  discretionaryData: unused(77, 78, "Room for codes that a bank may ask for."),
  addendaIndicator: digits(79, 79, "1 when a record 7 follows, otherwise 0."),
  traceNumber: digits(80, 94, "Eight digits of the sender's bank, and seven that grow in a batch."),
});
