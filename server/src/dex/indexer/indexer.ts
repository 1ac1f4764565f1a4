import type { Chain, Log as ChainLog, Header, Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Deployment } from "../deployment.ts";
import {
  type Checkpoint,
  openDeployment,
  type StoredDeployment,
  setDefinition,
} from "../store/checkpoints.ts";
import { insertOrigins } from "../store/origins.ts";
import { findRawLogs } from "../store/raw-logs.ts";
import { openChores } from "./chores.ts";
import { definitionOf, outdated } from "./definition.ts";
import { deriveFromStore, forgetFigures } from "./derive.ts";
import { fetchBlockLogs, fetchLogs, type Watch } from "./fetch.ts";
import { IntegrityError } from "./integrity.ts";
import { type Fork, findFork } from "./reorg.ts";
import { findGap } from "./repair.ts";
import { type IndexStatus, unknownStatus } from "./status.ts";
import { openTables, revertTables, type Tables } from "./tables.ts";
import { openTokenBook } from "./token-book.ts";

export type IndexerOptions = {
  db: Database;
  nodes: Nodes;
  chain: Chain;
  deployment: Deployment;
  clock: Clock;
  random: Random;
  log: Log;
  /** Called with every change of status. */
  announce(status: IndexStatus): void;
  signal: AbortSignal;
  /** How many logs are written at once, and how long they are collected at most. */
  batchLogs?: number;
  batchMs?: number;
};

const usualBatchLogs = 10_000;
const usualBatchMs = 1_000;
/** Blocks near the head are fetched this many at a time, and written one by one. */
const headBlocksMost = 16;
/** How often logs that do not fit are asked for again before the ones we have stored are doubted. */
const asksBeforeDoubt = 3;
const waitMs = { firstMs: 200, mostMs: 15_000 };

/** Follows one exchange on one chain until the signal aborts. Whatever goes wrong slows it down and nothing else. */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { clock, random, log, signal, deployment } = options;
  const run = openRun(options);
  while (!signal.aborted) {
    const { indexed } = run.status;
    try {
      await indexFromCheckpoint(run);
      run.failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (run.status.indexed?.block !== indexed?.block) run.failures = 0;
      const reason = messageOf(error);
      run.report({ trouble: reason });
      const { exchange, blockchain } = deployment;
      log.warn(
        { exchange, blockchain, reason },
        "indexing stopped; going on from the last block written",
      );
      if (error instanceof IntegrityError) await doubt(run, error).catch(() => {});
      await clock.sleep(backoffMs(run.failures++, waitMs, random), signal);
    }
  }
}

/** What outlives a failure. */
type Run = IndexerOptions & {
  failures: number;
  status: IndexStatus;
  report(change: Partial<IndexStatus>): void;
  /** How often the same thing did not fit. */
  misfits: Map<string, number>;
  tolerated: Set<Hex>;
};

function openRun(options: IndexerOptions): Run {
  const run: Run = {
    ...options,
    failures: 0,
    status: unknownStatus(options.deployment),
    report(change) {
      run.status = { ...run.status, ...change };
      options.announce(run.status);
    },
    misfits: new Map(),
    tolerated: new Set(),
  };
  return run;
}

/** Finds out where we are, and goes on from there until the chain or the tables say otherwise. */
async function indexFromCheckpoint(run: Run): Promise<void> {
  const { db, nodes, chain, deployment, signal } = run;
  const stored = await currentDeployment(run);
  run.report({ indexed: stored.checkpoint ?? null });
  const fork = await findFork(db, nodes, stored);
  if (fork.kind !== "none") return leaveFork(run, stored, fork);

  const { blockchain, tokenOverrides: overrides } = deployment;
  const book = openTokenBook({ db, nodes, blockchain, overrides });
  const tables = await openTables({ db, deployment, stored, book, tolerated: run.tolerated });
  const progressed = (indexed: Checkpoint) => run.report({ indexed, trouble: null });
  const { finalityBlocks } = chain;
  await deriveFromStore({ db, stored, tables, finalityBlocks, signal, progressed });
  const watch = { deployment, pools: new Set(tables.state.pools.keys()) };

  const chores = openChores({ ...run, blockchain, id: stored.id, tables });
  try {
    for await (const head of nodes.heads(signal)) {
      run.report({ head: { block: head.number, time: head.time } });
      if (!(await catchUp(run, { tables, watch }, head))) return;
      run.report({ trouble: null });
      chores.start();
    }
  } finally {
    await chores.stop();
    // What is being written is let finish; whether it succeeds, the next attempt sees in the store.
    await tables.settle().catch(() => {});
  }
}

/** The stored deployment, brought in line with its definition. */
async function currentDeployment(run: Run): Promise<StoredDeployment> {
  const { db, deployment, log } = run;
  const definition = definitionOf(deployment);
  const stored = await openDeployment(db, deployment, definition);
  const change = outdated(stored.definition, definition);
  if (change === "nothing") return stored;
  const { exchange, blockchain } = deployment;
  log.info(
    { exchange, blockchain },
    change === "logs"
      ? "what is indexed has changed; starting from the first block"
      : "the rules have changed; deriving everything anew from stored logs",
  );
  await forgetFigures(db, stored, change === "logs" ? undefined : stored.covered);
  await db.transact((tx) => setDefinition(tx, stored.id, definition));
  return openDeployment(db, deployment, definition);
}

/** Waits for a node that is behind; takes back what is no longer on the chain. */
async function leaveFork(
  run: Run,
  stored: StoredDeployment,
  fork: Exclude<Fork, { kind: "none" }>,
): Promise<void> {
  const { db, clock, log, deployment, signal } = run;
  const { exchange, blockchain } = deployment;
  const block = stored.checkpoint?.block ?? 0;
  if (fork.kind === "behind") {
    const { head } = fork;
    run.report({ head, trouble: `the node is at block ${head.block}, behind our ${block}` });
    await clock.sleep(1_000, signal);
    return;
  }
  const depth = block - (fork.at?.block ?? deployment.startBlock - 1);
  log.info(
    { exchange, blockchain, depth, fork: fork.at?.block },
    fork.kind === "shallow"
      ? "the chain was reorganised; undoing the blocks that are gone"
      : "the chain was reorganised deeper than we can undo; deriving everything anew from stored logs",
  );
  if (fork.kind === "shallow") await revertTables(db, stored, fork.at);
  else await forgetFigures(db, stored, fork.at);
  run.report({ lastReorg: { depth, at: clock.now() } });
}

type Work = { tables: Tables; watch: Watch };

/** Goes on to the head. Returns false when the chain turns out to have been reorganised. */
async function catchUp(run: Run, { tables, watch }: Work, head: Header): Promise<boolean> {
  const { nodes, chain } = run;
  const checkpoint = tables.checkpoint();
  if (checkpoint && head.number <= checkpoint.block) {
    const header = head.number === checkpoint.block ? head : await nodes.header(checkpoint.block);
    return header === undefined || header.hash === checkpoint.hash;
  }
  const next = nextBlock(run, tables);
  const finalBlock = head.number - chain.finalityBlocks;
  if (next <= finalBlock) await backfill(run, { tables, watch }, { from: next, to: finalBlock });
  return followTo(run, { tables, watch }, head.number, finalBlock);
}

/** Blocks that cannot be replaced any more go in large batches. */
async function backfill(
  run: Run,
  { tables, watch }: Work,
  span: { from: number; to: number },
): Promise<void> {
  const { nodes, clock, signal, batchLogs = usualBatchLogs, batchMs = usualBatchMs } = run;
  let from = span.from;
  let logs: ChainLog[] = [];
  let since = clock.now();
  for await (const range of fetchLogs(nodes, watch, span, signal)) {
    logs = logs.length === 0 ? range.logs : logs.concat(range.logs);
    const isDue = logs.length >= batchLogs || clock.now() - since >= batchMs;
    if (!isDue && range.to !== span.to) continue;
    const to = await endOf(nodes, range.to, logs.at(-1));
    await tables.advance({ from, to, logs, isStored: false });
    run.report({ indexed: to, trouble: null });
    from = range.to + 1;
    logs = [];
    since = clock.now();
  }
  await tables.settle();
}

/** The block a batch ends with, which must be the one its last log is in, if it is in that block. */
async function endOf(
  nodes: Nodes,
  number: number,
  last: ChainLog | undefined,
): Promise<Checkpoint> {
  const header = await nodes.header(number);
  if (!header) throw new IntegrityError(`a node gave logs up to block ${number} but not the block`);
  if (last && last.block === number && last.blockHash !== header.hash) {
    throw new IntegrityError(`a node contradicts itself about block ${number}`);
  }
  return { block: number, hash: header.hash, time: header.time };
}

/** Blocks that may still be replaced go one by one, each linked to the one before and each ready to be undone. */
async function followTo(
  run: Run,
  { tables, watch }: Work,
  last: number,
  finalBlock: number,
): Promise<boolean> {
  const { nodes, signal } = run;
  for (let next = nextBlock(run, tables); next <= last; next = nextBlock(run, tables)) {
    const count = Math.min(headBlocksMost, last - next + 1);
    const headers = await nodes.headers(Array.from({ length: count }, (_, index) => next + index));
    const logs = await fetchBlockLogs(nodes, watch, headers);
    for (const [index, header] of headers.entries()) {
      const parent = tables.checkpoint();
      const isReplaced = parent && header.parentHash !== parent.hash;
      if (isReplaced || signal.aborted) return false;
      await addBlock(run, tables, { header, logs: logs[index] ?? [], finalBlock });
    }
  }
  return true;
}

function nextBlock({ deployment }: Run, tables: Tables): number {
  const checkpoint = tables.checkpoint();
  return checkpoint ? checkpoint.block + 1 : deployment.startBlock;
}

async function addBlock(
  run: Run,
  tables: Tables,
  { header, logs, finalBlock }: { header: Header; logs: ChainLog[]; finalBlock: number },
): Promise<void> {
  const { db, nodes } = run;
  // Who sent them is known before anybody can see the trades.
  const hashes = new Set(logs.map(({ transactionHash }) => transactionHash));
  if (hashes.size > 0) await insertOrigins(db, await nodes.origins([...hashes]));
  const { number: block, hash, time } = header;
  await tables.advance({
    from: block,
    to: { block, hash, time },
    logs,
    isStored: false,
    finalBlock,
  });
  await tables.settle();
  run.report({ indexed: { block, time } });
}

/**
 * Logs do not fit together. First another endpoint is asked; if the new logs still do not fit, the ones we have may be
 * incomplete; and if those are as the node has them, the pool itself is odd, and is believed from then on.
 */
async function doubt(run: Run, { message, pool }: IntegrityError): Promise<void> {
  const { db, nodes, deployment, log, signal } = run;
  nodes.distrust(message);
  const asked = (run.misfits.get(message) ?? 0) + 1;
  run.misfits.set(message, asked);
  if (asked < asksBeforeDoubt || !pool) return;
  run.misfits.delete(message);
  const stored = await openDeployment(db, deployment, definitionOf(deployment));
  const gap = await findGap({ db, nodes, deployment, stored, pool, signal });
  if (gap === undefined) {
    log.warn(
      { pool },
      "a pool's swaps do not follow from its logs, and the node has no others; believing them",
    );
    run.tolerated.add(pool);
    return;
  }
  log.warn({ pool, block: gap }, "stored logs were not complete; fetching again from there");
  const before = await findRawLogs(db, stored.id, gap - 1);
  await forgetFigures(
    db,
    stored,
    before && before.to.block < gap ? before.to : await rangeBefore(db, stored.id, before?.from),
  );
}

async function rangeBefore(
  db: Database,
  id: number,
  from: number | undefined,
): Promise<Checkpoint | undefined> {
  if (from === undefined) return undefined;
  return (await findRawLogs(db, id, from - 1))?.to;
}
