import type { Bus } from "../../bus/bus.ts";
import type { Queryable } from "../../database/database.ts";
import type { DexContext } from "../../dex/endpoints/dex-context.ts";
import { type IndexStatus, indexStatuses } from "../../dex/indexer/status.ts";
import type { Place } from "../../dex/store/read-list.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { findVersion } from "../store/swaps.ts";

/** What sources about decentralized exchanges need. */
export type DexSourceContext = Pick<DexContext, "findOrigins"> & {
  db: Queryable;
  indexes: IndexWatch;
  clock: Clock;
  log: Log;
};

/** Says when the tables of an exchange on a blockchain have been written. */
export type IndexWatch = {
  /** Returns a function that ends it. */
  listen(place: Place, changed: () => void): () => void;
};

type Watched = {
  listeners: Set<() => void>;
  version: string | undefined;
  isLooking: boolean;
  /** Something was heard while we looked. */
  isDue: boolean;
};

/** Listens to the indexes, and looks once for all whether one of them has written since. */
export function watchIndexTables({
  bus,
  db,
  log,
}: {
  bus: Bus;
  db: Queryable;
  log: Log;
}): IndexWatch {
  const watched = new Map<string, Watched>();
  const nameOf = ({ exchange, blockchain }: Place) => `${exchange}/${blockchain}`;
  let stopListening: (() => void) | undefined;

  async function look(place: Place, each: Watched): Promise<void> {
    each.isDue = true;
    if (each.isLooking) return;
    each.isLooking = true;
    while (each.isDue) {
      each.isDue = false;
      await lookOnce(place, each);
    }
    each.isLooking = false;
  }

  async function lookOnce(place: Place, each: Watched): Promise<void> {
    try {
      const version = await findVersion(db, place);
      if (version === each.version) return;
      each.version = version;
      for (const changed of [...each.listeners]) changed();
    } catch (error) {
      log.debug({ reason: messageOf(error) }, "streams wait for the database");
    }
  }

  function hear({ exchange, blockchain }: IndexStatus): void {
    const place = { exchange, blockchain };
    const each = watched.get(nameOf(place));
    if (each) void look(place, each);
  }

  return {
    listen(place, changed) {
      stopListening ??= bus.subscribe(indexStatuses, hear);
      const name = nameOf(place);
      const each = watched.get(name) ?? {
        ...{ listeners: new Set(), version: undefined, isLooking: false, isDue: false },
      };
      watched.set(name, each);
      each.listeners.add(changed);
      return () => {
        each.listeners.delete(changed);
        if (each.listeners.size === 0) watched.delete(name);
        if (watched.size > 0) return;
        stopListening?.();
        stopListening = undefined;
      };
    },
  };
}
