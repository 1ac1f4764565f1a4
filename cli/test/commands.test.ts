import { beforeAll, describe, expect, test } from "vitest";
import { writeConfig } from "../../server/test/config-file.ts";
import {
  readyFolder,
  slipway,
  startService,
  type TestService,
  temporaryFolder,
} from "../../server/test/test-service.ts";

const master = "usr-10000000000001";

describe("slipway", () => {
  test("--help lists every command with a sentence", async () => {
    const { code, output } = await slipway(["--help"]);
    expect(code).toBe(0);
    for (const command of ["start", "keys", "accounts", "config", "migrate", "health"]) {
      expect(output).toMatch(new RegExp(`^  ${command}.* [A-Z].*\\.`, "m"));
    }
  });
});

describe("beside a running service", () => {
  let service: TestService;
  let env: { SLIPWAY_DATA: string };
  beforeAll(async () => {
    service = await startService();
    env = { SLIPWAY_DATA: service.dataFolder };
  });

  test("what slipway keys does counts at once", async () => {
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
  });

  test.each([
    [["keys", "issue"], 2, "--user"],
    [["keys", "issue", "--user", "usr-1"], 1, "There is no account usr-1"],
    [["keys", "issue", "--user", master, "--scopes", "ramp:raed"], 2, 'Did you mean "ramp:read"?'],
    [["keys", "issue", "--user", master, "--expires", "soon"], 2, "such as 90d"],
    [["keys", "revoke", "nothing"], 1, "There is no key nothing"],
    [["keys", "rotate", "nothing"], 1, "There is no key nothing"],
  ])("%j ends with %i and says what is wrong", async (args, expected, message) => {
    const { code, output } = await slipway(args, { env });
    expect(code).toBe(expected);
    expect(output).toContain(message);
    expect(output).not.toContain("    at ");
  });

  test("slipway health tells how it is", async () => {
    const { code, output } = await slipway(["health", "--url", service.url]);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ status: "ok", mode: "sandbox" });
  });

  test("and without it, slipway doctor finds a sandbox well", async () => {
    const { code, output } = await slipway(["doctor", "--json"], { env });
    const { ok, checks } = JSON.parse(output) as Told;
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    // How full this machine's disk is, is not for this test to judge.
    const judged = checks.filter(({ name }) => name !== "data folder");
    expect(judged.filter(({ state }) => state !== "ok")).toEqual([]);
    const names = judged.map(({ name }) => name);
    for (const name of [
      "configuration",
      "database",
      "encryption keys",
      "kill switches",
      "audit log",
    ])
      expect(names).toContain(name);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    await service.stop();
    const alone = await slipway(["doctor"], { env });
    expect(alone.code).toBe(0);
    expect(alone.output).toMatch(/^ok +database +PostgreSQL \d+ answers: .*\(embedded\)$/m);
  });
});

/** What `slipway doctor --json` prints. */
type Told = { ok: boolean; checks: { name: string; state: string; findings: unknown[] }[] };

test("slipway health says where nobody answers", async () => {
  const nobody = await slipway(["health", "--url", "http://127.0.0.1:1"]);
  expect(nobody.code).toBe(1);
  expect(nobody.output).toContain("Nothing answers at http://127.0.0.1:1. Start the service");
});

describe("slipway accounts", () => {
  test("bootstraps a live installation: account, verification, key", async () => {
    const env = { SLIPWAY_DATA: readyFolder(), SLIPWAY_MODE: "live" };
    const create = [
      "accounts",
      "create",
      "--name",
      "Ada Lovelace",
      "--email",
      "ada@example.com",
      "--json",
    ];
    // Without a service the command starts PostgreSQL for itself, and stops it again.
    const { id } = JSON.parse((await slipway(create, { env })).output) as { id: string };
    expect((await slipway(["migrate"], { env })).output).toContain("up to date");
    const service = await startService({ env });
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
    const response = await fetch(`${service.url}/v2/ramp/blockchains?apiKey=${key}`);
    expect(response.status).toBe(200);
    await service.stop();
  });
});

describe("slipway config print", () => {
  test("shows every value and where it came from, and no secret", async () => {
    const env = {
      SLIPWAY_DATA: temporaryFolder(),
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
