import { openApi } from "./api.ts";
import type { Bus } from "./bus/bus.ts";
import { openBus } from "./bus/open-bus.ts";
import type { FeedSettings } from "./cex/feeds/run-feeds.ts";
import { openLiveMarkets } from "./cex/live/live-markets.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import { watchIndexes } from "./dex/index-health.ts";
import { openOriginFinder } from "./dex/origin-finder.ts";
import { followedChains, needsSandboxChain } from "./followed-chains.ts";
import { followedExchanges, needsSandboxExchange } from "./followed-exchanges.ts";
import type { App } from "./http/app.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { systemClock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import type { Log } from "./lib/log.ts";
import { systemRandom } from "./lib/random.ts";
import { superviseThread, type Thread } from "./lib/thread.ts";
import { openRamp, type RampOrders } from "./open-ramp.ts";
import { marketsOf } from "./ramp/rails/prices/configured-markets.ts";
import { indexStarter, workerFile } from "./roles/index-threads.ts";
import { watchRoles } from "./roles/role-health.ts";
import { type RoleName, roleNames } from "./roles/roles.ts";
import { runRole } from "./roles/run-role.ts";
import { seedAccounts } from "./sandbox/accounts.ts";
import { startSandboxChain } from "./sandbox/chain/sandbox-chain.ts";
import {
  answerExchangeFaults,
  exchangeFaultEndpoints,
} from "./sandbox/endpoints/exchange-faults.ts";
import { startSandboxExchange } from "./sandbox/exchange/sandbox-exchange.ts";
import { seedSandboxFunds } from "./sandbox/ramp/funds.ts";
import type { ConfigLine } from "./settings.ts";
import type { WorkerOrders, WorkerSettings } from "./worker.ts";

const clock = systemClock;
const random = systemRandom;
const portsTried = 20;

export type Service = {
  /** Where the API listens, if it is among the roles. */
  url: string | undefined;
  /** Where the data is, in words. */
  place: string;
  /** Resolves when the service cannot go on. */
  lost: Promise<Error>;
  stop(): Promise<void>;
};

export type StartOptions = {
  config: Config;
  /** Where each setting came from. */
  lines: readonly ConfigLine[];
  roles: readonly RoleName[];
  isTerminal: boolean;
  log: Log;
};

/** What the roles listen to, and how money is moved. */
type Followed = { chains: readonly ConfiguredChain[]; feeds: FeedSettings; ramp: RampOrders };

/** Starts the service, from the ground up. What is opened last is closed first. */
export async function startService(options: StartOptions): Promise<Service> {
  const { config, lines, roles, log } = options;
  refuseLonelyRoles(options);
  const opened: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const sandbox = startSandbox(options);
    opened.push(() => stopSandbox(sandbox));
    const installation = await openInstallation(config, "service", log);
    opened.push(installation.close);
    const { db, secret, sealing, place, lost } = installation;
    if (config.mode === "sandbox") await seedSandbox(db, secret);

    const bus = await openBus(config.natsUrl, log);
    opened.push(bus.close);
    const sandboxUrls = (await sandbox.chain)?.chain.rpcUrls ?? [];
    const chains = followedChains(config, sandboxUrls);
    const exchangeUrl = (await sandbox.exchange)?.baseUrl;
    const feeds = { ...config.cex, exchanges: followedExchanges(config, exchangeUrl) };
    if (exchangeUrl) answerExchangeFaults(bus, exchangeUrl);
    const localChainUrl = hasAllRoles(roles) ? sandboxUrls[0] : undefined;
    const rampOrders = rampOrdersOf(config, { sealing, localChainUrl });
    const followed = { chains, feeds, ramp: rampOrders };
    if (!roles.includes("api")) {
      opened.push(startRolesHere(options, installation, { bus, ...followed }));
      return { url: undefined, place, lost, stop };
    }

    const deployments = chains.flatMap((chain) => chain.deployments);
    const indexes = watchIndexes(bus, clock, deployments);
    const threads = startThreads(options, installation, followed);
    opened.push(() => Promise.all([...threads.values()].map((thread) => thread.stop())));
    const roleHealth = watchRoles(bus, clock, threads);
    const { findOrigins, close } = openOriginFinder({ chains, clock, random, log });
    opened.push(close);
    const live = openLiveMarkets({ ...feeds, db, bus, clock, random });
    opened.push(async () => live.close());
    const sandboxEndpoints = needsSandboxExchange(config)
      ? exchangeFaultEndpoints({ bus, clock, random })
      : [];
    const outside = { db, clock, random, log, live: () => live };
    const ramp = await openRamp(rampOrders, { ...outside, isWithoutKeys: true });
    opened.push(ramp.close);
    const heard = { chains, indexes, live, findOrigins, roles: roleHealth };
    const context = { config, lines, db, bus, secret, clock, random, log };
    const app = await openApi({ ...context, ...heard, ramp, sandboxEndpoints });
    opened.push(() => app.close());
    return { url: await listen(app, config), place, lost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How money is moved. In live mode every configured market in dollars makes prices, unless some are named. */
function rampOrdersOf(
  { mode, ramp, chains, exchanges }: Config,
  more: Pick<RampOrders, "sealing" | "localChainUrl">,
): RampOrders {
  const { prices } = ramp.rails;
  const priceMarkets = mode === "live" ? marketsOf(prices, exchanges) : prices.markets;
  return { mode, settings: ramp, priceMarkets, comparedChains: chains, ...more };
}

async function seedSandbox(db: Database, secret: string): Promise<void> {
  await seedAccounts(db, secret, clock);
  await seedSandboxFunds(db, clock);
}

/** What stands in for the world outside belongs to whoever listens to it. */
function startSandbox({ config, roles, log }: StartOptions) {
  const needsChain = roles.includes("dex") && needsSandboxChain(config);
  const needsExchange = roles.includes("cex") && needsSandboxExchange(config);
  const { dataFolder } = config;
  return {
    chain: needsChain ? startSandboxChain({ dataFolder, clock, random, log }) : undefined,
    exchange: needsExchange ? startSandboxExchange({ clock, random, log }) : undefined,
  };
}

async function stopSandbox({ chain, exchange }: ReturnType<typeof startSandbox>): Promise<void> {
  await Promise.all([chain?.then(({ stop }) => stop()), exchange?.then(({ stop }) => stop())]);
}

const hasAllRoles = (roles: readonly RoleName[]) => roles.length === roleNames.length;

function refuseLonelyRoles({ config, roles }: StartOptions): void {
  if (hasAllRoles(roles) || (config.databaseUrl && config.natsUrl)) return;
  throw new OperatorError(
    "Roles in separate processes share a database and a bus: set DATABASE_URL and NATS_URL.",
  );
}

/** Beside the API every role has a thread of its own, so that no load on it ever blocks a request. */
function startThreads(
  options: StartOptions,
  installation: Installation,
  followed: Followed,
): Map<RoleName, Thread> {
  const threads = new Map<RoleName, Thread>();
  const settings = workerSettings(options, installation);
  for (const role of options.roles.filter((name) => name !== "api")) {
    const workerData: WorkerOrders = { ...settings, kind: "role", role, ...followed };
    const { log } = options;
    threads.set(
      role,
      superviseThread({ name: role, file: workerFile, workerData, clock, random, log }),
    );
  }
  return threads;
}

/** Without the API the main thread is free for the roles. Returns what stops them. */
function startRolesHere(
  options: StartOptions,
  installation: Installation,
  { bus, ...followed }: { bus: Bus } & Followed,
) {
  const stopping = new AbortController();
  const { log } = options;
  const settings = workerSettings(options, installation);
  const startIndex = indexStarter({ settings, clock, random, log });
  const isShared = settings.natsUrl !== undefined;
  const { db } = installation;
  const live = () => openLiveMarkets({ ...followed.feeds, db, bus, clock, random });
  const openRampRunners = async () =>
    (await openRamp(followed.ramp, { db, clock, random, log, live })).runners;
  const shared = { isShared, openRampRunners, startIndex };
  const context = { db, bus, clock, random, log, ...followed, ...shared };
  const running = options.roles
    .filter((role) => role !== "api")
    .map((role) => runRole(role, context, stopping.signal));
  return () => {
    stopping.abort();
    return Promise.all(running);
  };
}

function workerSettings(
  { config, isTerminal }: StartOptions,
  { addresses }: Installation,
): WorkerSettings {
  return { addresses, natsUrl: config.natsUrl, logLevel: config.logLevel, isTerminal };
}

/** A port that somebody chose must be free; from the default one we go on to the next that is. */
async function listen(app: App, { host, port, portIsDefault }: Config): Promise<string> {
  const count = portIsDefault ? portsTried : 1;
  for (let candidate = port; candidate < port + count; candidate++) {
    try {
      return await app.listen({ host, port: candidate });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EADDRINUSE") continue;
      throw new OperatorError(
        `Cannot listen on ${host}:${candidate} (${code}). Choose another HOST or PORT.`,
        { cause: error },
      );
    }
  }
  throw new OperatorError(
    portIsDefault
      ? `The ports ${port} to ${port + count - 1} are all taken. Choose a free one with PORT.`
      : `Port ${port} is taken. Stop what listens there (\`lsof -i :${port}\` names it), or choose another PORT.`,
  );
}
