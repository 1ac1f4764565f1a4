import type { Hex } from "../../../chains/hex.ts";
import type { Units } from "../../../lib/money.ts";
import type { ChainToken } from "./ramp-chain.ts";

/** A block, as far as money is concerned. `time` in Unix seconds. */
export type EvmBlock = {
  number: number;
  hash: Hex;
  parentHash: Hex;
  time: number;
  baseFee: bigint | undefined;
};

/** Money that a block moved: a token's Transfer log, or the value of a transaction that succeeded. */
export type EvmTransfer = {
  transactionHash: Hex;
  /** Position in the block; -1 is the transaction's own value. */
  logIndex: number;
  token: ChainToken;
  from: Hex;
  to: Hex;
  units: Units;
};

/** What became of a transaction that a block has. */
export type EvmReceipt = {
  hash: Hex;
  blockNumber: number;
  blockHash: Hex;
  succeeded: boolean;
  /** In the chain's own coin. */
  gasPaid: bigint;
};

/** What a transaction does, before it has a nonce and fees. */
export type EvmCall = { to: Hex; value: bigint; data: Hex };

/**
 * The nodes of a chain for those who move money: several are asked, and what is not said by `agreeing` of them alike
 * is an error. Hex is lower-case.
 */
export type EvmNodes = {
  /** Nothing when there is no such block yet. */
  block(which: number | "latest" | "safe" | "finalized"): Promise<EvmBlock | undefined>;
  /** What a block moved of the chain's tokens and its own coin, in the order of the block. */
  transfers(block: EvmBlock): Promise<EvmTransfer[]>;
  /** Nothing when no block has it. */
  receipt(hash: Hex): Promise<EvmReceipt | undefined>;
  /** How many transactions an address has sent. */
  nonce(address: Hex, at: "latest" | number): Promise<number>;
  balance(address: Hex, token: ChainToken, at: "latest" | number): Promise<bigint>;
  /** What the network takes just now, with room for a rise. */
  fees(): Promise<{ maxFee: bigint; priorityFee: bigint }>;
  estimateGas(from: Hex, call: EvmCall): Promise<bigint>;
  /** Hands signed bytes to every endpoint. Resolves when one has them, also when it had them before. */
  send(raw: Hex): Promise<void>;
  close(): Promise<void>;
};
