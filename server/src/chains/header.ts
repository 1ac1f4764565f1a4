import { isObject } from "../lib/is-object.ts";
import { emptyBloom } from "./bloom.ts";
import type { Header } from "./chain.ts";
import type { Hex } from "./hex.ts";
import type { RpcRequest } from "./json-rpc.ts";
import { RpcFailure } from "./rpc-failure.ts";

const nobody: Hex = `0x${"0".repeat(40)}`;

/** A number as JSON-RPC writes it. */
export const toQuantity = (value: number): Hex => `0x${value.toString(16)}`;

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
    number: readNumber(result.number, "number"),
    hash: readBytes(result.hash, 32, "hash"),
    parentHash: readBytes(result.parentHash, 32, "parentHash"),
    time: readNumber(result.timestamp, "timestamp"),
    // Some chains leave these out of their blocks.
    logsBloom:
      result.logsBloom == null ? emptyBloom : readBytes(result.logsBloom, 256, "logsBloom"),
    author: result.miner == null ? nobody : readBytes(result.miner, 20, "miner"),
    size: result.size == null ? 0 : readNumber(result.size, "size"),
    gasLimit: result.gasLimit == null ? 0n : readBigInt(result.gasLimit, "gasLimit"),
    gasUsed: result.gasUsed == null ? 0n : readBigInt(result.gasUsed, "gasUsed"),
    totalDifficulty:
      result.totalDifficulty == null
        ? undefined
        : readBigInt(result.totalDifficulty, "totalDifficulty"),
  };
  if (asked !== "latest" && header.number !== asked)
    throw wrong(`it answers with block ${header.number} instead of ${asked}`);
  return header;
}

/** Bytes of a known length, in lower case. */
export function readBytes(value: unknown, length: number, name: string): Hex {
  if (typeof value === "string" && value.length === 2 + 2 * length && isHex(value))
    return value.toLowerCase() as Hex;
  throw wrong(`${name} is not ${length} bytes of hex`);
}

/** Bytes of any length, in lower case. */
export function readData(value: unknown, name: string): Hex {
  if (typeof value === "string" && value.length % 2 === 0 && isHex(value))
    return value.toLowerCase() as Hex;
  throw wrong(`${name} is no hex`);
}

function readNumber(value: unknown, name: string): number {
  const number = isHex(value) && value.length > 2 ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  throw wrong(`${name} is no number`);
}

function readBigInt(value: unknown, name: string): bigint {
  if (isHex(value) && value.length > 2 && value.length <= 66) return BigInt(value);
  throw wrong(`${name} is no number`);
}

function isHex(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-f]*$/i.test(value);
}

const wrong = (message: string) => new RpcFailure("wrong", message);
