import type { BankNotification } from "./wire-file.ts";

/** Writes what happened on the account as camt.054. */
export function writeCamt054(notification: BankNotification): Buffer {
  throw new Error(`not written yet: ${notification.messageId}`);
}

/** Reads what happened on the account as camt.054. */
export function readCamt054(bytes: Buffer): BankNotification {
  throw new Error(`not written yet: ${bytes.length}`);
}
