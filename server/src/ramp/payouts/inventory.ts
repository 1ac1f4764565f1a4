import type { Transaction } from "../../database/database.ts";
import { assetOf, ledgerAccounts, usd } from "../ledger/accounts.ts";
import { findBalances } from "../store/ledger.ts";
import { lockInventory, sumQueued } from "../store/payouts.ts";
import type { Ramp } from "../transaction.ts";

/** Whether we have what a payout takes, after everything that is under way or promised. Holds until `tx` ends. */
export async function hasInventory(tx: Transaction, ramp: Ramp): Promise<boolean> {
  const isPurchase = ramp.type === "ON_RAMP";
  const asset = isPurchase ? assetOf(ramp.token) : usd;
  const ours = isPurchase ? ledgerAccounts.hot(ramp.token) : ledgerAccounts.bank();
  const underWay = (isPurchase ? (["chain"] as const) : (["ach", "wire"] as const)).map((rail) =>
    ledgerAccounts.out(rail, asset),
  );
  await lockInventory(tx, asset);
  const balances = await findBalances(tx, [ours, ...underWay]);
  const balanceOf = (account: string) => balances.get(account) ?? 0n;
  // What is ours is debit-normal: its balance is negative.
  const sent = underWay.reduce((sum, account) => sum + balanceOf(account), 0n);
  const available = -balanceOf(ours) - sent - (await sumQueued(tx, asset));
  return available >= (isPurchase ? ramp.heldUnits : ramp.heldCents);
}
