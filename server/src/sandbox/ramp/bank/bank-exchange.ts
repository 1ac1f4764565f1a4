import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { FileExchange } from "../../../ramp/rails/file-exchange.ts";
import { endFile, findFile, listWaitingFiles } from "../../store/bank-files.ts";
import { receiveFile } from "./receive-file.ts";

/** The place where the sandbox's bank gets our files and leaves its own. It works on what it gets at once. */
export function sandboxBankExchange({ db, clock }: { db: Database; clock: Clock }): FileExchange {
  return {
    put: (name, bytes) => db.transact((tx) => receiveFile(tx, { name, bytes }, clock.now())),
    list: () => listWaitingFiles(db),
    async get(name) {
      const bytes = await findFile(db, name);
      if (!bytes) throw new Error(`the sandbox's bank has left no file ${name}`);
      return bytes;
    },
    setAside: (name) => endFile(db, name),
  };
}
