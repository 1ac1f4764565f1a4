import { expect, test } from "vitest";
import { writeConfig } from "../../server/test/config-file.ts";
import { slipway, startService } from "../../server/test/test-service.ts";

type Told = { ok: boolean; checks: { name: string; state: string; findings: unknown[] }[] };

test("slipway doctor finds a sandbox well, beside the running service and without it", async () => {
  const service = await startService();
  const env = { SLIPWAY_DATA: service.dataFolder };
  const { code, output } = await slipway(["doctor", "--json"], { env });
  const { ok, checks } = JSON.parse(output) as Told;
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  // How full this machine's disk is, is not for this test to judge.
  const judged = checks.filter(({ name }) => name !== "data folder");
  expect(judged.filter(({ state }) => state !== "ok")).toEqual([]);
  const names = judged.map(({ name }) => name);
  for (const name of ["configuration", "database", "encryption keys", "kill switches", "audit log"])
    expect(names).toContain(name);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.stop();
  const alone = await slipway(["doctor"], { env });
  expect(alone.code).toBe(0);
  expect(alone.output).toMatch(/^ok +database +PostgreSQL \d+ answers: .*\(embedded\)$/m);
});

test("slipway doctor names everything that is wrong, the fix, and no secret; it ends with 1", async () => {
  const key = "0123456789abcdef0123456789";
  const env = writeConfig({
    mode: "live",
    chains: { ethereum: { rpcUrls: [`http://127.0.0.1:1/v3/${key}`] } },
    ramp: { rails: { screening: { watchmanUrl: "http://127.0.0.1:1" } } },
  });
  const { code, output } = await slipway(["doctor"], { env });
  expect(code).toBe(1);
  expect(output).toMatch(/^broken +nodes of ethereum +The node 127\.0\.0\.1:1 does not answer/m);
  expect(output).toMatch(/^ +→ Check its URL and key in chains\.ethereum\.rpcUrls/m);
  expect(output).toMatch(/^broken +ramp +ramp\.rails\.bank and ramp\.rails\.chains are missing/m);
  expect(output).toMatch(/^broken +screening /m);
  expect(output).toMatch(/^ok +database +There is none yet/m);
  expect(output).not.toContain(key);
});

test("slipway doctor says what is wrong with settings that cannot be used", async () => {
  const { code, output } = await slipway(["doctor"], { env: writeConfig({ prot: 8080 }) });
  expect(code).toBe(1);
  expect(output).toMatch(/^broken +configuration/m);
  expect(output).toContain('prot is not a setting. Did you mean "port"?');
});
