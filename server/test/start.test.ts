import { spawn, spawnSync } from "node:child_process";
import { createServer, type Server } from "node:net";
import { describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "./test-database.ts";
import { runSlipway, slipway, startService, temporaryFolder } from "./test-service.ts";

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

const hasNats = spawnSync("nats-server", ["--version"]).status === 0;

/** A URL that reaches the test server's database over its socket. */
const urlOf = ({ host, user, database }: { host: string; user: string; database: string }) =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`;

describe("starting", () => {
  test("prints one screen: mode, addresses, data, keys, and a curl that works", async () => {
    const service = await startService({ env: { SANDBOX_CHAIN: "true" } });
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
    expect(await service.stop()).toBe(0);
  });

  test("goes on to the next port when the default one is taken, and says so", async () => {
    const taken = await take(8080);
    const free = runSlipway(["start"], {
      env: { SLIPWAY_DATA: temporaryFolder(), SANDBOX_CHAIN: "false" },
    });
    const url = await free.saw(/http:\/\/127\.0\.0\.1:\d+/);
    expect(Number(new URL(url).port)).toBeGreaterThan(8080);
    await free.saw(/Port 8080 was taken/);
    await free.stop();
    taken?.close();
  });

  test("refuses a port that was chosen and is taken", async () => {
    const taken = await take(0);
    const address = taken?.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { code, output } = await slipway(["start"], {
      env: { SLIPWAY_DATA: temporaryFolder(), PORT: String(port) },
    });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is taken`);
    taken?.close();
  });

  test("a terminal that closes ends it in order", async () => {
    const service = await startService();
    service.signal("SIGHUP");
    expect(await service.ended).toBe(0);
  });
});

test("stopping twice at once, as npm does with Ctrl-C, is stopping once", async () => {
  const service = await startService();
  service.signal("SIGINT");
  service.signal("SIGINT");
  expect(await service.ended).toBe(0);
});

describe("DATABASE_URL", () => {
  test("replaces the embedded server", async () => {
    const { address, drop } = await createTestDatabase();
    const service = await startService({ env: { DATABASE_URL: urlOf(address) } });
    await expect.poll(service.output).toContain(`postgres://${address.user}@`);
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({
      status: "ok",
      database: { ok: true },
      roles: { ramp: { state: "running", restarts: 0 } },
    });
    service.signal("SIGTERM");
    expect(await service.ended).toBe(0);
    await drop();
  });

  test.each([
    ["that nobody answers", "postgres://a@127.0.0.1:1/b", /127\.0\.0\.1:1\/b cannot be used/],
    ["that is half of one", "postgres://a@host", /names no database/],
    [
      "with a wrong login",
      () => urlOf({ ...inject("server"), user: "nobody_like_that" }),
      /nobody_like_that.* does not exist/,
    ],
  ])("%s is an error, never a silent fallback", async (_, url, message) => {
    const env = {
      SLIPWAY_DATA: temporaryFolder(),
      PORT: "0",
      DATABASE_URL: typeof url === "string" ? url : url(),
    };
    const { code, output } = await slipway(["start"], { env });
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(output).toContain("DATABASE_URL");
  });
});

describe("live mode", () => {
  test("has no sandbox keys, and refuses a database that has them", async () => {
    const live = { SLIPWAY_MODE: "live", SLIPWAY_DATA: temporaryFolder() };
    const service = await startService({ env: live });
    const response = await fetch(`${service.url}/v2/ramp/blockchains`, {
      headers: { apiKey: "slp_sandbox_master" },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("slipway-mode")).toBe("live");
    expect(service.output()).not.toContain("slp_sandbox");
    await service.stop();

    const sandbox = await startService();
    await sandbox.stop();
    const env = { SLIPWAY_MODE: "live", SLIPWAY_DATA: sandbox.dataFolder, PORT: "0" };
    const { code, output } = await slipway(["start"], { env });
    expect(code).toBe(1);
    expect(output).toContain("holds the sandbox keys");
  });
});

describe("roles", () => {
  test.runIf(hasNats)("in separate processes see each other over NATS", async () => {
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
    await expect.poll(roles).toMatchObject({ ramp: { state: "running" } });
    const sourceOfBook = async () => {
      const url = `${api.url}/v2/cex/kraken/BTC-USD/orders?apiKey=slp_sandbox_master`;
      return (await fetch(url)).headers.get("slipway-source");
    };
    await expect.poll(sourceOfBook, { timeout: 30_000 }).toBe("websocket");
    expect(await ramp.stop()).toBe(0);
    expect(await cex.stop()).toBe(0);
    const silent = { state: "silent" };
    await expect.poll(roles, { timeout: 20_000 }).toMatchObject({ ramp: silent, cex: silent });
    expect(await api.stop()).toBe(0);
    nats.kill();
    await drop();
  });

  test("in separate processes need something to share", async () => {
    const { code, output } = await slipway(["start", "--role", "api"], {
      env: { SLIPWAY_DATA: temporaryFolder() },
    });
    expect(code).toBe(1);
    expect(output).toContain("set DATABASE_URL and NATS_URL");
  });

  test("that do not exist are refused", async () => {
    const { code, output } = await slipway(["start", "--role", "cook"]);
    expect(code).toBe(1);
    expect(output).toContain("one or more of api, cex, dex, ramp");
  });
});
