import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchange } from "./exchange.ts";
import { postmastersUnder } from "./postgres-processes.ts";
import { slipway, startService, type TestService } from "./test-service.ts";

const list = "/v2/ramp/subaccounts";
const json = { "content-type": "application/json" };

type Probe = { path: string; init?: RequestInit };

/** The key in every place it can go, rightly or wrongly, and with every mistake a caller can make. */
function probesWith(key: string): Probe[] {
  const inHeaders = [
    "apiKey",
    "authorization",
    "x-request-id",
    "user-agent",
    "referer",
    "cookie",
    "origin",
  ];
  const inQuery = ["apiKey", "APIKEY", "api%4Bey", "key", "api_key"];
  const stored = JSON.stringify({
    "api-key": key,
    name: `${key} ${key}`,
    email: "leak@example.com",
  });
  const bodies = [
    JSON.stringify({ "api-key": key, subAccount: { name: key, email: key } }),
    JSON.stringify({ "api-key": `${key}x`, [key]: key }),
    JSON.stringify({ "api-key": key, name: key.repeat(2_000) }),
    `{"api-key": "${key}"`,
    stored,
    stored,
  ];
  return [
    ...inHeaders.map((header) => ({ path: list, init: { headers: { [header]: key } } })),
    ...inQuery.map((name) => ({ path: `${list}?${name}=${key}` })),
    { path: `${list}?apiKey=${key}&apiKey=${key}x` },
    { path: `${list}/${key}?apiKey=${key}` },
    { path: `/${key}?apiKey=${key}` },
    { path: `/%zz?apiKey=${key}` },
    { path: `/console/${key}?apiKey=${key}` },
    { path: `${list}?apiKey=${key}&x=${"x".repeat(9_000)}` },
    { path: `${list}?apiKey=${key}`, init: { method: "DELETE", headers: { apiKey: key } } },
    {
      path: `${list}?apiKey=${key}`,
      init: { method: "POST", headers: { "content-type": key }, body: key },
    },
    ...bodies.map((body) => ({ path: list, init: { method: "POST", headers: json, body } })),
    { path: `/metrics?apiKey=${key}` },
    { path: "/openapi.json" },
  ];
}

async function issue({ dataFolder }: TestService, scopes: string): Promise<string> {
  const args = ["keys", "issue", "--user", "usr-10000000000001", "--scopes", scopes, "--json"];
  const { output } = await slipway(args, { env: { SLIPWAY_DATA: dataFolder } });
  return (JSON.parse(output) as { key: string }).key;
}

test("an API key appears in no output, answer, header or metric, wherever it came in and whatever went wrong", async () => {
  const service = await startService({ env: { LOG_LEVEL: "trace", LIMITS_ENABLED: "true" } });
  const key = await issue(service, "ramp:read,ramp:subaccounts:write");
  const narrowKey = await issue(service, "data:read");
  const seen: string[] = [];
  const statuses = new Set<number>();
  const ask = async ({ path, init = {} }: Probe) => {
    const response = await fetch(service.url + path, { redirect: "manual", ...init });
    statuses.add(response.status);
    seen.push(JSON.stringify([...response.headers]), await response.text());
  };
  const askUntil = async (status: number, probe: Probe) => {
    while (!statuses.has(status)) await ask(probe);
  };

  for (const probe of probesWith(key)) await ask(probe);
  await ask({ path: `${list}?apiKey=${narrowKey}` });
  // The request log has all of that.
  const asOperator = { headers: { apiKey: "slp_sandbox_operator" } };
  await ask({ path: "/operator/requests?limit=1000", init: asOperator });
  expect(seen.at(-1)).toContain(`${list}?key=***`);
  seen.push(await exchange(service.url, `GET /?apiKey=${key} nonsense ${key}\r\n\r\n`));
  seen.push(
    await exchange(
      service.url,
      `GET / HTTP/1.1\r\nhost: x\r\napiKey: ${key}\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
    ),
  );
  await askUntil(429, { path: list, init: { headers: { apiKey: `${key}x` } } });
  for (const pid of postmastersUnder(service.dataFolder)) process.kill(pid, "SIGKILL");
  await askUntil(503, { path: `${list}/usr-1?apiKey=${key}` });

  const provoked = [200, 201, 400, 401, 403, 404, 405, 409, 413, 414, 415, 429, 503];
  expect([...statuses]).toEqual(expect.arrayContaining(provoked));
  await service.stop();
  const output = service.output();
  expect(output).toContain('"answered"');
  seen.push(output, readFileSync(join(service.dataFolder, "postgres.log"), "utf8"));
  for (const secret of [key, key.slice(-49), narrowKey, narrowKey.slice(-49)]) {
    expect(seen.filter((text) => text.includes(secret))).toEqual([]);
  }
  // The sandbox's keys are shown at the start on purpose, and nowhere after it.
  expect(output.slice(output.indexOf("Stop with Ctrl-C"))).not.toContain("slp_sandbox_");
});
