import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { openInstallation } from "../src/installation.ts";
import { systemClock } from "../src/lib/clock.ts";
import { startService as startHere } from "../src/main.ts";
import { seedAccounts } from "../src/sandbox/accounts.ts";
import { postmastersUnder } from "./postgres-processes.ts";
import { silentLog } from "./silent-log.ts";
import { createTestDatabase } from "./test-database.ts";
import {
  readyFolder,
  runSlipway,
  slipway,
  startService,
  type TestService,
  temporaryFolder,
  withoutMarkets,
} from "./test-service.ts";

const take = (port: number) =>
  new Promise<Server | undefined>((resolve) => {
    const server = createServer().once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });

async function freePort(): Promise<number> {
  const server = await take(0);
  const address = server?.address();
  await new Promise((resolve) => server?.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

const patience = { timeout: 60_000 };
const hasNats = spawnSync("nats-server", ["--version"]).status === 0;

/** A URL that reaches the test server's database over its socket. */
const urlOf = ({ host, user, database }: { host: string; user: string; database: string }) =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`;

/** Opens the database that the environment of a service leads to, as its start does. */
const open = (env: Record<string, string>) =>
  openInstallation(readConfig(env).config, "service", silentLog);

describe("a first start", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      env: { SLIPWAY_DATA: temporaryFolder(), SANDBOX_CHAIN: "true" },
    });
  });

  test("prints one screen: mode, addresses, data, keys, and a curl that works", async () => {
    await expect.poll(service.output).toContain("Stop with Ctrl-C");
    const screen = service.output();
    for (const text of [
      "sandbox mode",
      `${service.url}/docs`,
      `${service.url}/console`,
      `${service.url}/health/ready`,
      service.dataFolder,
    ]) {
      expect(screen).toContain(text);
    }
    for (const key of ["slp_sandbox_master", "slp_sandbox_unverified", "slp_sandbox_operator"]) {
      expect(screen).toContain(key);
    }
    const [, header = "", url = ""] = /curl -H '(.+?)' (\S+)/.exec(screen) ?? [];
    const [name = "", value = ""] = header.split(": ");
    const answer = async () => (await fetch(url, { headers: { [name]: value } })).text();
    await expect.poll(answer).toContain('"symbol":"USDC"');
  });

  test("is stopped once when it is told twice at once, as npm does with Ctrl-C", async () => {
    service.signal("SIGINT");
    service.signal("SIGINT");
    expect(await service.ended).toBe(0);
  });
});

describe("a port that is taken", () => {
  test("is passed over when it is the default one, and the screen says so", async () => {
    const taken = await take(8080);
    const free = runSlipway(["start"], { env: { ...withoutMarkets, SLIPWAY_DATA: readyFolder() } });
    const url = await free.saw(/http:\/\/127\.0\.0\.1:\d+/);
    expect(Number(new URL(url).port)).toBeGreaterThan(8080);
    await free.saw(/Port 8080 was taken/);
    // As a terminal does that closes: it ends in order.
    free.signal("SIGHUP");
    expect(await free.ended).toBe(0);
    taken?.close();
  });

  test("is refused when it was chosen", async () => {
    const taken = await take(0);
    const address = taken?.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { code, output } = await slipway(["start"], {
      env: { ...withoutMarkets, SLIPWAY_DATA: readyFolder(), PORT: String(port) },
    });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is taken`);
    taken?.close();
  });
});

describe("a live service with a database of its own", () => {
  const secrets = {
    SLIPWAY_SECRET: "the same secret on every machine",
    SLIPWAY_ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString("base64"),
  };
  const live = { SLIPWAY_MODE: "live", ...secrets };

  test("does without the embedded server and the sandbox's keys", async () => {
    const { address, drop } = await createTestDatabase();
    const env = { ...live, DATABASE_URL: urlOf(address), SLIPWAY_DATA: temporaryFolder() };
    const service = await startService({ env });
    await expect.poll(service.output).toContain(`postgres://${address.user}@`);
    expect(postmastersUnder(service.dataFolder)).toEqual([]);
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({
      status: "ok",
      database: { ok: true },
      roles: { ramp: { state: "running", restarts: 0 } },
    });
    const response = await fetch(`${service.url}/v2/ramp/blockchains`, {
      headers: { apiKey: "slp_sandbox_master" },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("slipway-mode")).toBe("live");
    expect(service.output()).not.toContain("slp_sandbox");
    expect(await service.stop()).toBe(0);
    await drop();
  });

  test("refuses one that has the sandbox's keys", async () => {
    const { address, drop } = await createTestDatabase();
    const env = { ...secrets, DATABASE_URL: urlOf(address), SLIPWAY_DATA: temporaryFolder() };
    const { db, secret, close } = await open(env);
    await seedAccounts(db, secret, systemClock);
    await close();
    await expect(open({ ...env, ...live })).rejects.toThrow("holds the sandbox keys");
    await drop();
  });
});

describe("a DATABASE_URL", () => {
  test.each([
    ["that nobody answers", "postgres://a@127.0.0.1:1/b", /127\.0\.0\.1:1\/b cannot be used/],
    ["that is half of one", "postgres://a@host", /names no database/],
    [
      "with a wrong login",
      () => urlOf({ ...inject("server"), user: "nobody_like_that" }),
      /nobody_like_that.* does not exist/,
    ],
  ])("%s is an error, never a silent fallback", async (_, url, message) => {
    const folder = temporaryFolder();
    const env = { SLIPWAY_DATA: folder, DATABASE_URL: typeof url === "string" ? url : url() };
    const opening = open(env);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toThrow("DATABASE_URL");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that cannot be used ends a start, which says why", async () => {
    const env = { ...withoutMarkets, PORT: "0", DATABASE_URL: "postgres://a@127.0.0.1:1/b" };
    const { code, output } = await slipway(["start"], {
      env: { ...env, SLIPWAY_DATA: temporaryFolder() },
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^slipway: The database at .* cannot be used.*DATABASE_URL/m);
  });
});

describe("roles", () => {
  test.runIf(hasNats)(
    "in separate processes see each other over NATS",
    async () => {
      const { address, drop } = await createTestDatabase();
      const natsPort = await freePort();
      const nats = spawn("nats-server", ["-a", "127.0.0.1", "-p", String(natsPort)], {
        stdio: "ignore",
      });
      const env = {
        DATABASE_URL: urlOf(address),
        NATS_URL: `nats://127.0.0.1:${natsPort}`,
        SLIPWAY_SECRET: "the same secret on every machine",
        SLIPWAY_DATA: temporaryFolder(),
        SANDBOX_CHAIN: "false",
        SANDBOX_EXCHANGE: "true",
        PORT: "0",
      };
      await expect
        .poll(async () => take(natsPort).then((server) => server?.close() === undefined))
        .toBe(true);
      const api = await startService({ env, args: ["--role", "api"] });
      const ramp = runSlipway(["start", "--role", "ramp"], { env });
      const cex = runSlipway(["start", "--role", "cex"], { env });
      const roles = async () =>
        ((await (await fetch(`${api.url}/health/ready`)).json()) as { roles: object }).roles;
      await expect.poll(roles, patience).toMatchObject({ ramp: { state: "running" } });
      const sourceOfBook = async () => {
        const url = `${api.url}/v2/cex/kraken/BTC-USD/orders?apiKey=slp_sandbox_master`;
        return (await fetch(url)).headers.get("slipway-source");
      };
      await expect.poll(sourceOfBook, patience).toBe("websocket");
      expect(await ramp.stop()).toBe(0);
      expect(await cex.stop()).toBe(0);
      const silent = { state: "silent" };
      await expect.poll(roles, patience).toMatchObject({ ramp: silent, cex: silent });
      expect(await api.stop()).toBe(0);
      nats.kill();
      await drop();
    },
    180_000,
  );

  test("in separate processes need something to share", async () => {
    const read = readConfig({ SLIPWAY_DATA: temporaryFolder() });
    const lonely = { ...read, roles: ["api"], isTerminal: false, log: silentLog } as const;
    await expect(startHere(lonely)).rejects.toThrow("set DATABASE_URL and NATS_URL");
  });

  test("that do not exist are refused", async () => {
    const { code, output } = await slipway(["start", "--role", "cook"]);
    expect(code).toBe(2);
    expect(output).toContain("one or more of api, cex, dex, ramp");
  });
});
