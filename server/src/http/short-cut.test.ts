import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../../test/silent-log.ts";
import { CallerError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { WithHeaders } from "./answer.ts";
import { type App, buildApp, usualPatience } from "./app.ts";
import { endpoint } from "./endpoint.ts";
import { openLimits } from "./limits.ts";
import { openMetrics } from "./metrics.ts";
import { Ready } from "./ready.ts";

const scopes: Record<string, string[]> = { good: ["data:read"], narrow: [], slow: ["data:read"] };
let isGone = false;
let isLate = false;
let handled = 0;

function answer(text: string, limit: number): WithHeaders<Ready> {
  handled++;
  if (isGone) throw new CallerError("not_found", "It is gone.");
  return new WithHeaders(new Ready(JSON.stringify({ a: text.repeat(limit) })), { age: "1" });
}

const hot = endpoint({
  method: "GET",
  family: "data",
  summary: "A test",
  scope: "data:read",
  status: 200,
  isHot: true,
  path: "/v2/hot/{text}",
  params: Type.Object({ text: Type.String() }),
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, description: "must be at least 1" })),
  }),
  response: Type.Object({ a: Type.String() }),
  handle({ params, query }) {
    const { limit = 2 } = query;
    return isLate
      ? Promise.resolve().then(() => answer(params.text, limit))
      : answer(params.text, limit);
  },
});

const metrics = openMetrics();
let app: App;
let url: string;
beforeAll(async () => {
  app = await buildApp({
    endpoints: [hot],
    mayActFor: () => false,
    authenticate(key) {
      const caller = scopes[key] && { keyId: key, userId: "usr-1", scopes: new Set(scopes[key]) };
      return key === "slow" ? Promise.resolve(caller) : caller;
    },
    limits: openLimits({ requests: 60, windowSeconds: 600, badKeysPerMinute: 100 }),
    metrics,
    mode: "sandbox",
    version: "0",
    trustedProxies: [],
    patience: usualPatience,
    random: systemRandom,
    log: silentLog,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const ask = (path: string, headers: Record<string, string> = { apiKey: "good" }, method = "GET") =>
  fetch(url + path, { headers, method });

/** Everything that is the same each time. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of ["date", "x-request-id", "ratelimit"]) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

test("who comes again gets the same answer as the first time, word for word", async () => {
  for (const path of ["/v2/hot/x", "/v2/hot/x?limit=3", "/v2/hot/%C3%A9?limit=900"]) {
    const first = await seen(await ask(path));
    expect(first).toMatchObject({ status: 200, headers: { age: "1", "slipway-mode": "sandbox" } });
    expect(await seen(await ask(path))).toEqual(first);
  }
  const [one, two] = [await ask("/v2/hot/x"), await ask("/v2/hot/x")];
  expect(one.headers.get("x-request-id")).not.toBe(two.headers.get("x-request-id"));
});

test("and 304 when nothing has changed, and no body when only the head was wanted", async () => {
  const { headers } = await ask("/v2/hot/x");
  const etag = headers.get("etag") ?? "";
  const again = await ask("/v2/hot/x", { apiKey: "good", "if-none-match": etag });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const head = await ask("/v2/hot/x", { apiKey: "good" }, "HEAD");
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
});

test("the key may stand in the query, and is no part of what is remembered", async () => {
  const first = await seen(await ask("/v2/hot/q?apiKey=good&limit=1", {}));
  expect(await seen(await ask("/v2/hot/q?limit=1&apiKey=good", {}))).toEqual(first);
  expect(await seen(await ask("/v2/hot/q?limit=1"))).toEqual(first);
  expect((await ask("/v2/hot/q?limit=1&apiKey=bad", {})).status).toBe(401);
});

test("a key that is wrong, may not or is looked up first is treated as it always is", async () => {
  await ask("/v2/hot/x");
  expect((await ask("/v2/hot/x", { apiKey: "bad" })).status).toBe(401);
  expect((await ask("/v2/hot/x", {})).status).toBe(401);
  expect((await ask("/v2/hot/x", { apiKey: "narrow" })).status).toBe(403);
  expect((await ask("/v2/hot/x", { apiKey: "slow" })).status).toBe(200);
  const both = await ask("/v2/hot/x?apiKey=bad", { apiKey: "good" });
  expect(both.status).toBe(401);
});

test("a mistake is never remembered", async () => {
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, body } = await seen(await ask("/v2/hot/x?limit=0"));
    expect([status, body]).toEqual([
      400,
      '{"errors":[{"message":"limit must be at least 1"}],"code":400}',
    ]);
  }
});

test("what is gone, or takes its time, is answered all the same", async () => {
  await ask("/v2/hot/y");
  isLate = true;
  expect(await (await ask("/v2/hot/y")).json()).toEqual({ a: "yy" });
  isGone = true;
  expect((await ask("/v2/hot/y")).status).toBe(404);
  isLate = false;
  const { status, body } = await seen(await ask("/v2/hot/y"));
  expect([status, body]).toEqual([404, '{"errors":[{"message":"It is gone."}],"code":404}']);
  isGone = false;
});

test("every request counts, for limits and for metrics", async () => {
  const before = handled;
  let last = await ask("/v2/hot/x");
  while (last.status === 200) {
    expect(last.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
    last = await ask("/v2/hot/x");
  }
  expect(last.status).toBe(429);
  expect(last.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(handled - before).toBeGreaterThan(5);
  const text = await metrics.registry.metrics();
  const [, count] =
    /_count\{method="GET",route="\/v2\/hot\/:text",status="200"\} (\d+)/.exec(text) ?? [];
  expect(Number(count)).toBeGreaterThan(handled - before);
});
