import type { FileExchange } from "../file-exchange.ts";

/** A folder that is shared with the bank: our files go to `outbox`, the bank's are read from `inbox`. */
export function openFolderExchange(_folder: string): FileExchange {
  throw new Error("not yet");
}
