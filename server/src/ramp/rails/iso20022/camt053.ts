import type { BankStatement } from "./wire-file.ts";

/** Writes an account's statement as camt.053. */
export function writeCamt053(statement: BankStatement): Buffer {
  throw new Error(`not written yet: ${statement.id}`);
}

/** Reads an account's statement as camt.053. */
export function readCamt053(bytes: Buffer): BankStatement {
  throw new Error(`not written yet: ${bytes.length}`);
}
