import type { Hex } from "../../../chains/hex.ts";
import { readBigQuantity, readBytes, readQuantity } from "../../../chains/read-hex.ts";
import { RpcFailure } from "../../../chains/rpc-failure.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { EvmBlock, EvmReceipt } from "./evm-nodes.ts";

/** A transaction of a block, as far as its own value is concerned. */
export type MinedValue = { hash: Hex; index: number; from: Hex; to: Hex; value: bigint };

/** A log of a block. */
export type MinedLog = {
  address: Hex;
  topics: readonly Hex[];
  data: unknown;
  transactionHash: Hex;
  transactionIndex: number;
  logIndex: number;
};

/** The block in an answer; nothing when the node has none. */
export function readBlock(result: unknown): EvmBlock | undefined {
  if (result === null) return undefined;
  const block = asObject(result, "a block");
  return {
    number: readQuantity(block.number, "number"),
    hash: readBytes(block.hash, 32, "hash"),
    parentHash: readBytes(block.parentHash, 32, "parentHash"),
    time: readQuantity(block.timestamp, "timestamp"),
    baseFee:
      block.baseFeePerGas == null
        ? undefined
        : readBigQuantity(block.baseFeePerGas, "baseFeePerGas"),
  };
}

/** The receipt in an answer; nothing when no block has the transaction. */
export function readReceipt(result: unknown): EvmReceipt | undefined {
  // Some nodes show a transaction that waits with a receipt that has no block yet.
  if (result === null || (isObject(result) && result.blockHash === null)) return undefined;
  const receipt = asObject(result, "a receipt");
  const gasUsed = readBigQuantity(receipt.gasUsed, "gasUsed");
  const price = readBigQuantity(receipt.effectiveGasPrice, "effectiveGasPrice");
  // What a rollup takes on top for writing to the chain below it.
  const l1Fee = receipt.l1Fee == null ? 0n : readBigQuantity(receipt.l1Fee, "l1Fee");
  return {
    hash: readBytes(receipt.transactionHash, 32, "transactionHash"),
    blockNumber: readQuantity(receipt.blockNumber, "blockNumber"),
    blockHash: readBytes(receipt.blockHash, 32, "blockHash"),
    succeeded: hasSucceeded(receipt),
    gasPaid: gasUsed * price + l1Fee,
  };
}

/** Whether the receipt is of a transaction that did what it should. */
export function hasSucceeded(receipt: Record<string, unknown>): boolean {
  return readQuantity(receipt.status, "status") === 1;
}

/** The transactions of a block that carry value to somebody. Those that make contracts do not. */
export function readValues(result: unknown): MinedValue[] {
  const { transactions } = asObject(result, "a block");
  return asList(transactions, "transactions")
    .map((one) => asObject(one, "a transaction"))
    .filter(({ to }) => to != null)
    .map((one) => ({
      hash: readBytes(one.hash, 32, "hash"),
      index: readQuantity(one.transactionIndex, "transactionIndex"),
      from: readBytes(one.from, 20, "from"),
      to: readBytes(one.to, 20, "to"),
      value: readBigQuantity(one.value, "value"),
    }))
    .filter(({ value }) => value > 0n);
}

/** The logs in an answer, all of the block that was asked for. */
export function readLogs(result: unknown, blockHash: Hex): MinedLog[] {
  return asList(result, "logs")
    .map((one) => asObject(one, "a log"))
    .map((log) => {
      if (log.removed === true || readBytes(log.blockHash, 32, "blockHash") !== blockHash)
        throw wrong("a log is of another block");
      return {
        address: readBytes(log.address, 20, "address"),
        topics: asList(log.topics, "topics").map((topic) => readBytes(topic, 32, "topic")),
        data: log.data,
        transactionHash: readBytes(log.transactionHash, 32, "transactionHash"),
        transactionIndex: readQuantity(log.transactionIndex, "transactionIndex"),
        logIndex: readQuantity(log.logIndex, "logIndex"),
      };
    });
}

/** An answer that has to be an object. */
export function asObject(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw wrong(`${name} is no object`);
}

/** An answer that has to be a list. */
export function asList(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong(`${name} is no list`);
}

/** An answer that contradicts itself or the question. */
export const wrong = (message: string) => new RpcFailure("wrong", message);
