import { Worker } from "node:worker_threads";
import type { Address } from "../../server/src/database/address.ts";
import { built, context, openBenchDatabase } from "../built.ts";
import { obey } from "../process.ts";
import type { FeedOrders } from "./feed-thread.ts";

export type ApiOrders = { database: Address } & Omit<FeedOrders, "space">;
export type ApiAnswer = { url: string };

const { openApi } = await built<typeof import("../../server/src/api.ts")>("api");
const { openThreadBus } =
  await built<typeof import("../../server/src/bus/thread-bus.ts")>("bus/thread-bus");
const { openLiveMarkets } =
  await built<typeof import("../../server/src/cex/live/live-markets.ts")>("cex/live/live-markets");
const { readConfig } = await built<typeof import("../../server/src/config.ts")>("config");
const { seedAccounts } =
  await built<typeof import("../../server/src/sandbox/accounts.ts")>("sandbox/accounts");

const secret = "a secret that only the benchmark knows, long enough";
const space = "bench";

/** The API as it is, beside a thread that changes a book all the time. */
obey(async ({ database, ...feed }: ApiOrders): Promise<ApiAnswer> => {
  const db = openBenchDatabase(database);
  await seedAccounts(db, secret, context.clock);
  const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
  const live = openLiveMarkets({
    ...context,
    db,
    bus: openThreadBus(space),
    exchanges: [kraken],
    otherExchanges: false,
  });
  const app = await openApi({
    ...context,
    config: readConfig({}).config,
    db,
    secret,
    roles: () => ({}),
    chains: [],
    indexes: { health: () => ({}) },
    findOrigins: async () => new Map(),
    live,
    sandboxEndpoints: [],
  });
  startFeed({ ...feed, space });
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }) };
});

/** A thread does not get the loader for TypeScript that this process has. */
function startFeed(workerData: FeedOrders): void {
  const file = JSON.stringify(new URL("./feed-thread.ts", import.meta.url).href);
  const code = `import("tsx/esm/api").then(({ tsImport }) => tsImport(${file}, ${file}))`;
  new Worker(code, { eval: true, workerData }).unref();
}
