import { expect, test } from "vitest";
import { writeConfig } from "../../server/test/config-file.ts";
import { slipway } from "../../server/test/test-service.ts";

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
