import type { Transaction } from "../../../database/database.ts";
import { ledgerAccounts } from "../../../ramp/ledger/accounts.ts";
import type { ChainToken } from "../../../ramp/rails/evm/ramp-chain.ts";
import type { RailContext } from "../../../ramp/rails/rail-context.ts";
import { tellNotices } from "../../../ramp/rails/store/notices.ts";
import { findBalances } from "../../../ramp/store/ledger.ts";
import { forgetChain } from "../../store/local-chain.ts";
import { localBlockchain, localTokens } from "./tokens.ts";

/** What it takes to change what the ramp believes about the sandbox's Ethereum. */
export type BooksContext = Pick<RailContext, "db" | "clock" | "sealer" | "log">;

/** What our books say that we own on the sandbox's Ethereum. What is ours is debit-normal. */
export async function readOwned(
  tx: Transaction,
): Promise<{ token: ChainToken; hot: bigint; unswept: bigint }[]> {
  const accountsOf = (token: ChainToken) => {
    const place = { ...token, blockchain: localBlockchain };
    return { hot: ledgerAccounts.hot(place), unswept: ledgerAccounts.unswept(place) };
  };
  const names = localTokens.flatMap((token) => Object.values(accountsOf(token)));
  const balances = await findBalances(tx, names);
  const ownedIn = (account: string) => -(balances.get(account) ?? 0n);
  return localTokens.map((token) => {
    const { hot, unswept } = accountsOf(token);
    return { token, hot: ownedIn(hot), unswept: ownedIn(unswept) };
  });
}

/** Forgets a chain that is no longer there, and tells the ramp what that means for it. */
export async function forgetPast(tx: Transaction, context: BooksContext): Promise<void> {
  const notices = await forgetChain(tx, localBlockchain, context.clock.now());
  await tellNotices(tx, context, `chain:${localBlockchain}`, notices);
}
