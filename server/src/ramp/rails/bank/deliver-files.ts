import type { DueRunner } from "../../../database/due.ts";
import type { FileExchange } from "../file-exchange.ts";
import type { BankContext } from "./bank-profile.ts";

/** Leaves files that are ready at the bank. */
export function fileSender(_context: BankContext & { exchange: FileExchange }): DueRunner {
  throw new Error("not yet");
}
