import type { Transaction } from "../../database/database.ts";
import { bookOnce } from "../store/ledger.ts";
import { ledgerAccounts } from "./accounts.ts";

/** Books what the owners put into one of our accounts, once for each `fact`. */
export async function bookOpening(
  tx: Transaction,
  account: string,
  amount: bigint,
  fact: string,
  at: Date,
): Promise<void> {
  const asset = account.slice(account.lastIndexOf(":") + 1);
  const moves = [{ asset, amount, from: account, to: ledgerAccounts.equity(asset) }];
  await bookOnce(tx, { fact, kind: "opening", transactionId: null, at, moves });
}
