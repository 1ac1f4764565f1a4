import type { Health, RoleHealth } from "@slipway/sdk";
import { openAuthenticator } from "./accounts/authenticate.ts";
import { mayActFor } from "./accounts/may-act-for.ts";
import { liquidityEndpoints } from "./analytics/endpoints.ts";
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
import type { OpenRamp } from "./open-ramp.ts";
import { addReconciliationMetrics } from "./ramp/reconciliation/reconciliation-metrics.ts";
import { rampEndpoints } from "./ramp-endpoints.ts";
import { version } from "./version.ts";

export type ApiContext = {
  config: Config;
  db: Database;
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
  const { config, db, secret, clock, random, log } = context;
  const { mode, limits, trustedProxies, logoUrl } = config;
  const { indexes, findOrigins, live } = context;
  const chains = () => context.chains;
  const { authenticate, flush } = await openAuthenticator({ db, mode, secret, clock, log });
  const metrics = openMetrics();
  addIndexMetrics(metrics.registry, indexes);
  addFeedMetrics(metrics.registry, live.heard);
  addReconciliationMetrics(metrics.registry, db);
  const app = await buildApp({
    endpoints: [
      ...dexEndpoints({ db, clock, chains, logoUrl, findOrigins }),
      ...blockEndpoints({ db, clock, chains }),
      ...cexEndpoints({ db, clock, live }),
      ...liquidityEndpoints({ clock, live }),
      ...rampEndpoints(context),
      ...context.sandboxEndpoints,
    ],
    hooks: context.ramp.hooks,
    authenticate,
    mayActFor: mayActFor(db),
    limits: limits.enabled ? openLimits(limits) : undefined,
    metrics,
    mode,
    version,
    trustedProxies,
    patience: usualPatience,
    random,
    log,
  });
  addOperations(app, metrics, () => healthOf(context));
  addLogos(app);
  await addPages(app, log);

  const flushing = setInterval(() => void flush(), flushEveryMs);
  app.addHook("onClose", async () => {
    clearInterval(flushing);
    await flush();
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
