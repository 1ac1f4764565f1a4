import type { Nodes } from "../../chains/chain.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { insertOrigins, listUnknownOrigins, setOriginsBlock } from "../store/origins.ts";
import { noteSupplies } from "../store/token-metadata.ts";
import type { Tables } from "./tables.ts";
import { numberIn, supplyCall } from "./token-book.ts";

type ChoreOptions = {
  db: Database;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  blockchain: string;
  /** The deployment's id in the store. */
  id: number;
  tables: Tables;
  signal: AbortSignal;
};

export type Chores = {
  /** Begins, unless that has been done. */
  start(): void;
  stop(): Promise<void>;
};

const originsPerStep = 500;
const originsEveryMs = 5_000;
const suppliesEveryMs = 3_600_000;
const suppliesPerStep = 200;

/** What goes on beside following the head: nobody waits for it, and it may fail. */
export function openChores(options: ChoreOptions): Chores {
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const context = { ...options, signal };
  let doing: Promise<unknown> | undefined;
  return {
    start() {
      doing ??= Promise.all([keepFillingOrigins(context), keepSuppliesFresh(context)]);
    },
    async stop() {
      stopping.abort();
      await doing;
    },
  };
}

/** Finds out who sent the transactions of a backfill, oldest first; at the head the indexer does it itself. */
async function keepFillingOrigins(context: ChoreOptions): Promise<void> {
  await keepDoing(context, "fill in who sent transactions", originsEveryMs, async () => {
    while (!context.signal.aborted && (await fillOrigins(context)));
  });
}

/** Returns whether there may be more. */
async function fillOrigins({ db, nodes, id }: ChoreOptions): Promise<boolean> {
  const unknown = await listUnknownOrigins(db, id, originsPerStep);
  const last = unknown.at(-1);
  if (!last) return false;
  const origins = await nodes.origins([...new Set(unknown.map(({ hash }) => hash))]);
  await insertOrigins(db, origins);
  // The last block may go on in the next step; one that the node has forgotten is passed over.
  const isWhole = unknown.length < originsPerStep;
  await setOriginsBlock(db, id, isWhole ? last.block : last.block - 1);
  return !isWhole && origins.size > 0;
}

/** Looks up every token's supply once an hour: it changes without any event of ours. */
async function keepSuppliesFresh(context: ChoreOptions): Promise<void> {
  const { db, nodes, blockchain, tables, signal } = context;
  await keepDoing(context, "look up total supplies", suppliesEveryMs, async () => {
    const addresses = [...tables.state.tokens.keys()];
    for (let start = 0; start < addresses.length && !signal.aborted; start += suppliesPerStep) {
      const some = addresses.slice(start, start + suppliesPerStep);
      const block = tables.checkpoint()?.block ?? 0;
      const results = await nodes.call(some.map(supplyCall));
      const supplies = some.flatMap((address, index) => {
        const supply = numberIn(results[index]);
        return supply === undefined ? [] : [{ address, supply }];
      });
      await noteSupplies(db, blockchain, block, supplies);
    }
  });
}

async function keepDoing(
  { clock, log, signal }: ChoreOptions,
  what: string,
  everyMs: number,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error) => {
      if (!signal.aborted)
        log.warn({ reason: messageOf(error) }, `could not ${what}; trying again`);
    });
    await clock.sleep(everyMs, signal);
  }
}
