import type { DueRunner } from "../../../database/due.ts";
import type { BankContext } from "./bank-profile.ts";

/** Tells that ACH entries are settled, on the morning of the day for which their file was made. */
export function entrySettler(_context: BankContext): DueRunner {
  throw new Error("not yet");
}
