import { isObject } from "../lib/is-object.ts";
import { emptyBloom } from "./bloom.ts";
import type { Header } from "./chain.ts";
import type { Hex } from "./hex.ts";
import type { RpcRequest } from "./json-rpc.ts";
import { readBigQuantity, readBytes, readQuantity, toQuantity } from "./read-hex.ts";
import { RpcFailure } from "./rpc-failure.ts";

const nobody: Hex = `0x${"0".repeat(40)}`;

/** Asks for a block by its number, or for the newest. Its transactions are not wanted. */
export function headerRequest(block: number | "latest"): RpcRequest {
  const params = [block === "latest" ? block : toQuantity(block), false];
  return { method: "eth_getBlockByNumber", params };
}

/** The header in an answer. A null is "missing": the node may lag. */
export function readHeader(result: unknown, asked: number | "latest"): Header {
  if (result === null) throw new RpcFailure("missing", `it has no block ${asked}`);
  if (!isObject(result)) throw wrong("a block is no object");
  const header: Header = {
    number: readQuantity(result.number, "number"),
    hash: readBytes(result.hash, 32, "hash"),
    parentHash: readBytes(result.parentHash, 32, "parentHash"),
    time: readQuantity(result.timestamp, "timestamp"),
    // Some chains leave these out of their blocks.
    logsBloom:
      result.logsBloom == null ? emptyBloom : readBytes(result.logsBloom, 256, "logsBloom"),
    author: result.miner == null ? nobody : readBytes(result.miner, 20, "miner"),
    size: result.size == null ? 0 : readQuantity(result.size, "size"),
    gasLimit: result.gasLimit == null ? 0n : readBigQuantity(result.gasLimit, "gasLimit"),
    gasUsed: result.gasUsed == null ? 0n : readBigQuantity(result.gasUsed, "gasUsed"),
    totalDifficulty:
      result.totalDifficulty == null
        ? undefined
        : readBigQuantity(result.totalDifficulty, "totalDifficulty"),
  };
  if (asked !== "latest" && header.number !== asked)
    throw wrong(`it answers with block ${header.number} instead of ${asked}`);
  return header;
}

const wrong = (message: string) => new RpcFailure("wrong", message);
