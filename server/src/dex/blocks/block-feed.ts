import type { Chain, Header, Nodes } from "../../chains/chain.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf, UnavailableError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import {
  type BlockLink,
  deleteNewestBlocks,
  deleteOldestBlocks,
  findBlockHashes,
  findStoredBlocks,
  insertOlderBlocks,
  replaceBlocks,
  type StoredBlocks,
} from "../store/blocks.ts";

export type BlockFeed = {
  nodes: Pick<Nodes, "heads" | "headers">;
  chain: Chain;
  /** How many of the newest blocks to keep. */
  keep: number | "all";
  db: Database;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Hears of the newest block whenever it is another one. */
  stored?: (block: Header) => void;
};

const batchBlocks = 500;
/** How far back a branch is looked for at first; each look goes twice as far. */
const branchBlocks = 32;
/** Rows that are deleted at once, so that no statement takes long. */
const deleteRows = 5_000;
const retryMs = 1_000;

/** Keeps the table of blocks equal to the chain, until the signal aborts. Several may run: they take turns. */
export async function followBlocks(feed: BlockFeed): Promise<void> {
  let heads = 0;
  let oldEnd: Promise<void> | undefined;
  async function settleOldEnd(): Promise<void> {
    for (let seen = 0; seen < heads; ) {
      seen = heads;
      await insist(feed, () => moveOldEnd(feed));
    }
    oldEnd = undefined;
  }
  await insist(feed, async () => {
    for await (const head of feed.nodes.heads(feed.signal)) {
      await catchUp(feed, head);
      heads++;
      // Beside us: history may take hours to come, and new blocks do not wait for it.
      oldEnd ??= settleOldEnd();
    }
  });
  await oldEnd;
}

/** Does the work, and does it again whenever it fails. */
async function insist(feed: BlockFeed, work: () => Promise<void>): Promise<void> {
  const { chain, clock, log, signal } = feed;
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return;
      const reason = messageOf(error);
      log.warn({ blockchain: chain.id, reason }, "cannot follow blocks; trying again");
      await clock.sleep(retryMs, signal);
    }
  }
}

/** Brings the table up to a head, batch by batch. */
async function catchUp(feed: BlockFeed, head: Header): Promise<void> {
  const { chain, db, signal } = feed;
  while (!signal.aborted) {
    const stored = await findStoredBlocks(db, chain.id);
    const base = await findBase(feed, stored, head);
    if (base === "nothing to do") return;
    if (stored && (await dropsLongBranch(feed, stored, base))) continue;

    const blocks = await nextBlocks(feed, base, head);
    const isWritten = await replaceBlocks(db, chain, { newest: stored?.newest, base, blocks });
    const newest = blocks.at(-1);
    if (isWritten && newest) feed.stored?.(newest);
  }
}

/** The batch that follows the base on the way to the head. */
async function nextBlocks(
  feed: BlockFeed,
  base: BlockLink | undefined,
  head: Header,
): Promise<Header[]> {
  const from = base ? base.number + 1 : firstBlock(feed, head);
  const to = Math.min(head.number, from + batchBlocks - 1);
  const known = to === head.number ? [head] : [];
  const blocks = [...(await feed.nodes.headers(span(from, to - known.length))), ...known];
  refuseGaps(base ? [base, ...blocks] : blocks);
  return blocks;
}

/** The stored block that the next ones build on; none when there is no such block in reach. */
async function findBase(
  feed: BlockFeed,
  stored: StoredBlocks | undefined,
  head: Header,
): Promise<BlockLink | undefined | "nothing to do"> {
  const { nodes, chain, db } = feed;
  if (!stored || stored.newest.number < oldestWanted(feed, head)) return undefined;
  const { oldest, newest } = stored;
  if (head.hash === newest.hash) return "nothing to do";
  if (head.number < oldest.number) {
    // A node that is far behind will catch up. One whose blocks are younger than ours is of another chain.
    return head.time > newest.time ? undefined : "nothing to do";
  }
  if (head.number <= newest.number) {
    const ours = await findBlockHashes(db, chain.id, head.number, head.number);
    if (ours.get(head.number) === head.hash) return "nothing to do";
    return findBranch(feed, oldest, head.number - 1);
  }
  const [next = head] =
    head.number === newest.number + 1 ? [head] : await nodes.headers([newest.number + 1]);
  return next.parentHash === newest.hash ? newest : findBranch(feed, oldest, newest.number);
}

/** The newest stored block that the chain still has, looking from a number down to the oldest. */
async function findBranch(
  { nodes, chain, db }: BlockFeed,
  oldest: BlockLink,
  from: number,
): Promise<BlockLink | undefined> {
  let count = branchBlocks;
  for (let to = from; to >= oldest.number; to -= count, count = Math.min(2 * count, batchBlocks)) {
    const first = Math.max(oldest.number, to - count + 1);
    const ours = await findBlockHashes(db, chain.id, first, to);
    const theirs = await nodes.headers(span(first, to));
    const common = theirs.findLast(({ number, hash }) => ours.get(number) === hash);
    if (common) return common;
  }
  return undefined;
}

/** Deletes a long branch bit by bit and says so; a short one is replaced by its successor in one go. */
async function dropsLongBranch(
  { chain, db, log }: BlockFeed,
  { oldest, newest }: StoredBlocks,
  base: BlockLink | undefined,
): Promise<boolean> {
  const after = base?.number ?? oldest.number - 1;
  const count = newest.number - after;
  if (count > 0) log.info({ blockchain: chain.id, count }, "stored blocks are replaced");
  if (count <= deleteRows) return false;
  while ((await deleteNewestBlocks(db, chain.id, after, deleteRows)) > 0);
  return true;
}

/** Fetches older blocks until there are enough, newest first, and deletes those that have become too many. */
async function moveOldEnd(feed: BlockFeed): Promise<void> {
  const { nodes, chain, keep, db, signal } = feed;
  const spare = keep === "all" ? 0 : Math.ceil(keep / 10);
  while (!signal.aborted) {
    const stored = await findStoredBlocks(db, chain.id);
    if (!stored) return;
    const { oldest, newest } = stored;
    const wanted = oldestWanted(feed, newest);
    if (oldest.number > wanted) {
      const from = Math.max(wanted, oldest.number - batchBlocks);
      const blocks = await nodes.headers(span(from, oldest.number - 1));
      refuseGaps([...blocks, oldest]);
      await insertOlderBlocks(db, chain, oldest, blocks);
    } else if (oldest.number < wanted - spare) {
      await deleteOldestBlocks(db, chain.id, wanted, deleteRows);
    } else return;
  }
}

function oldestWanted({ keep }: BlockFeed, { number }: BlockLink): number {
  return keep === "all" ? 0 : Math.max(0, number - keep + 1);
}

/** Where an empty table begins: near the head, because what is recent is asked for first. */
function firstBlock(feed: BlockFeed, head: BlockLink): number {
  return Math.max(oldestWanted(feed, head), head.number - batchBlocks + 1);
}

/** The chain may change while it is read, and nodes may be of two minds: then it is read again. */
function refuseGaps(blocks: readonly BlockLink[]): void {
  const isGap = blocks.some(({ number, parentHash }, index) => {
    const previous = blocks[index - 1];
    return previous && (previous.number !== number - 1 || previous.hash !== parentHash);
  });
  if (isGap) throw new UnavailableError("The blocks that the nodes gave do not follow each other.");
}

/** The whole numbers from one to another, both included. */
function span(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
