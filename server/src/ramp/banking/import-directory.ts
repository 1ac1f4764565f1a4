import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../lib/errors.ts";
import { listRoutingNumbers, updateBank } from "../store/bank-accounts.ts";
import { type DirectoryKind, replaceDirectory } from "../store/routing-directory.ts";
import { findBank, unknownBank } from "./directory.ts";
import { readDirectoryFile } from "./fed-files.ts";

type DirectoryFile = {
  kind: DirectoryKind;
  text: string;
  /** When it was published: `2026-11-14`. */
  publishedOn: string;
};

/** Takes over a directory, and names anew the banks of registered accounts. Says how many of each there were. */
export async function importDirectory(
  { db, clock }: { db: Database; clock: Clock },
  { kind, text, publishedOn }: DirectoryFile,
): Promise<{ banks: number; accounts: number }> {
  const importedAt = new Date(clock.now());
  if (!(Date.parse(publishedOn) <= importedAt.getTime())) {
    throw new OperatorError(`A directory cannot have been published on ${publishedOn}.`);
  }
  const participants = readDirectoryFile(kind, text);
  return db.transact(async (tx) => {
    await replaceDirectory(tx, { kind, publishedOn, importedAt }, participants);
    let accounts = 0;
    for (const routingNumber of await listRoutingNumbers(tx)) {
      const bank = await findBank(tx, routingNumber, importedAt);
      if (!bank || bank === unknownBank) continue;
      accounts += await updateBank(tx, routingNumber, bank, importedAt);
    }
    return { banks: participants.length, accounts };
  });
}
