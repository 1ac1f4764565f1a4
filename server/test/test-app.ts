import { Slipway } from "@slipway/sdk";
import { afterAll, beforeAll } from "vitest";
import { sandboxKeys } from "../src/accounts/api-key.ts";
import { type ApiContext, openApi } from "../src/api.ts";
import type { Bus } from "../src/bus/bus.ts";
import { openThreadBus } from "../src/bus/thread-bus.ts";
import { type LiveMarkets, openLiveMarkets } from "../src/cex/live/live-markets.ts";
import { readConfig } from "../src/config.ts";
import type { Address } from "../src/database/address.ts";
import type { Database } from "../src/database/database.ts";
import type { Clock } from "../src/lib/clock.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { type OpenRamp, openRamp } from "../src/open-ramp.ts";
import { seedAccounts } from "../src/sandbox/accounts.ts";
import { seedSandboxFunds } from "../src/sandbox/ramp/funds.ts";
import { recordingLog } from "./silent-log.ts";
import { useDatabase } from "./test-database.ts";

export const testSecret = "a secret that only tests know, long enough";

export const testSealing = { keys: [Buffer.alloc(32, 7)], digestKey: Buffer.alloc(32, 8) };

export type TestApp = {
  url: string;
  db: Database;
  /** Where its database is. */
  address: Address;
  /** What the service logged. */
  lines: string[];
  /** A client with one of the sandbox keys, or with any other. */
  as(key: keyof typeof sandboxKeys | (string & {})): Slipway;
  /** A request as it comes, with the master's key unless told otherwise. */
  ask(path: string, init?: RequestInit): Promise<Response>;
};

type Parts = {
  /** Blockchains as if they were configured. */
  chains?: ApiContext["chains"];
  findOrigins?: ApiContext["findOrigins"];
  indexes?: ApiContext["indexes"];
  sandboxEndpoints?: ApiContext["sandboxEndpoints"];
  /** Where a local Ethereum answers for the sandbox's ramp; without it, Ethereum is kept in tables. */
  localChainUrl?: () => string;
  /** What of the ramp is other than in the sandbox. */
  ramp?: (ramp: OpenRamp) => Partial<OpenRamp>;
  /** What is heard on; without it nobody speaks. */
  bus?: Bus;
  /** What centralized exchanges say; without it there are none. */
  live?: (db: Database) => LiveMarkets;
};

const noIndexes = { health: () => ({}) };

/** A service that serves no centralized exchange. */
export function noExchanges(db: Database): LiveMarkets {
  const bus = openThreadBus("nobody");
  const served = { exchanges: [], otherExchanges: false };
  return openLiveMarkets({ db, bus, clock: systemClock, random: systemRandom, ...served });
}

/** The real API on a real port, with a private database that holds the sandbox accounts. */
export function useApp(
  env: Record<string, string> = {},
  clock: Clock = systemClock,
  parts: Parts = {},
): TestApp {
  const { chains = [], findOrigins = async () => new Map(), indexes = noIndexes } = parts;
  const held = useDatabase();
  const { lines, log } = recordingLog();
  const app = {
    lines,
    as: (key) =>
      new Slipway({
        baseUrl: app.url,
        apiKey: key in sandboxKeys ? `slp_sandbox_${key}` : key,
        // A test sees what the service answers, not what it answers in the end, and has a patience of its own.
        retries: 0,
        timeoutMs: 600_000,
      }),
    ask: (path, init = {}) =>
      fetch(app.url + path, { ...init, headers: { apiKey: sandboxKeys.master, ...init.headers } }),
  } as TestApp;
  let close: () => Promise<void>;
  beforeAll(async () => {
    app.db = held.db;
    app.address = held.address;
    await seedAccounts(held.db, testSecret, clock);
    await seedSandboxFunds(held.db, clock);
    const { config, lines: settings } = readConfig(env);
    const outside = { db: held.db, clock, random: systemRandom, log };
    const ramp = await openRamp(
      {
        ...{ mode: config.mode, sealing: testSealing, settings: config.ramp },
        localChainUrl: parts.localChainUrl?.(),
      },
      outside,
    );
    const roles = () => ({ ramp: { state: "running", restarts: 0, lastError: null } as const });
    const live = (parts.live ?? noExchanges)(held.db);
    const context = {
      config,
      lines: settings,
      live,
      ramp: { ...ramp, ...parts.ramp?.(ramp) },
      sandboxEndpoints: parts.sandboxEndpoints ?? [],
      chains,
      findOrigins,
      indexes,
      db: held.db,
      bus: parts.bus ?? openThreadBus("nobody"),
      secret: testSecret,
      roles,
      clock,
      random: systemRandom,
      log,
    };
    const api = await openApi(context);
    app.url = await api.listen({ host: "127.0.0.1", port: 0 });
    close = async () => {
      live.close();
      await api.close();
    };
  });
  afterAll(() => close());
  return app;
}
