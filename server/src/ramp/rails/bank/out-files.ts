import type { DueRunner } from "../../../database/due.ts";
import type { BankContext } from "./bank-profile.ts";

/** Makes files for the bank of what waits for one. */
export function fileMaker(_context: BankContext): DueRunner {
  throw new Error("not yet");
}
