import type { Log } from "../../chains/chain.ts";
import type { Database } from "../../database/database.ts";
import { clearDerived } from "../store/batches.ts";
import {
  type Checkpoint,
  moveCheckpoint,
  type StoredDeployment,
  setCovered,
} from "../store/checkpoints.ts";
import { clearRawLogs, cutRawLogs, readRawLogs } from "../store/raw-logs.ts";
import { unpackLogs } from "./raw-logs.ts";
import type { Tables } from "./tables.ts";

type DeriveOptions = {
  db: Database;
  stored: StoredDeployment;
  tables: Tables;
  finalityBlocks: number;
  signal: AbortSignal;
  /** Called after each batch. */
  progressed(checkpoint: Checkpoint): void;
};

/** Brings the tables from their checkpoint to the last covered block with stored logs alone: no node is asked. */
export async function deriveFromStore(options: DeriveOptions): Promise<void> {
  const { db, stored, tables, finalityBlocks, signal, progressed } = options;
  const { id, covered } = stored;
  if (!covered) return;
  const finalBlock = covered.block - finalityBlocks;
  const start = (tables.checkpoint()?.block ?? -1) + 1;
  for await (const { from, to, logs } of readRawLogs(db, id, start)) {
    if (signal.aborted) return;
    // Whoever was interrupted in the middle of a range goes on there.
    const rest = [...unpackLogs(logs)].filter(({ block }) => block >= start);
    await advanceStored(tables, { from: Math.max(from, start), to, logs: rest, finalBlock });
    progressed(to);
  }
  const reached = tables.checkpoint();
  if (reached?.block !== covered.block) {
    const from = (reached?.block ?? -1) + 1;
    await tables.advance({ from, to: covered, logs: [], isStored: true, finalBlock });
  }
  await tables.settle();
  progressed(covered);
}

/** Blocks that may still be replaced go one by one, so that each can be undone. */
async function advanceStored(
  tables: Tables,
  range: { from: number; to: Checkpoint; logs: Log[]; finalBlock: number },
): Promise<void> {
  const { from, to, logs, finalBlock } = range;
  if (to.block <= finalBlock) {
    await tables.advance({ from, to, logs, isStored: true });
    return;
  }
  for (let start = 0; start < logs.length; ) {
    const { block, blockHash: hash, time } = logs[start] as Log;
    const end = logs.findIndex((log, index) => index > start && log.block !== block);
    const blockLogs = logs.slice(start, end === -1 ? undefined : end);
    await tables.advance({
      from,
      to: { block, hash, time },
      logs: blockLogs,
      isStored: true,
      finalBlock,
    });
    start += blockLogs.length;
  }
}

/** Empties the tables, so that they are derived anew from what is stored up to `covered`. */
export function forgetFigures(
  db: Database,
  stored: StoredDeployment,
  covered: Checkpoint | undefined,
): Promise<void> {
  const { id } = stored;
  return db.transact(async (tx) => {
    await moveCheckpoint(tx, stored, undefined);
    await setCovered(tx, id, covered);
    await clearDerived(tx, id);
    if (covered) await cutRawLogs(tx, id, covered);
    else await clearRawLogs(tx, id);
  });
}
