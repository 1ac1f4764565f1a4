import type { Socket } from "node:net";
import { afterAll } from "vitest";
import { mayActFor } from "../src/accounts/may-act-for.ts";
import type { Bus } from "../src/bus/bus.ts";
import { openThreadBus } from "../src/bus/thread-bus.ts";
import type { LiveMarkets } from "../src/cex/live/live-markets.ts";
import { openLiveMarkets } from "../src/cex/live/live-markets.ts";
import type { Database } from "../src/database/database.ts";
import { buildApp, usualPatience } from "../src/http/app.ts";
import type { Caller } from "../src/http/endpoint.ts";
import { openMetrics } from "../src/http/metrics.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { openStreams } from "../src/stream/streams.ts";
import { dexChains } from "./dex-fixture.ts";
import { silentLog } from "./silent-log.ts";

type Parts = { db: Database; bus?: Bus; clock?: Clock };

/** The streams behind the real edge, without the rest of the service: it starts and stops in a moment. */
export type StreamService = {
  url: string;
  /** The server's ends of all connections there were. */
  sockets: Socket[];
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

/** Keys that are not valid any more. */
export const revoked = new Set<string>();

/** A key is the account that it belongs to, perhaps with the only scope that it has: `usr-1`, `usr-1/data:read`. */
function callerOf(key: string): Caller | undefined {
  if (!key.startsWith("usr-") || revoked.has(key)) return undefined;
  const [userId = "", scope] = key.split("/");
  const scopes = new Set(scope ? [scope] : ["data:read", "ramp:read"]);
  return { keyId: key, userId, scopes };
}

/** Starts such a service. What a test does not stop is stopped after it. */
export async function startStreams({
  db,
  bus = openThreadBus("nobody"),
  clock = systemClock,
}: Parts): Promise<StreamService> {
  const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
  const outside = { db, bus, clock, random: systemRandom };
  const live: LiveMarkets = openLiveMarkets({
    ...outside,
    exchanges: [kraken],
    otherExchanges: false,
  });
  const metrics = openMetrics();
  const streams = openStreams({
    ...{ db, bus, live, clock, log: silentLog, authenticate: callerOf },
    chains: () => dexChains,
    findOrigins: async () => new Map(),
  });
  streams.addMetrics(metrics.registry);
  const app = await buildApp({
    ...{ endpoints: streams.endpoints, authenticate: callerOf, mayActFor: mayActFor(db), metrics },
    ...{ limits: undefined, mode: "sandbox", version: "0.0.0", trustedProxies: [] },
    ...{ patience: usualPatience, random: systemRandom, log: silentLog },
  });
  streams.addTo(app);
  const sockets: Socket[] = [];
  app.server.on("connection", (socket) => sockets.push(socket));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const stop = async () => {
    live.close();
    await app.close();
  };
  stopping.add(stop);
  return {
    url,
    sockets,
    metrics: () => metrics.registry.metrics(),
    async stop() {
      stopping.delete(stop);
      await stop();
    },
  };
}

const stopping = new Set<() => Promise<void>>();
afterAll(async () => {
  await Promise.all([...stopping].map((stop) => stop()));
});
