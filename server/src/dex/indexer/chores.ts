import type { Nodes } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { insertOrigins, listUnknownOrigins, setOriginsBlock } from "../store/origins.ts";
import { noteSupply } from "../store/token-metadata.ts";
import { numberIn, supplyCall } from "./token-book.ts";

export type ChoreContext = {
  db: Database;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  blockchain: string;
  /** The deployment's id in the store. */
  id: number;
  signal: AbortSignal;
};

const originsPerStep = 500;
const originsEveryMs = 5_000;
const suppliesEveryMs = 3_600_000;
const suppliesPerStep = 200;

/** Finds out who sent the transactions of a backfill, oldest first; at the head the indexer does it itself. */
export async function keepFillingOrigins(context: ChoreContext): Promise<void> {
  await keepDoing(context, "fill in who sent transactions", originsEveryMs, async () => {
    while (!context.signal.aborted && (await fillOrigins(context)));
  });
}

/** Returns whether there may be more. */
async function fillOrigins({ db, nodes, id }: ChoreContext): Promise<boolean> {
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
export async function keepSuppliesFresh(
  context: ChoreContext,
  tokens: () => Iterable<Hex>,
  block: () => number,
): Promise<void> {
  const { db, nodes, blockchain } = context;
  await keepDoing(context, "look up total supplies", suppliesEveryMs, async () => {
    const addresses = [...tokens()];
    for (let start = 0; start < addresses.length; start += suppliesPerStep) {
      if (context.signal.aborted) return;
      const some = addresses.slice(start, start + suppliesPerStep);
      const results = await nodes.call(some.map(supplyCall));
      for (const [index, address] of some.entries()) {
        const supply = numberIn(results[index]);
        if (supply !== undefined)
          await noteSupply(db, blockchain, { address, block: block(), supply });
      }
    }
  });
}

async function keepDoing(
  { clock, log, signal }: ChoreContext,
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
