import type { Token } from "../transaction.ts";

/** An asset of the ledger: `USD`, or a token on its blockchain, `USDC.ethereum`. */
export const usd = "USD";
export const assetOf = ({ symbol, blockchain }: Token): string => `${symbol}.${blockchain}`;

/** Names of ledger accounts. Every account holds one asset, the last part of its name. */
export const ledgerAccounts = {
  /** Our account at the bank. Debit-normal, like all that is ours. */
  bank: () => `bank:main:${usd}`,
  /** What we can pay out on a chain. */
  hot: (token: Token) => `hot:${assetOf(token)}`,
  /** Deposits that have not been swept to the hot wallet. */
  unswept: (token: Token) => `unswept:${assetOf(token)}`,
  /** What our transactions paid to a network. */
  gas: (token: Token) => `gas:${assetOf(token)}`,
  /** What the owners put in. */
  equity: (asset: string) => `equity:${asset}`,
  /** The customer's money inside one transaction. Guarded: it never goes below zero. */
  transaction: (id: string, asset: string) => `transaction:${id}:${asset}`,
  /** Sent, and not yet confirmed. */
  out: (rail: "ach" | "wire" | "chain", asset: string) => `out:${rail}:${asset}`,
  /** Came in, and nobody knows yet whose it is. */
  suspense: (asset: string) => `suspense:${asset}`,
  fees: (asset: string) => `fees:${asset}`,
  rounding: (asset: string) => `rounding:${asset}`,
  /** Our position from exchanging one asset for another. May have either sign. */
  exchange: (asset: string) => `exchange:${asset}`,
  loss: (asset: string) => `loss:${asset}`,
} as const;
