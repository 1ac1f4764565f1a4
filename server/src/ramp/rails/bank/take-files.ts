import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import type { FileExchange } from "../file-exchange.ts";
import type { BankContext } from "./bank-profile.ts";

/** What became of a file of the bank's. */
export type TakenFile = {
  state: "taken" | "refused";
  /** What is wrong with it, in words; null when nothing is. */
  problem: string | null;
  /** Whether it came for the first time. */
  isNew: boolean;
};

type TakerContext = BankContext & {
  exchange: FileExchange;
  /** How long to wait before looking again when there was nothing. */
  everyMs?: number;
};

/** Takes in the files that the bank left for us. */
export function fileTaker(_context: TakerContext): DueRunner {
  return { name: "files of the bank", run: () => Promise.resolve(0) };
}

/** Takes in one file of the bank's: keeps it, and tells the ramp what it says. */
export async function takeFile(
  _tx: Transaction,
  _context: BankContext,
  _file: { name: string; bytes: Buffer },
): Promise<TakenFile> {
  throw new Error("not yet");
}
