import type { Transaction } from "../../database/database.ts";

/** Books what the owners put into one of our accounts, once for each `fact`. */
export function bookOpening(
  _tx: Transaction,
  _account: string,
  _amount: bigint,
  _fact: string,
  _at: Date,
): Promise<void> {
  throw new Error("not yet");
}
