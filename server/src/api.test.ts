import type { DexHealth, RoleHealth } from "@slipway/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../test/silent-log.ts";
import { noExchanges, testSealing, testSecret } from "../test/test-app.ts";
import { createTestDatabase } from "../test/test-database.ts";
import { openApi } from "./api.ts";
import { openThreadBus } from "./bus/thread-bus.ts";
import { readConfig } from "./config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import type { App } from "./http/app.ts";
import { systemClock } from "./lib/clock.ts";
import { systemRandom } from "./lib/random.ts";
import { openRamp } from "./open-ramp.ts";

const context = { clock: systemClock, random: systemRandom, log: silentLog };
let ramp: RoleHealth = { state: "running", restarts: 0, lastError: null };
let dex: Record<string, DexHealth> = {};
let db: Database;
let drop: () => Promise<void>;
let app: App;

beforeAll(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  db = openDatabase({ addresses: [created.address], poolSize: 2, ...context });
  const { config, lines } = readConfig({});
  const rampOrders = { mode: config.mode, sealing: testSealing, settings: config.ramp };
  app = await openApi({
    config,
    lines,
    db,
    bus: openThreadBus("nobody"),
    secret: testSecret,
    roles: () => ({ ramp }),
    chains: [],
    indexes: { health: () => dex },
    findOrigins: async () => new Map(),
    live: noExchanges(db),
    ramp: await openRamp(rampOrders, { db, ...context }),
    sandboxEndpoints: [],
    ...context,
  });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const ready = async () => {
  const response = await app.inject("/health/ready");
  return { code: response.statusCode, ...response.json() };
};

test("an index that has stalled makes the service unready, and says why", async () => {
  const stalled: DexHealth = {
    state: "stalled",
    reason: "no new block for 75 s: the node has none; check its RPC URL",
    head: 18,
    block: 17,
    lagBlocks: 1,
    lagSeconds: 12,
    lastReorg: null,
    progress: null,
  };
  dex = { "uniswap-v3/ethereum": stalled };
  expect(await ready()).toMatchObject({ code: 503, status: "unavailable", dex });
  const metrics = (await app.inject("/metrics")).body;
  const labels = '{exchange="uniswap-v3",blockchain="ethereum"}';
  expect(metrics).toContain(`slipway_dex_head_block${labels} 18`);
  expect(metrics).toContain(`slipway_dex_indexed_block${labels} 17`);
  expect(metrics).toContain(`slipway_dex_stalled${labels} 1`);
  dex = { "uniswap-v3/ethereum": { ...stalled, state: "catching up", reason: null } };
  expect(await ready()).toMatchObject({ code: 200, status: "ok" });
});

test("a role that is down leaves the service ready and says why", async () => {
  expect(await ready()).toMatchObject({ code: 200, status: "ok" });
  ramp = { state: "restarting", restarts: 3, lastError: "out of memory" };
  expect(await ready()).toMatchObject({ code: 200, status: "degraded", roles: { ramp } });
});

test("a database that is gone makes it unready, and keyed endpoints answer 503", async () => {
  await drop();
  expect(await ready()).toMatchObject({
    code: 503,
    status: "unavailable",
    database: { ok: false },
  });
  const live = await app.inject("/health/live");
  expect(live.statusCode).toBe(200);
});
