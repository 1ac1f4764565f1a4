import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../../test/silent-log.ts";
import { systemRandom } from "../lib/random.ts";
import { WithHeaders } from "./answer.ts";
import { type App, buildApp, usualPatience } from "./app.ts";
import { endpoint } from "./endpoint.ts";
import { openMetrics } from "./metrics.ts";
import { Ready } from "./ready.ts";

const common = {
  method: "GET",
  family: "data",
  summary: "A test",
  scope: "data:read",
  status: 200,
  response: Type.Object({ a: Type.String() }),
} as const;
const asOf = { "slipway-as-of": "2026-01-01T00:00:00Z; block=1", age: "3" };

const endpoints = [
  endpoint({
    ...common,
    path: "/v2/value",
    handle: () => new WithHeaders({ a: "b", hidden: "c" }, asOf),
  }),
  endpoint({
    ...common,
    path: "/v2/ready",
    handle: async () => new WithHeaders(new Ready('{"a":"b"}'), asOf),
  }),
  endpoint({
    ...common,
    path: "/v2/reached",
    handle: ({ reachedAt }) => ({ a: `${reachedAt.protocol}://${reachedAt.host}` }),
  }),
  endpoint({
    ...common,
    path: "/v1/old/{thing}/{part}",
    params: Type.Object({ thing: Type.String(), part: Type.String() }),
    deprecated: { successor: "/v2/new/{part}/{thing}" },
    handle: ({ params }) => ({ a: params.thing }),
  }),
];

let app: App;
let url: string;
beforeAll(async () => {
  app = await buildApp({
    endpoints,
    authenticate: () => ({ keyId: "k", userId: "usr-1", scopes: new Set(["data:read"]) }),
    mayActFor: () => false,
    limits: undefined,
    metrics: openMetrics(),
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

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { apiKey: "good", ...headers } });

describe("an answer with headers of its own", () => {
  test.each(["/v2/value", "/v2/ready"])("%s carries them with 200 and with 304", async (path) => {
    const first = await ask(path);
    expect(await first.json()).toEqual({ a: "b" });
    const again = await ask(path, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([first.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [first, again]) {
      expect(headers.get("slipway-as-of")).toBe("2026-01-01T00:00:00Z; block=1");
      expect(headers.get("age")).toBe("3");
    }
  });
});

test("a handler can learn how the caller reached us", async () => {
  expect(await (await ask("/v2/reached")).json()).toEqual({ a: url });
});

describe("a deprecated path", () => {
  test("says so, and names its successor for the same parameters", async () => {
    const { headers } = await ask("/v1/old/a%20b%3E/c");
    expect(headers.get("deprecation")).toBe("@1767225600");
    expect(headers.get("link")).toBe('</v2/new/c/a%20b%3E>; rel="successor-version"');
  });

  test("is marked in the document, under a name that tells its version", async () => {
    const { paths } = (await (await ask("/openapi.json")).json()) as {
      paths: Record<string, { get: { deprecated?: boolean; operationId: string } }>;
    };
    expect(paths["/v1/old/{thing}/{part}"]?.get).toMatchObject({
      deprecated: true,
      operationId: "getV1OldByThingByPart",
    });
    expect(paths["/v2/value"]?.get.deprecated).toBeUndefined();
  });
});
