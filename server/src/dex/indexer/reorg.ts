import type { Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import { type Checkpoint, listBlockHashes, type StoredDeployment } from "../store/checkpoints.ts";
import { findRawLogs } from "../store/raw-logs.ts";

/** Where our chain and the node's part ways. */
export type Fork =
  /** They do not. */
  | { kind: "none" }
  /** The node has not got as far as we have. */
  | { kind: "behind"; head: { block: number; time: number } }
  /** Every block after this one can be undone. */
  | { kind: "shallow"; at: Checkpoint }
  /** Deeper than we can undo; this is the last stored range that is on the node's chain, if any. */
  | { kind: "deep"; at: Checkpoint | undefined };

/** Compares what we have with the node's chain. */
export async function findFork(
  db: Database,
  nodes: Nodes,
  { id, checkpoint }: StoredDeployment,
): Promise<Fork> {
  if (!checkpoint) return { kind: "none" };
  if (await isOnChain(nodes, checkpoint)) return { kind: "none" };
  const head = await nodes.head();
  const known = await listBlockHashes(db, id);
  const comparable = known.filter(({ block }) => block <= head.number);
  if (head.number < checkpoint.block) {
    const newest = comparable[0] ?? (await findRawLogs(db, id, head.number))?.to;
    if (!newest || newest.block > head.number || (await isOnChain(nodes, newest))) {
      return { kind: "behind", head: { block: head.number, time: head.time } };
    }
  }
  for (const { block, hash } of comparable) {
    const header = await nodes.header(block);
    if (header?.hash === hash) return { kind: "shallow", at: { block, hash, time: header.time } };
  }
  return { kind: "deep", at: await lastCommonRange(db, nodes, id, head.number) };
}

async function isOnChain(
  nodes: Nodes,
  { block, hash }: { block: number; hash: Hex },
): Promise<boolean> {
  return (await nodes.header(block))?.hash === hash;
}

/** Halves the stored ranges until the last one that ends on the node's chain is found. */
async function lastCommonRange(
  db: Database,
  nodes: Nodes,
  id: number,
  head: number,
): Promise<Checkpoint | undefined> {
  let common: Checkpoint | undefined;
  let low = 0;
  let high = head;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const range = await findRawLogs(db, id, middle);
    if (!range) {
      low = middle + 1;
    } else if (range.to.block <= head && (await isOnChain(nodes, range.to))) {
      common = range.to;
      low = Math.max(middle, range.to.block) + 1;
    } else {
      high = range.from - 1;
    }
  }
  return common;
}
