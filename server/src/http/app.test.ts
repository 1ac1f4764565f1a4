import { connect } from "node:net";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../../test/exchange.ts";
import { silentLog } from "../../test/silent-log.ts";
import { UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { type App, buildApp } from "./app.ts";
import { endpoint } from "./endpoint.ts";
import { openLimits } from "./limits.ts";
import { openMetrics } from "./metrics.ts";
import { Ready } from "./ready.ts";

const long = Array.from({ length: 500 }, (_, index) => `word ${index}`);
const ready = new Ready(JSON.stringify(long));
const caller = { keyId: "k", userId: "usr-1", scopes: new Set(["data:read"]) };
let releaseSlow = () => {};
let slowStarted = () => {};

const common = { family: "data", summary: "A test", scope: "data:read", status: 200 } as const;
const page = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "must be a whole number from 1 to 100" }),
  ),
  flag: Type.Optional(Type.Boolean({ description: "must be true or false" })),
});

const endpoints = [
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/page",
    query: page,
    response: page,
    handle: ({ query }) => query,
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/long",
    response: Type.Array(Type.String()),
    handle: () => long,
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/ready",
    response: Type.Array(Type.String()),
    handle: () => ready,
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/slow",
    response: Type.String(),
    handle: () =>
      new Promise<string>((resolve) => {
        releaseSlow = () => resolve("done");
        slowStarted();
      }),
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/broken",
    response: Type.String(),
    handle: async () => {
      throw new Error("a bug");
    },
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/away",
    response: Type.String(),
    handle: async () => {
      throw new UnavailableError("The database does not answer just now.");
    },
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/closed",
    scope: "operator",
    response: Type.String(),
    handle: () => "",
  }),
  endpoint({
    ...common,
    method: "POST",
    path: "/v2/things/{thing}",
    params: Type.Object({ thing: Type.String() }),
    body: Type.Object({ a: Type.String() }),
    status: 201,
    response: Type.Object({ thing: Type.String() }),
    handle: ({ params }) => params,
  }),
];

const generous = { requests: 1_000, windowSeconds: 10, badKeysPerMinute: 1_000 };
const impatient = { requestMs: 400, headersMs: 200, checkMs: 50, closeMs: 60_000 };

async function open(limits = generous, patience = impatient) {
  const app = await buildApp({
    endpoints,
    authenticate: (key) => (key === "good" ? caller : undefined),
    mayActFor: () => false,
    limits: openLimits(limits),
    metrics: openMetrics(),
    mode: "sandbox",
    version: "0",
    trustedProxies: [],
    patience,
    random: systemRandom,
    log: silentLog,
  });
  return { app, url: await app.listen({ host: "127.0.0.1", port: 0 }) };
}

let app: App;
let url: string;
beforeAll(async () => {
  ({ app, url } = await open());
});
afterAll(() => app.close());

const ask = (path: string, init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { apiKey: "good", ...init.headers } });
const post = (
  body: string,
  headers: Record<string, string> = { "content-type": "application/json" },
) => ask("/v2/things/x", { method: "POST", headers, body });
const messages = async (response: Response) =>
  ((await response.json()) as { errors: { message: string }[] }).errors.map(
    ({ message }) => message,
  );

describe("the key", () => {
  test.each([
    ["in the header", "/v2/page", { apiKey: "good" }],
    ["in the header, in lower case", "/v2/page", { apikey: "good" }],
    ["in the query", "/v2/page?apiKey=good", {}],
    ["in the query among others", "/v2/page?limit=5&apiKey=good&flag=true", {}],
    ["in the query, percent-encoded", "/v2/page?api%4Bey=%67ood", {}],
    ["in both, the same", "/v2/page?apiKey=good", { apiKey: "good" }],
  ])("200: %s", async (_, path, headers) => {
    expect((await fetch(url + path, { headers })).status).toBe(200);
  });

  test.each([
    ["none", "/v2/page", {}],
    ["a wrong one", "/v2/page", { apiKey: "bad" }],
    ["an empty one", "/v2/page?apiKey=", {}],
    ["two that differ", "/v2/page?apiKey=good", { apiKey: "bad" }],
    ["two in the query that differ", "/v2/page?apiKey=good&apiKey=bad", {}],
  ])("401: %s, with the data endpoints' body", async (_, path, headers) => {
    const response = await fetch(url + path, { headers });
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('{"Unauthorized":"Invaild API Key"}');
  });

  test("403: it lacks the scope, which is named", async () => {
    const response = await ask("/v2/closed");
    expect(response.status).toBe(403);
    expect(await messages(response)).toEqual([expect.stringContaining("operator")]);
  });
});

describe("input", () => {
  test("200: a query is read as the numbers and truth values it stands for", async () => {
    expect(await (await ask("/v2/page?limit=42&flag=true&other=1")).json()).toEqual({
      limit: 42,
      flag: true,
    });
  });

  test.each([
    ["limit=0", "limit must be a whole number from 1 to 100"],
    ["limit=101", "limit must be a whole number from 1 to 100"],
    ["limit=1.5", "limit must be"],
    ["limit=", "limit must be"],
    ["limit=1e2", "limit must be"],
    ["limit=1&limit=2", "limit must be"],
    ["flag=maybe", "flag must be true or false"],
  ])("400: ?%s", async (query, message) => {
    const response = await ask(`/v2/page?${query}`);
    expect(response.status).toBe(400);
    expect(await messages(response)).toEqual([expect.stringContaining(message)]);
  });

  test("400: all faults of a query at once", async () => {
    expect(await messages(await ask("/v2/page?flag=x&limit=y"))).toHaveLength(2);
  });

  test.each([
    [400, "broken JSON", '{"a":', { "content-type": "application/json" }, "not valid JSON"],
    [
      400,
      "a poisoned prototype",
      '{"__proto__":{"a":1}}',
      { "content-type": "application/json" },
      "not valid JSON",
    ],
    [400, "no body", "", { "content-type": "application/json" }, "Required field is missing: a"],
    [
      415,
      "another type",
      "a=b",
      { "content-type": "application/x-www-form-urlencoded" },
      "application/json",
    ],
    [
      415,
      "a compressed body",
      "x",
      { "content-type": "application/json", "content-encoding": "gzip" },
      "Content-Encoding",
    ],
    [413, "too much", `"${"x".repeat(70_000)}"`, { "content-type": "application/json" }, "64 kB"],
  ])("%i: %s", async (status, _, body, headers, message) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await messages(response)).toEqual([expect.stringContaining(message)]);
  });

  test("404, 405 with Allow, 414, and a URL that cannot be decoded", async () => {
    expect((await ask("/v2/nowhere")).status).toBe(404);
    const wrongMethod = await ask("/v2/things/x", { method: "DELETE" });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get("allow")).toBe("POST, OPTIONS");
    expect((await ask(`/v2/page?x=${"x".repeat(9_000)}`)).status).toBe(414);
    expect((await ask("/v2/things/%zz", { method: "POST" })).status).toBe(400);
  });

  test.each([
    ["nonsense\r\n\r\n", "HTTP/1.1 400"],
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, "HTTP/1.1 431"],
  ])("bytes that are no HTTP get an envelope too", async (bytes, status) => {
    const text = await exchange(url, bytes);
    expect(text).toContain(status);
    expect(text).toContain('{"errors":[{"message"');
    expect(text).toContain("access-control-allow-origin: *");
  });
});

describe("answers", () => {
  test("500: a bug is not explained to strangers; the request id finds it in the log", async () => {
    const response = await ask("/v2/broken");
    expect(response.status).toBe(500);
    const [message] = await messages(response);
    expect(message).toContain(response.headers.get("x-request-id"));
    expect(message).not.toContain("a bug");
  });

  test("503: says when to try again", async () => {
    const response = await ask("/v2/away");
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
  });

  test.each([
    "/v2/page",
    "/v2/nowhere",
    "/v2/closed",
    "/v2/broken",
    "/v2/away",
    "/v2/page?limit=x",
    "/v2/ready",
  ])("%s carries CORS, security and identification headers, whatever its status", async (path) => {
    const { headers } = await ask(path, { headers: { origin: "https://app.example" } });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("RateLimit");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("slipway-mode")).toBe("sandbox");
    expect(headers.get("x-request-id")).toMatch(/^req-/);
  });

  test("a preflight needs no key", async () => {
    const response = await fetch(`${url}/v2/page`, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-headers")).toContain("apiKey");
  });

  test.each(["/v2/long", "/v2/ready"])("%s: ETag, then 304", async (path) => {
    const first = await ask(path);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/".+"$/);
    expect(await first.json()).toEqual(long);
    const second = await ask(path, { headers: { "if-none-match": etag } });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect((await ask(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", null],
  ])("Accept-Encoding %s: %s", async (accepted, encoding) => {
    for (const path of ["/v2/long", "/v2/ready"]) {
      const response = await ask(path, { headers: { "accept-encoding": accepted } });
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(response.headers.get("vary")).toBe("accept, accept-encoding");
      expect(await response.json()).toEqual(long);
    }
  });

  test("HEAD has the headers of GET and no body", async () => {
    const response = await ask("/v2/ready", {
      method: "HEAD",
      headers: { "accept-encoding": "identity" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe(String(JSON.stringify(long).length));
    expect(await response.text()).toBe("");
  });
});

describe("limits", () => {
  test("429: with Retry-After and RateLimit headers; other keys and addresses are not touched", async () => {
    const { app, url } = await open({ requests: 2, windowSeconds: 60, badKeysPerMinute: 2 });
    const ask = (key: string) => fetch(`${url}/v2/page`, { headers: { apiKey: key } });
    const first = await ask("good");
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=2;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"default";r=1;t=\d+$/);
    await ask("good");
    const refused = await ask("good");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit")).toMatch(/r=0;t=\d+/);
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(await messages(refused)).toEqual([
      expect.stringMatching(/^Too many requests. Retry after \d+ seconds.$/),
    ]);

    expect((await ask("bad")).status).toBe(401);
    expect((await ask("bad")).status).toBe(401);
    expect((await ask("bad")).status).toBe(429);
    await app.close();
  });
});

const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\napiKey: good\r\n\r\n`;

describe("a client that is slow", () => {
  test.each([
    ["in the middle of its head", "GET /v2/page HTTP/1.1\r\nhost:"],
    [
      "in the middle of its body",
      "POST /v2/things/x HTTP/1.1\r\nhost: x\r\napiKey: good\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{",
    ],
  ])("%s is answered 408 and let go", async (_, bytes) => {
    expect(await exchange(url, bytes)).toMatch(/^HTTP\/1.1 408 .*"code":408}$/s);
  });
});

test("closing finishes what is in flight, and then lets go of its clients", async () => {
  const other = await open();
  const started = new Promise<void>((resolve) => {
    slowStarted = resolve;
  });
  const { hostname, port } = new URL(other.url);
  const socket = connect(Number(port), hostname, () => socket.write(head("/v2/slow")));
  let got = "";
  socket.on("data", (chunk) => {
    got += chunk;
  });
  const gone = new Promise((resolve) => socket.once("close", resolve));
  await started;
  const closing = other.app.close();
  await expect.poll(() => fetch(other.url).catch(() => "refused")).toBe("refused");
  releaseSlow();
  await gone;
  expect(got).toMatch(/^HTTP\/1.1 200 OK.*connection: close.*"done"/s);
  await closing;
});

test("closing does not wait for a client that never finishes", async () => {
  const other = await open(generous, {
    ...impatient,
    requestMs: 300_000,
    headersMs: 300_000,
    closeMs: 50,
  });
  const halfSent = exchange(other.url, "GET /v2/page HTTP/1.1\r\nhost:");
  await expect.poll(() => connections(other.app)).toBe(1);
  await other.app.close();
  expect(await halfSent).toBe("");
});

function connections({ server }: App): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}
