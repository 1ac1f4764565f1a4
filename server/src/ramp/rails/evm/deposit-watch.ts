import type { DueRunner } from "../../../database/due.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { Units } from "../../../lib/money.ts";
import { addressWatchMs } from "../../policy.ts";
import {
  type ChainCursor,
  claimCursor,
  findChainCursor,
  findKeptBlock,
  goBack,
  insertCursor,
  type KnownBlock,
  passBlock,
  releaseCursor,
} from "../store/chain-blocks.ts";
import {
  findFinalDepositBlock,
  findOldestWatched,
  takeBackDeposits,
} from "../store/chain-deposits.ts";
import type { EvmContext } from "./chain-rail.ts";
import { tellDeposits } from "./deposit-notices.ts";
import { depositsIn } from "./deposits-in.ts";
import type { EvmBlock } from "./evm-nodes.ts";
import { finalBlock } from "./final-block.ts";
import { tellFinal } from "./final-deposits.ts";
import { noteDeposits } from "./note-deposits.ts";

/** What watching deposits takes. */
export type DepositContext = EvmContext & {
  /** What units of a currency are worth in cents. Nothing when there is no price. */
  worthCents(currency: string, units: Units): bigint | undefined;
};

/** For how long a chain is left to whoever watches it. */
const leaseMs = 60_000;

/** How many blocks are looked through in one run. */
const blocksMost = 50;

/** Looks through a chain's blocks for transfers to our deposit addresses, and tells of them until they are for good. */
export function depositWatch(context: DepositContext): DueRunner {
  const { chain, db, clock, log } = context;
  const { blockchain } = chain;
  return {
    name: `deposits on ${blockchain}`,
    async run(signal) {
      const now = clock.now();
      try {
        const cursor = await claimCursor(db, blockchain, new Date(now), new Date(now + leaseMs));
        if (!cursor) return await beginOnce(context);
        const { handled, isBehind } = await watch(context, cursor, signal);
        const dueAt = clock.now() + (isBehind ? 0 : chain.pollMs);
        await releaseCursor(db, blockchain, new Date(dueAt));
        return handled;
      } catch (error) {
        log.warn(
          { blockchain, reason: messageOf(error) },
          "a chain could not be looked through for deposits; it is tried again",
        );
        await releaseCursor(db, blockchain, new Date(clock.now() + chain.pollMs));
        return 0;
      }
    },
  };
}

/**
 * Begins to watch a chain that nobody has watched yet, from a block that is for good: what we begin with is never taken
 * back. A chain that has no such block yet has to wait for one. Returns how many chains were begun.
 */
async function beginOnce(context: DepositContext): Promise<number> {
  const { chain, db, clock } = context;
  if (await findChainCursor(db, chain.blockchain)) return 0;
  const final = await finalBlock(context, chain.finality);
  if (!final) return 0;
  const now = clock.now();
  const oldest = await findOldestWatched(db, chain.blockchain, new Date(now - addressWatchMs));
  const start = oldest ? await lastBefore(context, final, oldest.getTime()) : final;
  await db.transact((tx) => insertCursor(tx, chain.blockchain, start, new Date(now)));
  return 1;
}

/** The newest block before a time, up to `newest`, or the first there is: nothing can have come to an address before it was given out. */
async function lastBefore(
  { nodes, blockTime }: DepositContext,
  newest: EvmBlock,
  time: number,
): Promise<EvmBlock> {
  if (blockTime(newest.time) < time) return newest;
  let [low, high] = [0, newest.number];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const block = await existing(nodes, middle);
    if (blockTime(block.time) < time) low = middle;
    else high = middle - 1;
  }
  return existing(nodes, low);
}

/** One look at the chain: what is gone, what is new, what is for good. */
async function watch(
  context: DepositContext,
  cursor: ChainCursor,
  signal: AbortSignal | undefined,
): Promise<{ handled: number; isBehind: boolean }> {
  const head = await context.nodes.block("latest");
  if (!head) return { handled: 0, isBehind: false };
  const first = await leaveFork(context, cursor.nextBlock, head);
  if (first === undefined) return { handled: 0, isBehind: true };
  let next = first;
  while (next <= head.number && next < first + blocksMost && !signal?.aborted) {
    if (!(await takeBlock(context, next))) return { handled: next - first, isBehind: true };
    next++;
  }
  const isBehind = next <= head.number;
  let handled = next - first;
  if (!isBehind) handled += await takeBack(context);
  handled += await tellFinal(context, next);
  return { handled, isBehind };
}

/**
 * Goes back to the newest block that the chain and we have in common. Returns the next block to look at; nothing when
 * somebody else is at it. A head below ours is a node that is late, until another block stands in the place of ours.
 */
async function leaveFork(
  context: DepositContext,
  nextBlock: number,
  head: EvmBlock,
): Promise<number | undefined> {
  const { chain, nodes, db } = context;
  let kept = await findKeptBlock(db, chain.blockchain, head.number);
  let lowest: KnownBlock | undefined;
  while (kept && !(await isThere(nodes, kept))) {
    lowest = kept;
    kept = await findKeptBlock(db, chain.blockchain, kept.number - 1);
  }
  if (!lowest) return nextBlock;
  const to = kept ? kept.number + 1 : await leaveDeepFork(context, lowest);
  const isMoved = await db.transact((tx) => goBack(tx, chain.blockchain, { from: nextBlock, to }));
  return isMoved ? to : undefined;
}

/** Where to begin again when not even the block that was for good is there any more: before all deposits that are gone. */
async function leaveDeepFork(context: DepositContext, oldestKept: KnownBlock): Promise<number> {
  const { chain, nodes, db, log } = context;
  log.error(
    { blockchain: chain.blockchain, block: oldestKept.number },
    "a chain takes back blocks that it had called final; switch its payouts off and ask its nodes",
  );
  let lowest = oldestKept;
  for (;;) {
    const block = await findFinalDepositBlock(db, chain.blockchain, lowest.number);
    if (!block || (await isThere(nodes, block))) break;
    lowest = block;
  }
  return Math.max(0, lowest.number - blocksMost);
}

/** Takes in one block. Returns false when it is not there, follows another one than ours, or somebody else took it. */
async function takeBlock(context: DepositContext, number: number): Promise<boolean> {
  const { chain, nodes, db } = context;
  const { blockchain } = chain;
  const block = await nodes.block(number);
  const before = await findKeptBlock(db, blockchain, number - 1);
  if (!block || (before?.number === number - 1 && before.hash !== block.parentHash)) return false;
  const deposits = await depositsIn(context, block);
  return db.transact(async (tx) => {
    if (!(await passBlock(tx, blockchain, block))) return false;
    await noteDeposits(tx, context, deposits);
    return true;
  });
}

/** Tells of deposits whose blocks the chain has dropped without having them in another. */
async function takeBack(context: DepositContext): Promise<number> {
  const { chain, db, clock, log } = context;
  const gone = await db.transact(async (tx) => {
    const deposits = await takeBackDeposits(tx, chain.blockchain, new Date(clock.now()));
    await tellDeposits(tx, context, "deposit_gone", deposits);
    return deposits;
  });
  for (const { transactionHash, logIndex } of gone.filter(({ wasFinal }) => wasFinal)) {
    log.error(
      { blockchain: chain.blockchain, transactionHash, logIndex },
      "a chain takes back a deposit that it had called final; switch its payouts off and ask its nodes",
    );
  }
  return gone.length;
}

async function isThere(nodes: EvmContext["nodes"], { number, hash }: KnownBlock): Promise<boolean> {
  return (await existing(nodes, number)).hash === hash;
}

/** A block below the head. */
async function existing(nodes: EvmContext["nodes"], number: number): Promise<EvmBlock> {
  const block = await nodes.block(number);
  if (!block) throw new Error(`the nodes have no block ${number}, though they have later ones`);
  return block;
}
