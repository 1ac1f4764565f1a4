import { parentPort, workerData } from "node:worker_threads";
import { openBus } from "./bus/open-bus.ts";
import type { FeedSettings } from "./cex/feeds/run-feeds.ts";
import type { Chain } from "./chains/chain.ts";
import type { Address } from "./database/address.ts";
import { openDatabase } from "./database/database.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import type { Deployment } from "./dex/deployment.ts";
import { runIndex } from "./dex/indexer/run-index.ts";
import { systemClock as clock } from "./lib/clock.ts";
import { type LogLevel, openLog } from "./lib/log.ts";
import { systemRandom as random } from "./lib/random.ts";
import type { RampOrders } from "./open-ramp.ts";
import { indexStarter } from "./roles/index-threads.ts";
import type { BackgroundRole } from "./roles/roles.ts";
import { runRole } from "./roles/run-role.ts";

/** What every worker thread has to know. */
export type WorkerSettings = {
  addresses: Address[];
  natsUrl: string | undefined;
  logLevel: LogLevel;
  isTerminal: boolean;
};

/** What a worker thread is to do: a role, or the index of one exchange on one chain. */
export type WorkerOrders = WorkerSettings &
  (
    | {
        kind: "role";
        role: BackgroundRole;
        chains: readonly ConfiguredChain[];
        feeds: FeedSettings;
        ramp: RampOrders;
      }
    | { kind: "index"; chain: Chain; deployment: Deployment }
  );

const poolSize = 4;
const orders = workerData as WorkerOrders;
const { addresses, natsUrl, logLevel, isTerminal } = orders;
const log = openLog({
  level: logLevel,
  pretty: isTerminal,
  write: (line) => void process.stderr.write(line),
});
const db = openDatabase({ addresses, poolSize, clock, random, log });
const bus = await openBus(natsUrl, log);
const stopping = new AbortController();
parentPort?.once("message", () => stopping.abort());

const context = { db, bus, clock, random, log };
if (orders.kind === "index") {
  await runIndex({ ...context, ...orders, signal: stopping.signal });
} else {
  const settings = { addresses, natsUrl, logLevel, isTerminal };
  const startIndex = indexStarter({ ...context, settings });
  const { role, chains, feeds, ramp } = orders;
  const isShared = natsUrl !== undefined;
  // Only one thread needs the ramp; the others start sooner without it.
  const openRampRunners = async () => {
    const { openRamp } = await import("./open-ramp.ts");
    const { openLiveMarkets } = await import("./cex/live/live-markets.ts");
    const live = () => openLiveMarkets({ ...feeds, ...context });
    return (await openRamp(ramp, { ...context, live })).runners;
  };
  const followed = { chains, feeds, isShared, openRampRunners, startIndex };
  await runRole(role, { ...context, ...followed }, stopping.signal);
}
await bus.close();
await db.close();
