import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { UnavailableError } from "../../lib/errors.ts";
import type { Deployment } from "../deployment.ts";
import { type Checkpoint, openDeployment, type StoredDeployment } from "../store/checkpoints.ts";
import { countRawLogs } from "../store/raw-logs.ts";
import { definitionOf } from "./definition.ts";
import { deriveFromStore, forgetFigures } from "./derive.ts";
import { openTables } from "./tables.ts";
import { openTokenBook } from "./token-book.ts";

export type ReindexOptions = {
  db: Database;
  deployment: Deployment;
  finalityBlocks: number;
  clock: Clock;
  /** Called with how many blocks are done and how many there are. */
  progressed(done: number, total: number): void;
};

const attemptsMost = 50;
const betweenAttemptsMs = 20;
const lookEveryMs = 500;
/** How long another process may take for one batch before we try ourselves. */
const patienceMs = 10_000;

/** Empties a deployment's tables and derives them anew from stored logs. Returns how many logs there were. */
export async function reindex(options: ReindexOptions): Promise<number> {
  const { db, deployment, progressed } = options;
  const read = () => openDeployment(db, deployment, definitionOf(deployment));
  const { id, covered } = await empty(options, read);
  if (!covered) return 0;
  const { startBlock } = deployment;
  const total = covered.block - startBlock + 1;
  const reached = ({ block }: Checkpoint) => progressed(block - startBlock + 1, total);
  for (;;) {
    const now = await read();
    if (now.checkpoint && now.checkpoint.block >= covered.block) break;
    await derive(options, now, reached).catch(async (error) => {
      // A running service notices the empty tables, and does the same; then we only watch.
      if (!(error instanceof UnavailableError)) throw error;
      await watch(options, read, reached);
    });
  }
  return countRawLogs(db, id);
}

/** A running service may just have written a batch; then we look again. */
async function empty(
  { db, clock }: ReindexOptions,
  read: () => Promise<StoredDeployment>,
): Promise<StoredDeployment> {
  for (let attempts = 1; ; attempts++) {
    const stored = await read();
    try {
      await forgetFigures(db, stored, stored.covered);
      return stored;
    } catch (error) {
      if (!(error instanceof UnavailableError) || attempts >= attemptsMost) throw error;
      await clock.sleep(betweenAttemptsMs);
    }
  }
}

async function derive(
  { db, deployment, finalityBlocks }: ReindexOptions,
  stored: StoredDeployment,
  progressed: (checkpoint: Checkpoint) => void,
): Promise<void> {
  const { blockchain, tokenOverrides: overrides } = deployment;
  const book = openTokenBook({ db, nodes: undefined, blockchain, overrides });
  const tables = await openTables({ db, deployment, stored, book, tolerated: new Set() });
  const { signal } = new AbortController();
  await deriveFromStore({ db, stored, tables, finalityBlocks, signal, progressed });
}

async function watch(
  { clock }: ReindexOptions,
  read: () => Promise<StoredDeployment>,
  reached: (checkpoint: Checkpoint) => void,
): Promise<void> {
  let before: number | undefined;
  let movedAt = clock.now();
  while (clock.now() - movedAt < patienceMs) {
    const { checkpoint, covered } = await read();
    if (checkpoint) reached(checkpoint);
    if (checkpoint && covered && checkpoint.block >= covered.block) return;
    if (checkpoint?.block !== before) movedAt = clock.now();
    before = checkpoint?.block;
    await clock.sleep(lookEveryMs);
  }
}
