import type { Address } from "../../server/src/database/address.ts";
import { built, context, openBenchDatabase } from "../built.ts";
import { obey } from "../process.ts";
import { benchChain } from "./synthetic-chain.ts";

export type ApiOrders = { database: Address };
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

/** The API as it is, on a database of the benchmark's. */
obey(async ({ database }: ApiOrders): Promise<ApiAnswer> => {
  const db = openBenchDatabase(database);
  await seedAccounts(db, secret, context.clock);
  const app = await openApi({
    ...context,
    config: readConfig({}).config,
    db,
    secret,
    roles: () => ({}),
    chains: [benchChain([])],
    indexes: { health: () => ({}) },
    findOrigins: async () => new Map(),
    sandboxEndpoints: [],
    live: openLiveMarkets({
      ...context,
      db,
      bus: openThreadBus("bench"),
      exchanges: [],
      otherExchanges: false,
    }),
  });
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }) };
});
