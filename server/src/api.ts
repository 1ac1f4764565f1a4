import type { Health, RoleHealth } from "@slipway/sdk";
import { openAuthenticator } from "./accounts/authenticate.ts";
import { keyEndpoints } from "./accounts/endpoints/keys.ts";
import { requestEndpoints } from "./accounts/endpoints/requests.ts";
import { mayActFor } from "./accounts/may-act-for.ts";
import { openRequestLog } from "./accounts/request-log.ts";
import { liquidityEndpoints } from "./analytics/endpoints.ts";
import type { Bus } from "./bus/bus.ts";
import { cexEndpoints } from "./cex/endpoints/cex.ts";
import { addFeedMetrics } from "./cex/live/feed-health.ts";
import type { LiveMarkets } from "./cex/live/live-markets.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import { blockEndpoints } from "./dex/endpoints/blocks.ts";
import { dexEndpoints } from "./dex/endpoints/dex.ts";
import type { DexContext } from "./dex/endpoints/dex-context.ts";
import { addLogos } from "./dex/endpoints/logo.ts";
import { addIndexMetrics, type IndexHealth } from "./dex/index-health.ts";
import { type App, buildApp, usualPatience } from "./http/app.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { openLimits } from "./http/limits.ts";
import { openMetrics } from "./http/metrics.ts";
import { addOperations } from "./http/operations.ts";
import { addPages } from "./http/pages.ts";
import type { Clock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import type { Random } from "./lib/random.ts";
import { addMcp } from "./mcp/mcp.ts";
import type { OpenRamp } from "./open-ramp.ts";
import { addReconciliationMetrics } from "./ramp/reconciliation/reconciliation-metrics.ts";
import { rampEndpoints } from "./ramp-endpoints.ts";
import type { ConfigLine } from "./settings.ts";
import { settingsEndpoint } from "./settings-endpoint.ts";
import { openStreams } from "./stream/streams.ts";
import { udfEndpoints } from "./udf/endpoints.ts";
import { version } from "./version.ts";

export type ApiContext = {
  config: Config;
  /** Where each setting came from. */
  lines: readonly ConfigLine[];
  db: Database;
  bus: Bus;
  secret: string;
  roles(): Record<string, RoleHealth>;
  /** Blockchains that are followed. */
  chains: readonly ConfiguredChain[];
  indexes: IndexHealth;
  findOrigins: DexContext["findOrigins"];
  /** What the centralized exchanges say. */
  live: LiveMarkets;
  ramp: OpenRamp;
  /** What there is in sandbox mode only. */
  sandboxEndpoints: readonly Endpoint[];
  clock: Clock;
  random: Random;
  log: Log;
};

const flushEveryMs = 10_000;

/** The API: every endpoint there is, behind one edge. */
export async function openApi(context: ApiContext): Promise<App> {
  const { config, db, bus, secret, clock, random, log } = context;
  const { mode, limits, trustedProxies, logoUrl } = config;
  const { indexes, findOrigins, live } = context;
  const chains = () => context.chains;
  const outside = { db, clock, log };
  const { authenticate, forget, flush } = await openAuthenticator({ ...outside, mode, secret });
  const requests = openRequestLog(outside);
  const metrics = openMetrics();
  addIndexMetrics(metrics.registry, indexes);
  addFeedMetrics(metrics.registry, live.heard);
  addReconciliationMetrics(metrics.registry, db);
  const streams = openStreams({ db, bus, live, chains, findOrigins, authenticate, clock, log });
  streams.addMetrics(metrics.registry);
  const endpoints = [
    ...dexEndpoints({ db, clock, chains, logoUrl, findOrigins }),
    ...blockEndpoints({ db, clock, chains }),
    ...cexEndpoints({ db, clock, live }),
    ...liquidityEndpoints({ clock, live }),
    ...udfEndpoints({ db, clock, live, chains }),
    ...rampEndpoints(context),
    ...keyEndpoints({ db, mode, secret, clock, random, sealer: context.ramp.sealer, forget }),
    ...requestEndpoints({ db, clock, flush: requests.flush }),
    settingsEndpoint(context.lines),
    ...streams.endpoints,
    ...context.sandboxEndpoints,
  ];
  const app = await buildApp({
    endpoints,
    hooks: context.ramp.hooks,
    authenticate,
    mayActFor: mayActFor(db),
    limits: limits.enabled ? openLimits(limits) : undefined,
    metrics,
    noteRequest: requests.note,
    mode,
    version,
    trustedProxies,
    patience: usualPatience,
    random,
    log,
  });
  addOperations(app, metrics, () => healthOf(context));
  addLogos(app);
  addMcp(app, { endpoints, version, isBehindProxy: trustedProxies.length > 0, log });
  await addPages(app, log);

  streams.addTo(app);
  const flushing = setInterval(() => void flush(), flushEveryMs);
  const ticking = setInterval(() => void requests.tick(), 1_000);
  app.addHook("onClose", async () => {
    clearInterval(flushing);
    clearInterval(ticking);
    await Promise.all([flush(), requests.flush()]);
  });
  return app;
}

async function healthOf({ config, db, roles, indexes, live }: ApiContext): Promise<Health> {
  const isDatabaseUp = await db.ping().then(
    () => true,
    () => false,
  );
  const roleHealth = roles();
  const areRolesWell = Object.values(roleHealth).every(({ state }) => state === "running");
  const cex = live.health();
  const areFeedsWell = Object.values(cex).every(({ state }) => state === "ok");
  const dex = indexes.health();
  const isStalled = Object.values(dex).some(({ state }) => state === "stalled");
  const isReady = isDatabaseUp && !isStalled;
  return {
    status: !isReady ? "unavailable" : areRolesWell && areFeedsWell ? "ok" : "degraded",
    mode: config.mode,
    version,
    database: { ok: isDatabaseUp },
    roles: roleHealth,
    dex,
    cex,
  };
}
