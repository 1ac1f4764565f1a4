import type { Transaction } from "../../database/database.ts";
import { assert } from "../../lib/errors.ts";
import { findToken } from "../assets.ts";
import { assetOf, ledgerAccounts } from "../ledger/accounts.ts";
import type { Notice } from "../ports.ts";
import { bookOnce } from "../store/ledger.ts";

type OwnTransfer = Extract<Notice, { kind: "own_transfer" }>;

/** Books what a transaction of ours moved between our own addresses and what it paid. Told twice, it changes nothing. */
export async function takeOwnTransfer(
  tx: Transaction,
  { blockchain, transactionHash, moves, at }: OwnTransfer,
): Promise<void> {
  await bookOnce(tx, {
    fact: `${blockchain}:${transactionHash}`,
    kind: "own_transfer",
    transactionId: null,
    at: new Date(at),
    moves: moves.map(({ currency, units, from, to }) => {
      const token = findToken(currency, blockchain);
      assert(token, `${currency} on ${blockchain} is a token that we know`);
      // What is ours is debit-normal: what gets more of it is debited.
      return {
        asset: assetOf(token),
        amount: units,
        from: ledgerAccounts[to](token),
        to: ledgerAccounts[from](token),
      };
    }),
  });
}
