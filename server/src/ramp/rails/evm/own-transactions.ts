import type { Hex } from "../../../chains/hex.ts";
import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import type { EvmContext } from "./chain-rail.ts";
import type { EvmCall } from "./evm-nodes.ts";

/** A transaction of our own that moves money between our addresses. */
export type OwnTransaction = {
  purpose: "gas" | "sweep";
  sender: Hex;
  /** The deposit address that is emptied or given gas, and its index. */
  address: string;
  depositIndex: number;
  currency: string;
  units: bigint;
  call: EvmCall;
  gasLimit: bigint;
};

/** Brings our own transactions into blocks, and tells when they are there for good. */
export function ownTransactionsWatch(_context: EvmContext): DueRunner {
  throw new Error("not there yet");
}

/** Finds out which nonce a sender uses next. To be called before `reserveTransaction`, outside of its transaction. */
export function prepareSender(_context: EvmContext, _sender: Hex): Promise<void> {
  throw new Error("not there yet");
}

/** Takes a nonce for a transaction; the watch signs and sends it. Returns its id. */
export function reserveTransaction(
  _tx: Transaction,
  _context: EvmContext,
  _wanted: OwnTransaction,
): Promise<string> {
  throw new Error("not there yet");
}
