import { describe, expect, test } from "vitest";
import { exchange } from "./exchange.ts";
import { slipway, startService } from "./test-service.ts";

describe("an API key", () => {
  test("appears in no output, answer, header or metric, wherever it came in and whatever went wrong", async () => {
    const service = await startService({ env: { LOG_LEVEL: "trace", LIMITS_ENABLED: "true" } });
    const dataEnv = { SLIPWAY_DATA: service.dataFolder };
    const issued = await slipway(["keys", "issue", "--user", "usr-10000000000001", "--json"], {
      env: dataEnv,
    });
    const { key } = JSON.parse(issued.output) as { key: string };
    const json = { "content-type": "application/json" };
    const seen: string[] = [];
    const statuses = new Set<number>();
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(service.url + path, { redirect: "manual", ...init });
      statuses.add(response.status);
      seen.push(JSON.stringify([...response.headers]), await response.text());
    };
    const list = "/v2/ramp/subaccounts";

    for (const header of [
      "apiKey",
      "authorization",
      "x-request-id",
      "user-agent",
      "referer",
      "cookie",
      "origin",
    ]) {
      await ask(list, { headers: { [header]: key } });
    }
    for (const name of ["apiKey", "APIKEY", "api%4Bey", "key", "api_key"])
      await ask(`${list}?${name}=${key}`);
    await ask(`${list}?apiKey=${key}&apiKey=${key}x`);
    await ask(`${list}/${key}?apiKey=${key}`);
    await ask(`/${key}?apiKey=${key}`);
    await ask(`${list}?apiKey=${key}`, { method: "DELETE", headers: { apiKey: key } });
    await ask(`/%zz?apiKey=${key}`);
    await ask(`/console/${key}?apiKey=${key}`);
    await ask(`${list}?apiKey=${key}&x=${"x".repeat(9_000)}`);
    const bodies = [
      JSON.stringify({ "api-key": key, subAccount: { name: key, email: key } }),
      JSON.stringify({ "api-key": `${key}x`, [key]: key }),
      `{"api-key": "${key}"`,
      JSON.stringify({ "api-key": key, name: `${key} ${key}`, email: "leak@example.com" }),
      JSON.stringify({ "api-key": key, name: key.repeat(2_000) }),
    ];
    for (const body of bodies)
      await ask(`${list}?apiKey=${key}`, { method: "POST", headers: json, body });
    await ask(list, { method: "POST", headers: json, body: bodies[0] ?? "" });
    await ask(`${list}?apiKey=${key}`, {
      method: "POST",
      headers: { "content-type": key },
      body: key,
    });
    await ask("/v2/ramp/blockchains", { headers: { apiKey: "slp_sandbox_master" } });
    seen.push(await exchange(service.url, `GET /?apiKey=${key} nonsense ${key}\r\n\r\n`));
    seen.push(
      await exchange(
        service.url,
        `GET / HTTP/1.1\r\nhost: x\r\napiKey: ${key}\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
      ),
    );
    while (!statuses.has(429)) await ask(list, { headers: { apiKey: `${key}x` } });
    await ask(`/metrics?apiKey=${key}`);
    await ask("/openapi.json");

    expect([...statuses].sort()).toEqual(
      expect.arrayContaining([200, 201, 400, 401, 404, 405, 413, 414, 415, 429]),
    );
    await service.stop();
    const output = service.output();
    expect(output).toContain('"answered"');
    for (const secret of [key, key.slice(-49), encodeURIComponent(key)]) {
      expect(output).not.toContain(secret);
      expect(seen.filter((text) => text.includes(secret))).toEqual([]);
    }
    // The sandbox's keys are shown at the start on purpose, and nowhere after it.
    expect(output.slice(output.indexOf("Stop with Ctrl-C"))).not.toContain("slp_sandbox_");
  });
});
