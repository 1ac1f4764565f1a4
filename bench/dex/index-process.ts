import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { built, context, openBenchDatabase } from "../built.ts";
import { obey } from "../process.ts";
import { measure, type Usage } from "../usage.ts";
import { benchChain, benchExchange, finalityBlocks } from "./synthetic-chain.ts";

export type IndexOrders =
  | { work: "index"; database: Address; url: string }
  | { work: "reindex"; database: Address };

const { openNodes } =
  await built<typeof import("../../server/src/chains/nodes.ts")>("chains/nodes");
const { runIndexer } =
  await built<typeof import("../../server/src/dex/indexer/indexer.ts")>("dex/indexer/indexer");
const { reindex } =
  await built<typeof import("../../server/src/dex/indexer/reindex.ts")>("dex/indexer/reindex");

const { deployment } = benchExchange();

/** Indexes the whole chain, or derives everything anew from stored logs, as the service does. */
obey(async (orders: IndexOrders): Promise<Usage> => {
  const db = openBenchDatabase(orders.database);
  const usage = await measure(() =>
    orders.work === "index" ? indexChain(db, orders.url) : reindexStored(db),
  );
  await db.close();
  return usage;
});

async function indexChain(db: Database, url: string): Promise<void> {
  const { chain } = benchChain([url]);
  const nodes = await openNodes({ ...context, chain });
  const stopping = new AbortController();
  await runIndexer({
    ...context,
    db,
    nodes,
    chain,
    deployment,
    signal: stopping.signal,
    announce: ({ head, indexed }) => {
      if (head && indexed?.block === head.block) stopping.abort();
    },
  });
  await nodes.close();
}

function reindexStored(db: Database): Promise<unknown> {
  const { clock } = context;
  return reindex({ db, deployment, finalityBlocks, clock, progressed: () => {} });
}
