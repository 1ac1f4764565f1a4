import type { Log, Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import { type Deployment, exchanges } from "../deployment.ts";
import type { StoredDeployment } from "../store/checkpoints.ts";
import { readRawLogs } from "../store/raw-logs.ts";
import { poolTopics } from "./events.ts";
import { unpackLogs } from "./raw-logs.ts";

type GapOptions = {
  db: Database;
  nodes: Nodes;
  deployment: Deployment;
  stored: StoredDeployment;
  pool: Hex;
  signal: AbortSignal;
};

/** Asks again for all logs of a pool. Returns the first block in which they are not those we have stored. */
export async function findGap(options: GapOptions): Promise<number | undefined> {
  const { db, nodes, deployment, stored, pool, signal } = options;
  if (!stored.covered) return undefined;
  const filter = { addresses: [pool], topics: poolTopics(exchanges[deployment.exchange].dialect) };
  const ours = storedLogs(db, stored.id, pool);
  const { startBlock } = deployment;
  for await (const { logs } of nodes.streamLogs(filter, startBlock, stored.covered.block, signal)) {
    for (const theirs of logs) {
      const { value: own } = await ours.next();
      if (!own || !isSame(own, theirs)) return Math.min(own?.block ?? theirs.block, theirs.block);
    }
  }
  signal.throwIfAborted();
  const { value: extra } = await ours.next();
  return extra?.block;
}

async function* storedLogs(
  db: Database,
  deployment: number,
  pool: Hex,
): AsyncGenerator<Log, undefined> {
  for await (const { logs } of readRawLogs(db, deployment, 0)) {
    for (const log of unpackLogs(logs)) if (log.address === pool) yield log;
  }
  return undefined;
}

function isSame(one: Log, other: Log): boolean {
  return (
    one.block === other.block &&
    one.blockHash === other.blockHash &&
    one.index === other.index &&
    one.data === other.data &&
    one.topics.join() === other.topics.join()
  );
}
