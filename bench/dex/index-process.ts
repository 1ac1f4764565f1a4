import type { Address } from "../../server/src/database/address.ts";
import { built, context, openBenchDatabase } from "../built.ts";
import { obey } from "../process.ts";
import { measure, type Usage } from "../usage.ts";
import { benchExchange, finalityBlocks } from "./synthetic-chain.ts";

export type IndexOrders =
  | { work: "index"; database: Address; url: string }
  | { work: "reindex"; database: Address };

const { openNodes } =
  await built<typeof import("../../server/src/chains/nodes.ts")>("chains/nodes");
const { runIndexer } =
  await built<typeof import("../../server/src/dex/indexer/indexer.ts")>("dex/indexer/indexer");
const { reindex } =
  await built<typeof import("../../server/src/dex/indexer/reindex.ts")>("dex/indexer/reindex");

/** Indexes the whole chain, or derives everything anew from stored logs, as the service does. */
obey(async (orders: IndexOrders): Promise<Usage> => {
  const db = openBenchDatabase(orders.database);
  const { clock } = context;
  const { deployment } = benchExchange();
  const usage = await measure(async () => {
    if (orders.work === "reindex") {
      await reindex({ db, deployment, finalityBlocks, clock, progressed: () => {} });
      return;
    }
    const chain = {
      id: deployment.blockchain,
      name: "Ethereum",
      chainId: 1,
      rpcUrls: [orders.url],
      finalityBlocks,
      agreeing: 1,
      totalDifficulty: "0",
    };
    const nodes = await openNodes({ chain, ...context });
    const stopping = new AbortController();
    const { signal } = stopping;
    await runIndexer({
      ...context,
      ...{ db, nodes, chain, deployment, signal },
      announce: ({ head, indexed }) => {
        if (head && indexed?.block === head.block) stopping.abort();
      },
    });
    await nodes.close();
  });
  await db.close();
  return usage;
});
