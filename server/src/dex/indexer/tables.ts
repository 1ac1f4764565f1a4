import { setImmediate } from "node:timers/promises";
import type { Log } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import { type Deployment, exchanges } from "../deployment.ts";
import {
  dropUndo,
  type PreparedRows,
  prepareRows,
  revertChanges,
  writeRows,
} from "../store/batches.ts";
import {
  type Checkpoint,
  expectUnchanged,
  insertBlockHashes,
  moveCheckpoint,
  type StoredDeployment,
  setCovered,
} from "../store/checkpoints.ts";
import { cutRawLogs, insertRawLogs } from "../store/raw-logs.ts";
import { loadState } from "../store/state.ts";
import { type Changes, endBlock, noChanges } from "./changes.ts";
import { decode, type PoolEvent } from "./events.ts";
import { packLogs } from "./raw-logs.ts";
import { applyEvent } from "./reducer.ts";
import { rulesOf, type State } from "./state.ts";
import type { OpenTokenBook } from "./token-book.ts";

/** Logs of the blocks after the checkpoint, up to and including `to`. */
type Batch = {
  from: number;
  to: Checkpoint;
  logs: readonly Log[];
  /** They are in the store already. */
  isStored: boolean;
  /** Set for a single block that may still be replaced: blocks up to this one cannot. */
  finalBlock?: number;
};

/** A deployment's tables, with everything that goes on changing also in memory. */
export type Tables = {
  readonly state: State;
  checkpoint(): Checkpoint | undefined;
  /** Applies a batch. Returns when the next may come; it is written while that one is prepared. */
  advance(batch: Batch): Promise<void>;
  /** Waits until everything is written. */
  settle(): Promise<void>;
};

export type TablesOptions = {
  db: Database;
  deployment: Deployment;
  stored: StoredDeployment;
  book: OpenTokenBook;
  /** Pools that are believed although their logs do not fit together. */
  tolerated: ReadonlySet<Hex>;
};

/** About four milliseconds of work. */
const logsPerTurn = 100;

/** Loads the state after the checkpoint. After any failure the tables must be opened anew. */
export async function openTables({
  db,
  deployment,
  stored,
  book,
  tolerated,
}: TablesOptions): Promise<Tables> {
  const { id } = stored;
  const { dialect } = exchanges[deployment.exchange];
  const state = await loadState(
    db,
    id,
    { rules: rulesOf(deployment), tolerated },
    stored.checkpoint?.time ?? 0,
  );
  await expectUnchanged(db, stored);
  await book.learn([...state.tokens.keys()], 0);
  let { checkpoint, version } = stored;
  let writing: Promise<void> = Promise.resolve();

  return {
    state,
    checkpoint: () => checkpoint,
    async advance(batch) {
      const events = batch.logs.map((log) => decode(log, dialect));
      await book.learn(tokensIn(events), batch.to.block);
      const rows = prepareRows(id, await reduce(state, batch.logs, events, book));
      checkpoint = batch.to;
      await writing;
      writing = write(db, { id, version: version++ }, { batch, rows });
      // A failure is met by whoever waits next; until then it is not unhandled.
      writing.catch(() => {});
    },
    settle: () => writing,
  };
}

function tokensIn(events: readonly PoolEvent[]): Hex[] {
  return events.flatMap((event) =>
    event.kind === "poolCreated" ? [event.token0, event.token1] : [],
  );
}

/** Folds logs into the state, block by block. */
async function reduce(
  state: State,
  logs: readonly Log[],
  events: readonly PoolEvent[],
  book: OpenTokenBook,
): Promise<Changes> {
  const changes = noChanges();
  for (const [index, log] of logs.entries()) {
    // The batch before is being written meanwhile: its rows go on flowing.
    if (index % logsPerTurn === logsPerTurn - 1) await setImmediate();
    const event = events[index];
    if (event) applyEvent(state, changes, log, event, book.entries);
    if (logs[index + 1]?.block !== log.block) endBlock(changes, log.block);
  }
  return changes;
}

/** Everything a batch means, in one transaction with the checkpoint: it is in the tables as a whole or not at all. */
function write(
  db: Database,
  at: Pick<StoredDeployment, "id" | "version">,
  { batch, rows }: { batch: Batch; rows: PreparedRows },
): Promise<void> {
  const { id } = at;
  const { to, logs, isStored, finalBlock } = batch;
  return db.transact(async (tx) => {
    await moveCheckpoint(tx, at, to);
    await writeRows(tx, id, rows, finalBlock === undefined ? undefined : to.block);
    await insertBlockHashes(tx, id, [to]);
    await dropUndo(tx, id, finalBlock ?? to.block);
    if (isStored) return;
    await setCovered(tx, id, to);
    if (logs.length === 0) return;
    const raw = { from: batch.from, to, count: logs.length, logs: packLogs(logs) };
    await insertRawLogs(tx, id, raw);
  });
}

/** Takes back every block after `fork`, all of which can still be undone. */
export function revertTables(
  db: Database,
  stored: StoredDeployment,
  fork: Checkpoint,
): Promise<void> {
  const { id } = stored;
  return db.transact(async (tx) => {
    await moveCheckpoint(tx, stored, fork);
    await setCovered(tx, id, fork);
    await revertChanges(tx, id, fork.block);
    await cutRawLogs(tx, id, fork);
  });
}
