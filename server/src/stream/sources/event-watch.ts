import type { Queryable } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { listSequences } from "../store/events.ts";

/** Says when something was told to an account. */
export type EventWatch = {
  /** Returns a function that ends it. */
  listen(userId: string, changed: () => void): () => void;
  close(): void;
};

type Watched = { listeners: Set<() => void>; sequence: string | undefined };

const lookEveryMs = 250;

/** Looks once for all accounts that are listened to, and not at all when there are none. */
export function watchEvents({
  db,
  clock,
  log,
}: {
  db: Queryable;
  clock: Clock;
  log: Log;
}): EventWatch {
  const closing = new AbortController();
  const watched = new Map<string, Watched>();
  let isRunning = false;

  async function look(): Promise<void> {
    const sequences = await listSequences(db, [...watched.keys()]);
    for (const [userId, each] of watched) {
      const sequence = sequences.get(userId);
      if (sequence === each.sequence) continue;
      each.sequence = sequence;
      for (const changed of [...each.listeners]) changed();
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (watched.size > 0 && !closing.signal.aborted) {
      await look().catch((error) => {
        log.debug({ reason: messageOf(error) }, "streams wait for the database");
      });
      await clock.sleep(lookEveryMs, closing.signal);
    }
    isRunning = false;
  }

  return {
    listen(userId, changed) {
      const each = watched.get(userId) ?? { listeners: new Set(), sequence: undefined };
      watched.set(userId, each);
      each.listeners.add(changed);
      if (!isRunning) void run();
      return () => {
        each.listeners.delete(changed);
        if (each.listeners.size === 0) watched.delete(userId);
      };
    },
    close: () => closing.abort(),
  };
}
