import type { Hex } from "../../../chains/hex.ts";
import { assert } from "../../../lib/errors.ts";
import type { Cents, Units } from "../../../lib/money.ts";
import type { Blockchain } from "../../blockchains.ts";

/** When a block is for good. */
export type Finality =
  | { rule: "tag"; tag: "safe" | "finalized" }
  | { rule: "depth"; blocks: number }
  /** Only for a chain that stands still between its transactions, such as the sandbox's. */
  | { rule: "age"; ms: number };

/** A token the ramp deals in on a chain; without a contract it is the chain's own coin. */
export type ChainToken = { symbol: string; decimals: number; contract: Hex | undefined };

/** What may go out of a hot wallet, by symbol. */
export type PayoutLimits = {
  /** What must be left in it. */
  floor: Units;
  perPayout: Units | undefined;
  /** Within the last 24 hours. */
  perDay: Units | undefined;
};

/** An EVM chain as money is moved on it. */
export type RampChain = {
  blockchain: Blockchain;
  chainId: number;
  rpcUrls: readonly string[];
  /** How many endpoints must say the same before money is believed to have come or gone. */
  agreeing: number;
  finality: Finality;
  /** For deposits worth less than this. */
  smallDeposits: { belowCents: Cents; finality: Finality } | undefined;
  /** With exactly one that has no contract. */
  tokens: readonly ChainToken[];
  hotWallet: Hex;
  /** Extended public key whose children m/0/index are the deposit addresses. */
  depositKey: string;
  limits: Readonly<Record<string, PayoutLimits>>;
  /** After how many blocks a transaction that none of them took is sent with higher fees. */
  bumpAfterBlocks: number;
  /** How long to wait before looking for new blocks again. */
  pollMs: number;
};

/** What a chain's time is in the ramp's, in Unix milliseconds: the sandbox's ramp may be ahead of its chain. */
export type BlockTime = (unixSeconds: number) => number;

/** A chain's own coin. */
export function coinOf({ tokens, blockchain }: RampChain): ChainToken {
  const coin = tokens.find(({ contract }) => contract === undefined);
  assert(coin, `${blockchain} has a coin of its own`);
  return coin;
}
