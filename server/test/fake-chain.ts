import { createHash } from "node:crypto";
import { bloomBits } from "../src/chains/bloom.ts";
import type { Hex } from "../src/chains/hex.ts";

/** A log to be put into a block. Logs with the same transaction hash are of one transaction. */
export type NewLog = {
  address: Hex;
  topics: readonly Hex[];
  data?: Hex;
  transactionHash?: Hex;
  /** Who sent the transaction. */
  origin?: Hex;
};

/** A block to be added. Its time follows from its parent unless it is given. */
export type NewBlock = { logs?: readonly NewLog[]; time?: number };

/** A log as a node sends it, without `blockTimestamp`. */
export type WireLog = {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed: boolean;
};

/** A block of a chain in memory. */
export type FakeBlock = {
  number: number;
  hash: Hex;
  parentHash: Hex;
  time: number;
  logsBloom: Hex;
  logs: WireLog[];
};

/** A chain in memory, for nodes to serve. */
export type FakeChain = {
  readonly chainId: number;
  /** The blocks of the chain as it is now, the oldest first. */
  readonly blocks: readonly FakeBlock[];
  head(): FakeBlock;
  /** The block of the chain as it is now. */
  byNumber(number: number): FakeBlock | undefined;
  /** Also finds blocks that have been replaced. */
  byHash(hash: Hex): FakeBlock | undefined;
  originOf(transactionHash: Hex): Hex | undefined;
  /** Adds blocks on top. */
  append(...blocks: NewBlock[]): void;
  /** Replaces the last `depth` blocks. */
  reorg(depth: number, ...blocks: NewBlock[]): void;
  /** Calls back for every new head; returns a function that ends it. */
  onHead(heard: (block: FakeBlock) => void): () => void;
};

type FakeChainOptions = {
  chainId?: number;
  /** The number of the first block there is. */
  firstBlock?: number;
  startTime?: number;
  secondsPerBlock?: number;
};

/** A number as JSON-RPC writes it. */
export const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;

/** 32 bytes made of a text, always the same. */
export const hashOf = (text: string): Hex => `0x${createHash("sha256").update(text).digest("hex")}`;

/** 20 bytes made of a text, always the same. */
export const addressOf = (text: string): Hex => `0x${hashOf(text).slice(26)}`;

/** A chain in memory, with one empty block. Equal calls make equal chains, hash by hash. */
export function fakeChain({
  chainId = 1,
  firstBlock = 0,
  startTime = 1_700_000_000,
  secondsPerBlock = 12,
}: FakeChainOptions = {}): FakeChain {
  const blocks: FakeBlock[] = [];
  const everyBlock = new Map<Hex, FakeBlock>();
  const origins = new Map<Hex, Hex>();
  const listeners = new Set<(block: FakeBlock) => void>();
  let forks = 0;

  const head = () => {
    const last = blocks.at(-1);
    if (!last) throw new Error("a chain has at least one block");
    return last;
  };

  function add({ logs = [], time }: NewBlock): void {
    const parent = blocks.at(-1);
    const block = buildBlock({
      number: parent ? parent.number + 1 : firstBlock,
      parentHash: parent?.hash ?? hashOf(`before ${chainId}`),
      time: time ?? (parent ? parent.time + secondsPerBlock : startTime),
      logs,
      fork: forks,
    });
    logs.forEach(({ origin }, index) => {
      const hash = block.logs[index]?.transactionHash;
      if (hash) origins.set(hash, origin ?? addressOf(`origin ${hash}`));
    });
    blocks.push(block);
    everyBlock.set(block.hash, block);
  }

  const tellHead = () => {
    for (const heard of listeners) heard(head());
  };
  add({});

  return {
    chainId,
    blocks,
    head,
    byNumber: (number) => blocks[number - firstBlock],
    byHash: (hash) => everyBlock.get(hash),
    originOf: (hash) => origins.get(hash),
    append(...added) {
      for (const block of added) add(block);
      tellHead();
    },
    reorg(depth, ...added) {
      if (depth >= blocks.length) throw new Error("the first block stays");
      forks++;
      blocks.splice(blocks.length - depth, depth);
      for (const block of added) add(block);
      tellHead();
    },
    onHead(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}

type BlockParts = Pick<FakeBlock, "number" | "parentHash" | "time"> & {
  logs: readonly NewLog[];
  fork: number;
};

function buildBlock({ number, parentHash, time, logs, fork }: BlockParts): FakeBlock {
  const hash = hashOf(JSON.stringify([number, parentHash, time, logs, fork]));
  const transactions = new Map<Hex, number>();
  const wire = logs.map((log, index): WireLog => {
    const transactionHash = log.transactionHash ?? hashOf(`transaction ${hash} ${index}`);
    if (!transactions.has(transactionHash)) transactions.set(transactionHash, transactions.size);
    return {
      address: log.address,
      topics: log.topics,
      data: log.data ?? "0x",
      blockNumber: hex(number),
      blockHash: hash,
      transactionHash,
      transactionIndex: hex(transactions.get(transactionHash) ?? 0),
      logIndex: hex(index),
      removed: false,
    };
  });
  const values = logs.flatMap(({ address, topics }) => [address, ...topics]);
  return { number, hash, parentHash, time, logsBloom: bloomOf(values), logs: wire };
}

/** The bloom of these addresses and topics. */
export function bloomOf(values: readonly Hex[]): Hex {
  const bytes = Buffer.alloc(256);
  for (const bit of values.flatMap(bloomBits)) {
    const at = 255 - (bit >> 3);
    bytes.writeUInt8(bytes.readUInt8(at) | (1 << (bit & 7)), at);
  }
  return `0x${bytes.toString("hex")}`;
}
