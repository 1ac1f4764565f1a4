import type { DueRunner } from "../../../database/due.ts";
import type { FileExchange } from "../file-exchange.ts";
import type { BankContext } from "./bank-profile.ts";
import { fileSender } from "./deliver-files.ts";
import { fileMaker } from "./out-files.ts";
import { entrySettler } from "./settle-entries.ts";
import { fileTaker } from "./take-files.ts";

/** Everything that has to be done between us and the bank, in the order in which one thing leads to the next. */
export function bankRunners(context: BankContext & { exchange: FileExchange }): DueRunner[] {
  return [fileMaker(context), fileSender(context), fileTaker(context), entrySettler(context)];
}
