import type { Hex } from "./hex.ts";

/** An EVM network and where its nodes are. */
export type Chain = {
  /** As in paths: `ethereum`. */
  id: string;
  name: string;
  chainId: number;
  /** http, https, ws or wss; the first that is well is used. */
  rpcUrls: readonly string[];
  /** How deep a reorganisation may be before its blocks count as final. */
  finalityBlocks: number;
  /** What to say for blocks whose node does not tell. */
  totalDifficulty: string;
  /** How many answers must agree before logs are believed. */
  agreeing: number;
};

export type Header = {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  time: number;
  logsBloom: Hex;
  author: Hex;
  size: number;
  gasLimit: bigint;
  gasUsed: bigint;
  /** Nodes may leave it out. */
  totalDifficulty: bigint | undefined;
};

/** One event of a contract. Hex is lower-case; `data` and `topics` are as the node gave them. */
export type Log = {
  block: number;
  blockHash: Hex;
  /** Of the block, in Unix seconds. */
  time: number;
  transactionHash: Hex;
  /** Position in the block. */
  index: number;
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
};

/** Which logs: any of the addresses (all contracts when left out) and any of the first topics. */
export type LogFilter = { addresses?: readonly Hex[]; topics: readonly Hex[] };

/** All logs of the blocks from `from` to `to`, in the order of the chain. */
export type LogRange = { from: number; to: number; logs: Log[] };

/** What one endpoint is doing, for health. It is named by its host, never by its URL, which may hold a key. */
export type EndpointHealth = { host: string; state: "ok" | "resting"; lastError: string | null };

/** The nodes of one chain, as one: limits, retries, fallback and checks are behind it. */
export type Nodes = {
  /** The newest block. */
  head(): Promise<Header>;
  /** The block with this number, or nothing when there is none yet. */
  header(number: number): Promise<Header | undefined>;
  /** The blocks with these numbers, in the same order. */
  headers(numbers: readonly number[]): Promise<Header[]>;
  /** New heads until the signal aborts, newest only: heads that nobody waited for are skipped. */
  heads(signal: AbortSignal): AsyncIterable<Header>;
  /** Logs of many blocks as ranges without gaps, in order, fetched ahead. */
  streamLogs(
    filter: LogFilter,
    from: number,
    to: number,
    signal: AbortSignal,
  ): AsyncIterable<LogRange>;
  /** Logs of exactly this block, checked against its bloom. */
  blockLogs(header: Header, filter: LogFilter): Promise<Log[]>;
  /** Results of read-only calls at the newest block, or at one; nothing for those that revert. */
  call(calls: readonly { to: Hex; data: Hex }[], block?: number): Promise<(Hex | undefined)[]>;
  /** Who sent these transactions. Those that nobody knows are left out. */
  origins(hashes: readonly Hex[]): Promise<Map<Hex, Hex>>;
  /** Puts the endpoint that answered last at the end of the queue: its logs did not fit. */
  distrust(reason: string): void;
  health(): EndpointHealth[];
  close(): Promise<void>;
};
