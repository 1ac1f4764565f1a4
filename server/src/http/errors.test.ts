import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../../test/exchange.ts";
import { silentLog } from "../../test/silent-log.ts";
import { CallerError, UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { type App, buildApp, usualPatience } from "./app.ts";
import { endpoint } from "./endpoint.ts";
import { openMetrics } from "./metrics.ts";

const thrown = {
  conflict: new CallerError("conflict", "It is there already."),
  unprocessable: new CallerError("unprocessable", "It cannot be done."),
  unavailable: new UnavailableError("The bank does not answer."),
  bug: new Error("a secret detail"),
};

const endpoints = [
  endpoint({
    method: "POST",
    path: "/things",
    family: "ramp",
    summary: "A test",
    scope: "ramp:read",
    body: Type.Object({
      kind: Type.Enum([...Object.keys(thrown)]),
      count: Type.Integer({ description: "must be a whole number" }),
    }),
    status: 201,
    response: Type.Object({}),
    handle: ({ body }) => {
      throw thrown[body.kind as keyof typeof thrown];
    },
  }),
  endpoint({
    method: "GET",
    path: "/data",
    family: "data",
    summary: "A test",
    scope: "data:read",
    status: 200,
    response: Type.Object({}),
    handle: () => ({}),
  }),
];

let app: App;
let url: string;
beforeAll(async () => {
  app = await buildApp({
    endpoints,
    authenticate: (key) =>
      key === "good" ? { keyId: "k", userId: "usr-1", scopes: new Set(["ramp:read"]) } : undefined,
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

type Sent = { path?: string; method?: string; body?: string; headers?: Record<string, string> };

const send = ({ path = "/things", method = "POST", body = "{}", headers = {} }: Sent) =>
  fetch(url + path, {
    method,
    headers: { apiKey: "good", "content-type": "application/json", ...headers },
    ...(method === "POST" ? { body } : {}),
  });
const failing = (kind: string) => ({ body: JSON.stringify({ kind, count: 1 }) });

const cases: [type: string, status: number, sent: Sent][] = [
  ["field_missing", 400, { body: '{"kind":"bug"}' }],
  ["field_missing", 400, { body: '{"count":"many"}' }],
  ["bad_request", 400, { body: '{"kind":"bug","count":"many"}' }],
  ["bad_request", 400, { body: "{" }],
  ["invalid_key", 401, { headers: { apiKey: "bad" } }],
  ["invalid_key", 401, { path: "/data", method: "GET", headers: { apiKey: "bad" } }],
  ["forbidden", 403, { path: "/data", method: "GET" }],
  ["not_found", 404, { path: "/nowhere" }],
  ["method_not_allowed", 405, { method: "DELETE" }],
  ["conflict", 409, failing("conflict")],
  ["too_large", 413, { body: JSON.stringify("x".repeat(70_000)) }],
  ["uri_too_long", 414, { path: `/things?${"x".repeat(9_000)}` }],
  ["unsupported_media_type", 415, { headers: { "content-type": "text/plain" } }],
  ["unprocessable", 422, failing("unprocessable")],
  ["internal", 500, failing("bug")],
  ["unavailable", 503, failing("unavailable")],
];

describe("an error", () => {
  test.each(cases)("tells programs that it is %s (%d)", async (type, status, sent) => {
    const response = await send(sent);
    expect(response.status).toBe(status);
    expect(response.headers.get("slipway-error-type")).toBe(type);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test.each(cases)(
    "%s (%d) is a problem document for those who ask",
    async (type, status, sent) => {
      const plain = await send(sent);
      const accept = "application/problem+json, application/json;q=0.5";
      const response = await send({ ...sent, headers: { ...sent.headers, accept } });
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(response.headers.get("allow")).toBe(plain.headers.get("allow"));
      const { errors, ...document } = (await response.json()) as { errors: { message: string }[] };
      expect(document).toEqual({
        type: `urn:slipway:error:${type}`,
        title: expect.stringMatching(/^[A-Z]/),
        status,
        detail: errors.map(({ message }) => message).join(" "),
        instance: `urn:slipway:request:${response.headers.get("x-request-id")}`,
      });
      expect(errors.length).toBeGreaterThan(0);
      expect(JSON.stringify(errors)).not.toContain("secret detail");
    },
  );

  test("keeps its usual body for everybody else", async () => {
    const ramp = await send({ body: "{}", headers: { accept: "*/*" } });
    expect(await ramp.json()).toEqual({
      errors: [
        { message: "Required field is missing: kind" },
        { message: "Required field is missing: count" },
      ],
      code: 400,
    });
    const data = await send({ path: "/data", method: "GET", headers: { apiKey: "bad" } });
    expect(await data.text()).toBe('{"Unauthorized":"Invaild API Key"}');
  });

  test("about bytes that are not HTTP has a type too", async () => {
    const raw = await exchange(url, Buffer.from("nonsense\r\n\r\n"), true);
    expect(raw).toContain("HTTP/1.1 400");
    expect(raw).toContain("slipway-error-type: bad_request");
  });
});
