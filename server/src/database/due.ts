import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Database, Transaction } from "./database.ts";
import type { Sql } from "./sql.ts";

/** Rows of one table that need attention when their `due_at` has come. */
export type DueWork<Row extends object> = {
  name: string;
  /** Locks the row that is due longest: `where due_at <= now order by due_at limit 1 for update skip locked`. */
  take(now: Date): Sql;
  /** Does what is due. It must clear or move `due_at`, in the same transaction. */
  handle(tx: Transaction, row: Row, now: Date): Promise<void>;
  /** Moves `due_at` of a row that could not be handled, so that the others get their turn. */
  postpone(row: Row, now: Date): Sql;
};

/** One kind of due work, ready to run; what its rows look like stays inside. */
export type DueRunner = { name: string; run(signal?: AbortSignal): Promise<number> };

type DueContext = { db: Database; clock: Clock; log: Log };

/** Makes a runner that handles everything due now, each row in its own transaction, and counts the rows. */
export function dueRunner<Row extends object>(
  { db, clock, log }: DueContext,
  work: DueWork<Row>,
): DueRunner {
  /** Returns whether there was a row. */
  async function handleNext(): Promise<boolean> {
    const now = new Date(clock.now());
    let taken: Row | undefined;
    try {
      await db.transact(async (tx) => {
        [taken] = await tx.query<Row>(work.take(now));
        if (taken) await work.handle(tx, taken, now);
      });
    } catch (error) {
      if (!taken) throw error;
      log.error(
        { work: work.name, reason: messageOf(error) },
        "due work failed; its row is put off",
      );
      await db.query(work.postpone(taken, now));
    }
    return taken !== undefined;
  }

  return {
    name: work.name,
    async run(signal) {
      let handled = 0;
      while (!signal?.aborted && (await handleNext())) handled++;
      return handled;
    },
  };
}

type DueLoopOptions = {
  runners: readonly DueRunner[];
  everyMs: number;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
};

/** Looks for due rows until the signal aborts. Several loops may run: each row is handled by one. */
export async function dueLoop({
  runners,
  everyMs,
  clock,
  log,
  signal,
}: DueLoopOptions): Promise<void> {
  while (!signal.aborted) {
    for (const runner of runners) {
      await runner.run(signal).catch((error) => {
        log.warn(
          { work: runner.name, reason: messageOf(error) },
          "cannot look for due work; trying again",
        );
      });
    }
    await clock.sleep(everyMs, signal);
  }
}
