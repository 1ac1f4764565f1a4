import type { Cents } from "../../../lib/money.ts";

/** PPD is for persons, CCD for firms. */
export type EntryClass = "PPD" | "CCD";

/** A payment to one account. */
export type AchEntry = {
  /** Eight digits of our bank and seven of ours; unique, and growing inside a batch. */
  trace: string;
  accountType: "checking" | "savings";
  /** Nine digits of the receiver's bank. */
  routingNumber: string;
  accountNumber: string;
  cents: Cents;
  /** Our name for it, up to 15 characters: the digits of the payout's id. */
  identification: string;
  /** The receiver, up to 22 characters after `achText`. */
  name: string;
};

/** Payments that settle on the same day, of one class. All are credits. */
export type AchBatch = {
  entryClass: EntryClass;
  /** Up to 16 characters. */
  companyName: string;
  /** Ten characters. */
  companyId: string;
  /** Up to ten characters, such as CRYPTOSELL. */
  description: string;
  /** Day on which it should settle: 2026-11-17. */
  effectiveOn: string;
  /** First eight digits of our bank's routing number. */
  originator: string;
  entries: readonly AchEntry[];
};

/** What is handed to the bank at a cut-off. */
export type AchFile = {
  /** The bank that gets the file: nine digits, and its name of up to 23 characters. */
  destination: { routingNumber: string; name: string };
  /** Us, as the bank knows us: ten characters, and our name of up to 23 characters. */
  origin: { id: string; name: string };
  /** New York's: 2026-11-16 and 17:00. */
  createdOn: string;
  createdAt: string;
  /** A–Z, then 0–9: tells the files of one day apart. */
  modifier: string;
  batches: readonly AchBatch[];
};

/** An entry that came back, by our own trace of it. */
export type AchReturn = {
  /** R01–R85. */
  code: string;
  originalTrace: string;
  /** Trace of the return itself. */
  trace: string;
  cents: Cents;
  /** What the other bank adds, if anything. */
  information: string;
};

/** An entry that was paid, with what the other bank wants to be written the next time. */
export type AchCorrection = {
  /** C01–C13. */
  code: string;
  originalTrace: string;
  trace: string;
  /** 29 characters as they came; `readCorrectedData` takes them apart. */
  correctedData: string;
};

/** What the bank sends back: returns and corrections. */
export type AchReturnFile = {
  origin: { routingNumber: string; name: string };
  destination: { id: string; name: string };
  createdOn: string;
  createdAt: string;
  modifier: string;
  settledOn: string;
  returns: readonly AchReturn[];
  corrections: readonly AchCorrection[];
};
