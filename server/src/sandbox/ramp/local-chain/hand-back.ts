import type { DueRunner } from "../../../database/due.ts";
import { ledgerAccounts } from "../../../ramp/ledger/accounts.ts";
import { findChainCursor } from "../../../ramp/rails/store/chain-blocks.ts";
import { setBalance } from "../../store/balances.ts";
import { endTakeOver, isBusy, tryLockTreasury } from "../../store/local-chain.ts";
import { type BooksContext, forgetPast, readOwned } from "./local-books.ts";
import { localBlockchain } from "./tokens.ts";

/** Gives Ethereum back to its twin when the sandbox goes on without a chain: the twin then has what our books say. */
export function handBack(context: BooksContext): DueRunner {
  let isDone = false;
  return {
    name: "Ethereum in tables",
    async run() {
      if (!isDone) isDone = await returnToTwin(context);
      return 0;
    },
  };
}

/** Returns whether it is done; not as long as there are news that the books do not know of. */
async function returnToTwin(context: BooksContext): Promise<boolean> {
  const { db } = context;
  if (!(await findChainCursor(db, localBlockchain))) return true;
  await db.transact((tx) => forgetPast(tx, context));
  return db.transact(async (tx) => {
    if (!(await tryLockTreasury(tx)) || (await isBusy(tx, localBlockchain))) return false;
    for (const { token, hot, unswept } of await readOwned(tx)) {
      const place = { ...token, blockchain: localBlockchain };
      await setBalance(tx, ledgerAccounts.hot(place), hot);
      await setBalance(tx, ledgerAccounts.unswept(place), unswept);
    }
    await endTakeOver(tx, localBlockchain);
    return true;
  });
}
