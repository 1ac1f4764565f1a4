import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useApp } from "../../../server/test/test-app.ts";
import { temporaryFolder } from "../../../server/test/test-service.ts";
import { commandLine, fakeService } from "../../test/command-line.ts";
import { prettyJson } from "../json-text.ts";
import { requestPath } from "../request-path.ts";

const app = useApp();
const key = ["--api-key", "slp_sandbox_master"];
const get = (...args: string[]) => commandLine().run("get", ...args, "--url", app.url);

describe("slipway get", () => {
  test("prints the answer as it came, with the sandbox's key unless there is another", async () => {
    const answer = await (await app.ask("/v2/ramp/blockchains")).text();
    const used = "With the sandbox's key slp_sandbox_master.\n";
    expect(await get("ramp/blockchains")).toEqual({ code: 0, out: `${answer}\n`, errors: used });
    const plain = { code: 0, out: `${answer}\n`, errors: "" };
    expect(await get("ramp", "blockchains", ...key)).toEqual(plain);
    const operators = await get("/operator/accounts");
    expect(operators).toMatchObject({ code: 0, errors: expect.stringContaining("operator") });
  });

  test("says in the service's words what is wrong, and ends with 1", async () => {
    const unknown = await get("ramp/transactions/txn-1", ...key);
    expect(unknown).toMatchObject({ code: 1, out: "" });
    expect(unknown.errors).toMatch(/^slipway: 404: .*txn-1.* \(request req-/);
    const faults = await get("ramp/events", "-q", "limit=0", "-q", "after=x", ...key);
    expect(faults.errors).toMatch(/400: after must be .*\n {2}limit must be/);
    const refused = await get("ramp/blockchains", "--api-key", "wrong");
    expect(refused.errors).toMatch(/401: .*--api-key or SLIPWAY_API_KEY/);
  });

  test("writes CSV, and files that are whole or not there", async () => {
    const csv = await get("operator/accounts", "--format", "csv");
    expect(csv.out).toMatch(/^id,[^\n]*\r\nusr-/);
    const file = join(temporaryFolder(), "accounts.parquet");
    const format = ["--format", "parquet", "-o", file];
    expect(await get("operator/accounts", ...format)).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(file).subarray(0, 4).toString()).toBe("PAR1");
    const missing = join(temporaryFolder(), "missing.json");
    expect((await get("nothing/here", "-o", missing, ...key)).code).toBe(1);
    expect(existsSync(missing)).toBe(false);
    const nowhere = await get("ramp/blockchains", "-o", "/nowhere/x.json", ...key);
    expect(nowhere).toMatchObject({
      code: 1,
      errors: expect.stringContaining("cannot be written"),
    });
  });

  test("on a terminal is for people, in colours unless nobody wants them", async () => {
    const path = ["get", "ramp/blockchains", ...key, "--url", app.url];
    const colourful = await commandLine({ isTTY: true }).run(...path);
    expect(colourful.out).toContain('\x1b[32m"ethereum"\x1b[0m');
    const plain = await commandLine({ isTTY: true, hasColors: false }).run(...path);
    expect(plain.out).toContain('\n  "ethereum"');
    expect(plain.out).not.toContain("\x1b");
    const raw = await commandLine({ isTTY: true }).run(...path, "--json");
    expect(raw.out).toContain('"ethereum","');
    const parquet = await commandLine({ isTTY: true }).run(...path, "--format", "parquet");
    expect(parquet).toMatchObject({ code: 2, errors: expect.stringContaining("-o") });
  });

  test("has no key of its own in live mode, and waits when it is asked to", async () => {
    let asked = 0;
    const { url } = await fakeService(
      (request, response) => {
        const status = asked++ === 0 ? 429 : request.headers.apikey ? 200 : 401;
        const headers = { "content-type": "application/json", "retry-after": "0.01" };
        response.writeHead(status, headers).end('{"n": 0.100000000000000000001}');
      },
      { mode: "live" },
    );
    const refused = await commandLine().run("get", "x", "--url", url);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.errors).toMatch(/wait \(429\): 0.01 s.\n.*401: Unauthorized Give a key/);
    const exact = await commandLine({ isTTY: true, hasColors: false }).run(
      ...["get", "x", "--url", url, "--api-key", "k"],
    );
    expect(exact.out).toBe('{\n  "n": 0.100000000000000000001\n}\n');
  });

  test("says what to do when nothing answers, or nothing of ours", async () => {
    const nobody = await commandLine().run("get", "x", "--url", "http://127.0.0.1:1");
    expect(nobody).toMatchObject({ code: 1, errors: expect.stringContaining("slipway start") });
    const { url } = await fakeService(() => {}, { hello: 1 });
    const other = await commandLine().run("get", "x", "--url", url);
    expect(other).toMatchObject({ code: 1, errors: expect.stringContaining("is no Slipway") });
    const typo = await commandLine().run("get", "x", "--url", "127.0.0.1");
    expect(typo).toMatchObject({ code: 1, errors: expect.stringContaining("is not a URL") });
  });
});

test.each([
  [["cex/kraken/BTC-USD"], "/v2/cex/kraken/BTC-USD"],
  [["cex", "kraken", "BTC/USD"], "/v2/cex/kraken/BTC/USD"],
  [["cex", "kraken", "BTC%2FUSD"], "/v2/cex/kraken/BTC%2FUSD"],
  [["/v1/blocks?limit=3"], "/v1/blocks?limit=3"],
  [["v1/blocks"], "/v1/blocks"],
  [["operator/invariants"], "/operator/invariants"],
  [["cex/kraken/BTC-USDT:USDT"], "/v2/cex/kraken/BTC-USDT:USDT"],
  [["dex/ü%"], "/v2/dex/%C3%BC%25"],
])("%j is the path %s", (words, path) => {
  expect(requestPath(words)).toBe(path);
});

test("query parameters are put behind the path, escaped", () => {
  expect(requestPath(["x?a=1"], ["b=c=d&e", "f="])).toBe("/v2/x?a=1&b=c%3Dd%26e&f=");
  expect(() => requestPath(["x"], ["b"])).toThrow("--query b must be name=value");
});

test("JSON for people says the same as JSON for programs", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const pretty = prettyJson(text, (part) => part);
      expect(pretty).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
  expect(prettyJson('{"a": 1.000, "b": [ ]}', (part) => part)).toBe(
    '{\n  "a": 1.000,\n  "b": []\n}',
  );
});
