import { describe, expect, test } from "vitest";
import { writeConfig } from "../../server/test/config-file.ts";
import { slipway, startService, temporaryFolder } from "../../server/test/test-service.ts";

const master = "usr-10000000000001";

describe("slipway", () => {
  test("--help lists every command with a sentence", async () => {
    const { code, output } = await slipway(["--help"]);
    expect(code).toBe(0);
    for (const command of ["start", "keys", "accounts", "config", "migrate", "health"]) {
      expect(output).toMatch(new RegExp(`^  ${command}.* [A-Z].*\\.`, "m"));
    }
  });

  test("a misspelt command gets a suggestion", async () => {
    const { code, output } = await slipway(["strat"]);
    expect(code).toBe(1);
    expect(output).toContain("Did you mean start?");
  });
});

describe("slipway keys", () => {
  test("works beside a running service, and what it does counts at once", async () => {
    const service = await startService();
    const env = { SLIPWAY_DATA: service.dataFolder };
    const run = async (...args: string[]) => slipway(["keys", ...args], { env });
    const statusOf = async (key: string) =>
      (await fetch(`${service.url}/v2/ramp/blockchains`, { headers: { apiKey: key } })).status;

    const { output } = await run(
      "issue",
      "--user",
      master,
      "--label",
      "my app",
      "--scopes",
      "ramp:read,data:read",
      "--json",
    );
    const issued = JSON.parse(output) as { id: string; key: string };
    expect(await statusOf(issued.key)).toBe(200);

    const rotated = JSON.parse(
      (await run("rotate", issued.id, "--overlap", "1h", "--json")).output,
    ) as { id: string; key: string };
    expect(await statusOf(issued.key)).toBe(200);
    expect(await statusOf(rotated.key)).toBe(200);

    expect((await run("revoke", issued.id)).output).toContain("is revoked");
    await expect.poll(() => statusOf(issued.key)).toBe(401);
    expect(await statusOf(rotated.key)).toBe(200);

    const table = (await run("list", "--user", master)).output;
    expect(table).toMatch(new RegExp(`${issued.id} +${master} +revoked .*my app`));
    expect(table).toMatch(new RegExp(`${rotated.id} +${master} +active .*my app`));
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    await service.stop();
  });

  test.each([
    [["keys", "issue"], "--user"],
    [["keys", "issue", "--user", "usr-1"], "There is no account usr-1"],
    [["keys", "issue", "--user", master, "--scopes", "ramp:raed"], 'Did you mean "ramp:read"?'],
    [["keys", "issue", "--user", master, "--expires", "soon"], "such as 90d"],
    [["keys", "revoke", "nothing"], "There is no key nothing"],
    [["keys", "rotate", "nothing"], "There is no key nothing"],
  ])("%j says what is wrong", async (args, message) => {
    const { code, output } = await slipway(args, { env: { SLIPWAY_DATA: folder } });
    expect(code).toBe(1);
    expect(output).toContain(message);
    expect(output).not.toContain("    at ");
  });
});

/** Shared by commands that run without a service: each starts PostgreSQL for itself and stops it again. */
const folder = temporaryFolder();

describe("slipway accounts", () => {
  test("bootstraps a live installation: account, verification, key", async () => {
    const env = { SLIPWAY_DATA: temporaryFolder(), SLIPWAY_MODE: "live" };
    const create = [
      "accounts",
      "create",
      "--name",
      "Ada Lovelace",
      "--email",
      "ada@example.com",
      "--json",
    ];
    const { id } = JSON.parse((await slipway(create, { env })).output) as { id: string };
    expect((await slipway(create, { env })).output).toContain(`belongs to ${id} already`);
    expect((await slipway(["accounts", "verify", id], { env })).output).toContain(
      `${id} is approved`,
    );
    expect((await slipway(["accounts", "list"], { env })).output).toMatch(
      new RegExp(`${id} +approved +ada@example.com`),
    );
    const { key } = JSON.parse(
      (await slipway(["keys", "issue", "--user", id, "--json"], { env })).output,
    ) as { key: string };
    expect(key).toMatch(/^slp_live_/);
    const service = await startService({ env });
    const response = await fetch(`${service.url}/v2/ramp/blockchains?apiKey=${key}`);
    expect(response.status).toBe(200);
    await service.stop();
  });
});

describe("slipway config print", () => {
  test("shows every value and where it came from, and no secret", async () => {
    const env = {
      SLIPWAY_DATA: folder,
      PORT: "9999",
      DATABASE_URL: "postgres://ada:hunter2@db.internal/slipway",
      SLIPWAY_SECRET: "x".repeat(40),
    };
    const { code, output } = await slipway(["config", "print"], { env });
    expect(code).toBe(0);
    expect(output).toMatch(/^port +9999 +PORT$/m);
    expect(output).toMatch(/^host +127\.0\.0\.1 +default$/m);
    expect(output).toMatch(
      /^databaseUrl +postgres:\/\/\*\*\*@db\.internal\/slipway +DATABASE_URL$/m,
    );
    expect(output).toMatch(/^secret +\*\*\* +SLIPWAY_SECRET$/m);
    expect(output).not.toMatch(/hunter2|xxxx/);
    const { output: json } = await slipway(["config", "print", "--json"], { env });
    expect(JSON.parse(json)).toContainEqual({ name: "port", value: "9999", origin: "PORT" });
  });

  test("shows the hosts of nodes, whose URLs have keys in them", async () => {
    const rpcUrls = ["https://ada:hunter2@one.example/v3/key-1", "wss://two.example:8443/?k=key-2"];
    const env = writeConfig({ chains: { ethereum: { rpcUrls } } });
    const { code, output } = await slipway(["config", "print"], { env });
    expect(code).toBe(0);
    expect(output).toMatch(
      /^chains\.ethereum\.rpcUrls +one\.example, two\.example:8443 +\S+yaml$/m,
    );
    expect(output).toMatch(/^chains\.ethereum\.chainId +1 +built in$/m);
    expect(output).not.toMatch(/hunter2|key-/);
  });
});

test("slipway migrate and slipway health", async () => {
  expect((await slipway(["migrate"], { env: { SLIPWAY_DATA: folder } })).output).toContain(
    "up to date",
  );
  const nobody = await slipway(["health", "--url", "http://127.0.0.1:1"]);
  expect(nobody).toEqual({ code: 1, output: "Nothing answers at http://127.0.0.1:1.\n" });
  const service = await startService();
  const { code, output } = await slipway(["health", "--url", service.url]);
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ status: "ok", mode: "sandbox" });
  await service.stop();
});
