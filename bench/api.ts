import type { ApiContext } from "../server/src/api.ts";
import type { Address } from "../server/src/database/address.ts";
import { built, context, openBenchDatabase } from "./built.ts";

const { openApi } = await built<typeof import("../server/src/api.ts")>("api");
const { openThreadBus } =
  await built<typeof import("../server/src/bus/thread-bus.ts")>("bus/thread-bus");
const { openLiveMarkets } =
  await built<typeof import("../server/src/cex/live/live-markets.ts")>("cex/live/live-markets");
const { readConfig } = await built<typeof import("../server/src/config.ts")>("config");
const { openRamp } = await built<typeof import("../server/src/open-ramp.ts")>("open-ramp");
const { seedAccounts } =
  await built<typeof import("../server/src/sandbox/accounts.ts")>("sandbox/accounts");

const secret = "a secret that only the benchmark knows, long enough";
const space = "bench";

/** What seals in benchmarks, in every process of one. */
export const sealing = { keys: [Buffer.alloc(32, 7)], digestKey: Buffer.alloc(32, 8) };

/** What an API has of others than the ramp; without them it has nothing of theirs. */
type Parts = {
  chains?: ApiContext["chains"];
  exchanges?: Parameters<typeof openLiveMarkets>[0]["exchanges"];
};

/** Serves the API as it is, on a database of the benchmark's. Answers where. */
export async function serveApi(
  database: Address,
  { chains = [], exchanges = [] }: Parts,
): Promise<string> {
  const db = openBenchDatabase(database);
  await seedAccounts(db, secret, context.clock);
  const { config, lines } = readConfig({});
  const bus = openThreadBus(space);
  const app = await openApi({
    ...context,
    config,
    lines,
    db,
    bus,
    secret,
    roles: () => ({}),
    chains,
    indexes: { health: () => ({}) },
    findOrigins: async () => new Map(),
    live: openLiveMarkets({ ...context, db, bus, exchanges, otherExchanges: false }),
    ramp: await openRamp({ mode: config.mode, sealing, settings: config.ramp }, { ...context, db }),
    sandboxEndpoints: [],
  });
  return app.listen({ host: "127.0.0.1", port: 0 });
}
