import { isObject } from "../lib/is-object.ts";
import type { Log } from "./chain.ts";
import type { Hex } from "./hex.ts";
import type { PreparedFilter } from "./log-filter.ts";
import { readBytes, readData, readQuantity } from "./read-hex.ts";
import { RpcFailure } from "./rpc-failure.ts";

/** What the logs of an answer must be: of these blocks, and of this filter. */
export type LogScope = {
  from: number;
  to: number;
  filter: PreparedFilter;
  /** When one block was asked for by its hash. */
  block?: { hash: Hex; time: number };
};

/** Logs that have been checked. */
export type LogAnswer = {
  /** In the order of the chain. Their `time` is -1 unless `isTimed`. */
  logs: Log[];
  isTimed: boolean;
  /** How many logs came more than once. */
  repeated: number;
};

const untimed = -1;

/** Reads the results of eth_getLogs. Everything is checked; a single wrong log makes the answer worthless. */
export function readLogs(results: readonly unknown[], scope: LogScope): LogAnswer {
  const read = logReader(scope);
  const logs: Log[] = [];
  let isSorted = true;
  let last: Log | undefined;
  for (const result of results) {
    if (!Array.isArray(result)) throw wrong("the logs are no list");
    for (const wire of result) {
      const log = read(wire);
      if (last && (log.block - last.block || log.index - last.index) <= 0) isSorted = false;
      logs.push(log);
      last = log;
    }
  }
  if (!isSorted) logs.sort((a, b) => a.block - b.block || a.index - b.index);
  const distinct = isSorted ? logs : withoutRepeats(logs);
  checkNeighbours(distinct);
  return {
    logs: distinct,
    isTimed: distinct.every(({ time }) => time !== untimed),
    repeated: logs.length - distinct.length,
  };
}

/** Whether two answers are the same. */
export function sameLogs(a: readonly Log[], b: readonly Log[]): boolean {
  return a.length === b.length && a.every((log, at) => sameLog(log, b[at]));
}

function sameLog(a: Log, b: Log | undefined): boolean {
  return (
    b !== undefined &&
    a.block === b.block &&
    a.index === b.index &&
    a.blockHash === b.blockHash &&
    a.transactionHash === b.transactionHash &&
    a.address === b.address &&
    a.data === b.data &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, at) => topic === b.topics[at])
  );
}

function withoutRepeats(sorted: readonly Log[]): Log[] {
  return sorted.filter((log, at) => {
    const before = sorted[at - 1];
    if (before?.block !== log.block || before.index !== log.index) return true;
    if (!sameLog(log, before)) throw wrong(`two different logs are number ${place(log)}`);
    return false;
  });
}

/** Logs of a block agree on its hash and time; other blocks have other hashes and no earlier times. */
function checkNeighbours(logs: readonly Log[]): void {
  let before: Log | undefined;
  for (const log of logs) {
    if (before && before.block === log.block) checkSameBlock(log, before);
    else if (before && (before.blockHash === log.blockHash || isEarlier(log, before)))
      throw wrong(`log ${place(log)} has the hash of the block before it, or an earlier time`);
    before = log;
  }
}

function checkSameBlock(log: Log, before: Log): void {
  if (log.blockHash !== before.blockHash || log.time !== before.time)
    throw wrong(`log ${place(log)} has another block hash or time than its neighbour`);
}

const isEarlier = (log: Log, before: Log) => log.time !== untimed && log.time < before.time;

const place = ({ index, block }: Log) => `${index} of block ${block}`;

/**
 * Makes a function that reads one log. It runs for millions of logs: neighbours share their block, its time and often
 * their transaction, and the same few addresses come again, so that texts already read are not read again.
 */
function logReader({ from, to, filter, block }: LogScope): (wire: unknown) => Log {
  const readBlock = remembering((value) => readQuantity(value, "blockNumber"));
  const readTime = remembering(readTimestamp);
  const readBlockHash = remembering((value) => readBytes(value, 32, "blockHash"));
  const readTransactionHash = remembering((value) => readBytes(value, 32, "transactionHash"));
  const readAddress = interning(20, "address", filter.addresses);
  const readFirstTopic = interning(32, "first topic", filter.topics);
  const readTopic = interning(32, "topic", undefined);

  function readTopics(value: unknown): Hex[] {
    if (!Array.isArray(value) || value.length > 4) throw wrong("the topics are no list");
    if (value.length === 0 && filter.topics) throw wrong("a log has none of the topics asked for");
    return value.map((topic, at) => (at === 0 ? readFirstTopic(topic) : readTopic(topic)));
  }

  return (wire) => {
    if (!isObject(wire)) throw wrong("a log is no object");
    if (wire.removed === true) throw wrong("a log has been removed from the chain");
    const log: Log = {
      block: readBlock(wire.blockNumber),
      blockHash: readBlockHash(wire.blockHash),
      time: block?.time ?? readTime(wire.blockTimestamp),
      transactionHash: readTransactionHash(wire.transactionHash),
      index: readQuantity(wire.logIndex, "logIndex"),
      address: readAddress(wire.address),
      topics: readTopics(wire.topics),
      data: readData(wire.data, "the data of a log"),
    };
    if (log.block < from || log.block > to)
      throw wrong(`log ${place(log)} is outside of ${from} to ${to}`);
    if (block && log.blockHash !== block.hash)
      throw wrong(`log ${place(log)} is of another block than was asked for`);
    return log;
  };
}

/** Reads the same value as last time without reading it again. */
function remembering<Result>(read: (value: unknown) => Result): (value: unknown) => Result {
  let lastValue: unknown = remembering;
  let lastResult: Result;
  return (value) => {
    if (value === lastValue) return lastResult;
    lastResult = read(value);
    lastValue = value;
    return lastResult;
  };
}

/** Reads bytes of which only a few different ones are expected, or allowed. */
function interning(
  length: number,
  name: string,
  allowed: ReadonlySet<Hex> | undefined,
): (value: unknown) => Hex {
  const known = new Map<unknown, Hex>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const bytes = readBytes(value, length, `the ${name} of a log`);
    if (allowed && !allowed.has(bytes)) throw wrong(`a log has another ${name} than was asked for`);
    known.set(value, bytes);
    return bytes;
  };
}

/** Nodes leave the time out, or say 0 when they do not know it. */
function readTimestamp(value: unknown): number {
  return value === undefined || value === null
    ? untimed
    : readQuantity(value, "blockTimestamp") || untimed;
}

const wrong = (message: string) => new RpcFailure("wrong", message);
