import type { Transaction } from "../../../database/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import { CallerError } from "../../../lib/errors.ts";
import { isId } from "../../../lib/ids.ts";
import { unfileEntries } from "../store/bank-entries.ts";
import { approveFile, type BankFile, lockBankFile, markFile } from "../store/bank-files.ts";

/** How long whoever takes a file back has before its payouts go with another one. */
const rethinkMs = 5 * 60_000;

/** Adds an operator's approval to a file that is held; the last one lets it leave. */
export async function approveBankFile(
  tx: Transaction,
  { clock }: { clock: Clock },
  id: string,
  keyId: string,
): Promise<void> {
  const { state, approvals, approvalsNeeded } = await lockedFile(tx, id);
  if (state !== "held") throw new CallerError("conflict", `File ${id} is ${state}, not held`);
  if (approvals.includes(keyId)) {
    throw new CallerError("conflict", `This key has approved file ${id}: another one is needed`);
  }
  const isEnough = approvals.length + 1 >= approvalsNeeded;
  await approveFile(tx, id, { keyId, isEnough, at: new Date(clock.now()) });
}

/** Takes back a file that nobody has begun to deliver: its payouts wait for another one. */
export async function withdrawBankFile(
  tx: Transaction,
  { clock }: { clock: Clock },
  id: string,
  note: string,
): Promise<void> {
  const { state, attempts } = await lockedFile(tx, id);
  if (state !== "held" && state !== "ready") {
    throw new CallerError("conflict", `File ${id} is ${state}: only a held or ready one goes back`);
  }
  if (attempts > 0) {
    throw new CallerError(
      "conflict",
      `The delivery of file ${id} has begun: the bank may have it, and another file would pay twice`,
    );
  }
  const now = clock.now();
  const at = new Date(now);
  await unfileEntries(tx, id, { at, dueAt: new Date(now + rethinkMs) });
  await markFile(tx, id, { state: "withdrawn", problem: note, at });
}

/** Says that there is no such file. */
export function unknownFile(): CallerError {
  return new CallerError("not_found", "File was not found: ids look like fil-123");
}

async function lockedFile(tx: Transaction, id: string): Promise<BankFile> {
  const file = isId("fil", id) ? await lockBankFile(tx, id) : undefined;
  if (!file) throw unknownFile();
  return file;
}
