import type { PayoutRail } from "../../ports.ts";
import type { BankContext } from "./bank-profile.ts";

/** Pays by ACH: what is submitted goes to the bank with the file of the next cut-off. */
export function achRail(_context: BankContext): PayoutRail {
  throw new Error("not yet");
}
