import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../../test/silent-log.ts";
import { systemRandom } from "../lib/random.ts";
import { type App, buildApp, usualPatience } from "./app.ts";
import { endpoint } from "./endpoint.ts";
import { openMetrics } from "./metrics.ts";

const common = {
  family: "ramp",
  summary: "A test",
  scope: "ramp:read",
  status: 200,
  response: Type.Object({ userId: Type.String(), body: Type.Unknown() }),
} as const;
const Wallet = Type.Object({ address: Type.String(), userId: Type.Optional(Type.String()) });

const endpoints = [
  endpoint({
    ...common,
    method: "POST",
    path: "/wallets",
    actsFor: "subaccounts",
    body: Wallet,
    bodyMayBeIn: "wallet",
    handle: ({ userId, body }) => ({ userId, body }),
  }),
  endpoint({
    ...common,
    method: "DELETE",
    path: "/wallets",
    actsFor: "subaccounts",
    handle: ({ userId, body }) => ({ userId, body }),
  }),
  endpoint({
    ...common,
    method: "POST",
    path: "/own",
    actsFor: "self",
    handle: ({ userId, body }) => ({ userId, body }),
  }),
  endpoint({
    ...common,
    method: "POST",
    path: "/data",
    handle: ({ userId, body }) => ({ userId, body }),
  }),
];

let app: App;
beforeAll(async () => {
  app = await buildApp({
    endpoints,
    authenticate: () => ({ keyId: "k", userId: "usr-1", scopes: new Set(["ramp:read"]) }),
    // One is known at once, the other has to be looked up.
    mayActFor: (caller, userId) =>
      caller === "usr-1" && (userId === "usr-2" || Promise.resolve(userId === "usr-3")),
    limits: undefined,
    metrics: openMetrics(),
    mode: "sandbox",
    version: "0",
    trustedProxies: [],
    patience: usualPatience,
    random: systemRandom,
    log: silentLog,
  });
});
afterAll(() => app.close());

type Sent = { path?: string; method?: "POST" | "DELETE"; query?: string; body?: unknown };

async function send({ path = "/wallets", method = "POST", query = "", body }: Sent) {
  const response = await app.inject({
    method,
    url: path + query,
    headers: { apikey: "good", "content-type": "application/json" },
    payload: JSON.stringify(body ?? {}),
  });
  const json = response.json();
  return { status: response.statusCode, userId: json.userId, message: json.errors?.[0]?.message };
}

const address = "a";
const notOurs = "userId is not a subaccount of this account.";

describe("the account that a request is for", () => {
  test.each<[string, Sent, string]>([
    ["is the caller's own", { body: { address } }, "usr-1"],
    ["may be named though it is the caller's own", { body: { address, userId: "usr-1" } }, "usr-1"],
    ["stands in the body", { body: { address, userId: "usr-2" } }, "usr-2"],
    ["stands in the query", { query: "?userId=usr-3", body: { address } }, "usr-3"],
    ["stands in both", { query: "?userId=usr-3", body: { address, userId: "usr-3" } }, "usr-3"],
    ["stands beside what is wrapped", { body: { wallet: { address }, userId: "usr-2" } }, "usr-2"],
    [
      "is not taken from inside of what is wrapped, whatever stands there",
      { body: { wallet: { address, userId: 5 } } },
      "usr-1",
    ],
    ["stands in the body of a DELETE", { method: "DELETE", body: { userId: "usr-2" } }, "usr-2"],
    [
      "is nobody else where userId means nothing",
      { path: "/data", query: "?userId=usr-9" },
      "usr-1",
    ],
    [
      "may be named where it can be the caller only",
      { path: "/own", body: { userId: "usr-1" } },
      "usr-1",
    ],
  ])("%s", async (_, sent, userId) => {
    expect(await send(sent)).toEqual({ status: 200, userId, message: undefined });
  });

  test.each<[string, Sent]>([
    ["of somebody else", { body: { address, userId: "usr-4" } }],
    ["that is none", { query: "?userId=nonsense", body: { address } }],
    ["that is empty", { body: { address, userId: "" } }],
    ["of a subaccount where only the caller can act", { path: "/own", body: { userId: "usr-2" } }],
    ["of somebody else, before anything is said about the body", { query: "?userId=usr-4" }],
  ])("403: an id %s", async (_, sent) => {
    expect(await send(sent)).toMatchObject({ status: 403, message: notOurs });
  });

  test.each<[string, Sent, string]>([
    [
      "two different ids",
      { query: "?userId=usr-2", body: { address, userId: "usr-3" } },
      "userId is given twice with different values",
    ],
    [
      "two different ids that are both wrong",
      { query: "?userId=usr-8", body: { address, userId: "usr-9" } },
      "userId is given twice with different values",
    ],
    [
      "two ids in the query",
      { query: "?userId=usr-2&userId=usr-2", body: { address } },
      "userId must be one account's id, such as usr-123",
    ],
    [
      "a number",
      { body: { address, userId: 2 } },
      "userId must be one account's id, such as usr-123",
    ],
    [
      "null",
      { body: { address, userId: null } },
      "userId must be one account's id, such as usr-123",
    ],
  ])("400: %s", async (_, sent, message) => {
    expect(await send(sent)).toMatchObject({ status: 400, message });
  });
});
