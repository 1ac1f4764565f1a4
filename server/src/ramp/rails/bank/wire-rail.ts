import type { PayoutRail } from "../../ports.ts";
import type { BankContext } from "./bank-profile.ts";

/** Pays by wire: what is submitted goes to the bank with the next file. */
export function wireRail(_context: BankContext): PayoutRail {
  throw new Error("not yet");
}
