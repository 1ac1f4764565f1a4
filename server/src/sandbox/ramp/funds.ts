import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { supportedTokens } from "../../ramp/assets.ts";
import { ledgerAccounts } from "../../ramp/ledger/accounts.ts";
import { bookOpening } from "../../ramp/ledger/book.ts";
import { openBalance } from "../store/balances.ts";

const bankCents = 10_000_000_00n;
/** The least quantity of a token is worth about ten dollars, so this is about a hundred million. */
const leastQuantities = 10_000_000n;

/** Gives the sandbox's ramp money at its bank and tokens on its chains, once, in both books. */
export function seedSandboxFunds(db: Database, clock: Clock): Promise<void> {
  const accounts = [
    { account: ledgerAccounts.bank(), amount: bankCents },
    ...supportedTokens.map((token) => ({
      account: ledgerAccounts.hot(token),
      amount: token.leastUnits * leastQuantities,
    })),
  ];
  return db.transact(async (tx) => {
    const at = new Date(clock.now());
    for (const { account, amount } of accounts) {
      if (await openBalance(tx, account, amount))
        await bookOpening(tx, account, amount, `opening:${account}`, at);
    }
  });
}
