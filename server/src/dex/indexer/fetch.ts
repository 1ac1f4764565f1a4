import type { Header, Log, LogFilter, LogRange, Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import { type Deployment, exchanges } from "../deployment.ts";
import { decode, factoryTopics, poolTopics } from "./events.ts";
import { findPools } from "./find-pools.ts";

/** Up to this many pools the node filters by address; above, we do. */
const addressesMost = 1_000;
/** How far the factory is read ahead of its pools. */
const windowBlocks = 100_000;

/** Which of a deployment's logs are wanted, as far as its pools are known. */
export type Watch = {
  readonly deployment: Deployment;
  /** Every pool the factory has made that we want. */
  readonly pools: Set<Hex>;
};

/** Everything a deployment's contracts said from one block to another, in the order of the chain. */
export async function* fetchLogs(
  nodes: Nodes,
  watch: Watch,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): AsyncGenerator<LogRange> {
  for (let start = from; start <= to; start += windowBlocks) {
    const end = Math.min(start + windowBlocks - 1, to);
    // The factory first: only then is it known which pools speak in these blocks.
    const created = await factoryLogs(nodes, watch, { from: start, to: end }, signal);
    if (watch.pools.size === 0) {
      yield { from: start, to: end, logs: [] };
      continue;
    }
    for await (const range of nodes.streamLogs(poolFilter(watch), start, end, signal)) {
      yield { ...range, logs: merge(takeUntil(created, range.to), range.logs, watch) };
    }
    // A stream that was cut short must not look like one that had no more to say.
    signal.throwIfAborted();
  }
}

/** Everything they said in each of these blocks. */
export async function fetchBlockLogs(
  nodes: Nodes,
  watch: Watch,
  headers: readonly Header[],
): Promise<Log[][]> {
  const { factory, pools, exchange } = watch.deployment;
  const topics = [...factoryTopics, ...poolTopics(exchanges[exchange].dialect)];
  const filter: LogFilter =
    pools === "all" ? { topics } : { topics, addresses: [factory, ...pools] };
  const spoken = await Promise.all(headers.map((header) => nodes.blockLogs(header, filter)));
  return spoken.map((logs) => {
    const isFactory = ({ address }: Log) => address === factory;
    const created = new Set(notePools(watch, logs.filter(isFactory)));
    return logs.filter((log) => created.has(log) || watch.pools.has(log.address));
  });
}

async function factoryLogs(
  nodes: Nodes,
  watch: Watch,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): Promise<Log[]> {
  const filter: LogFilter = { addresses: [watch.deployment.factory], topics: factoryTopics };
  const created: Log[] = [];
  for await (const { logs } of nodes.streamLogs(filter, from, to, signal)) {
    const [first] = logs;
    const isBeginning = watch.pools.size === 0 && first !== undefined;
    const found = isBeginning ? await findPools(nodes, watch.deployment, first) : [];
    created.push(...notePools(watch, [...found, ...logs]));
  }
  signal.throwIfAborted();
  return created;
}

/** Watches the pools that these logs of the factory announce. Returns the logs of those that are wanted. */
function notePools({ deployment, pools }: Watch, created: readonly Log[]): Log[] {
  return created.filter((log) => {
    const event = decode(log, exchanges[deployment.exchange].dialect);
    if (event.kind !== "poolCreated") return false;
    const isWanted = deployment.pools === "all" || deployment.pools.includes(event.pool);
    if (isWanted) pools.add(event.pool);
    return isWanted;
  });
}

function poolFilter({ deployment, pools }: Watch): LogFilter {
  const topics = poolTopics(exchanges[deployment.exchange].dialect);
  return pools.size <= addressesMost ? { topics, addresses: [...pools] } : { topics };
}

/** Removes and returns the logs up to a block. */
function takeUntil(logs: Log[], block: number): Log[] {
  const end = logs.findIndex((log) => log.block > block);
  return logs.splice(0, end === -1 ? logs.length : end);
}

function merge(created: readonly Log[], spoken: Log[], { pools }: Watch): Log[] {
  const ours = spoken.filter(({ address }) => pools.has(address));
  if (created.length === 0) return ours;
  return [...created, ...ours].sort(
    (one, other) => one.block - other.block || one.index - other.index,
  );
}
