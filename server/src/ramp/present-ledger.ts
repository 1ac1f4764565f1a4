import type { LedgerLine } from "@slipway/sdk";
import { assert } from "../lib/errors.ts";
import { asCents, formatCents, formatDecimal } from "../lib/money.ts";
import { timestamp } from "../lib/timestamp.ts";
import { findToken } from "./assets.ts";
import { usd } from "./ledger/accounts.ts";

/** A booking to one account. Credits are positive. */
export type Posting = {
  journal: number;
  kind: string;
  account: string;
  asset: string;
  amount: bigint;
  at: Date;
};

/** A line of the ledger as it is shown: amounts in whole tokens and dollars, on one of its two sides. */
export function presentPosting({ journal, kind, account, asset, amount, at }: Posting): LedgerLine {
  return {
    journal,
    kind,
    account,
    asset,
    debit: amount < 0n ? formatAsset(-amount, asset) : null,
    credit: amount > 0n ? formatAsset(amount, asset) : null,
    createdAt: timestamp(at),
  };
}

/** An amount of an asset of the ledger as a decimal. */
export function formatAsset(amount: bigint, asset: string): string {
  if (asset === usd) return formatCents(asCents(amount));
  const [symbol = "", blockchain = ""] = asset.split(".");
  const token = findToken(symbol, blockchain);
  assert(token, `${asset} is an asset of the ledger`);
  return formatDecimal(amount, token.decimals);
}
