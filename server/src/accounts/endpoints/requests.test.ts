import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { testSecret, useApp } from "../../../test/test-app.ts";
import { systemRandom } from "../../lib/random.ts";
import { sandboxKeys } from "../api-key.ts";
import { issueKey } from "../keys.ts";

const clock = manualClock();
const app = useApp({}, clock);
const userId = "usr-10000000000001";
const master = () => app.as("master").requests;
const operator = () => app.as("operator").operator.requests;
const issue = async (scopes: string[], owner = userId) =>
  issueKey(
    { db: app.db, mode: "sandbox", secret: testSecret, clock, random: systemRandom },
    { userId: owner, label: "", scopes, expiresAt: null },
  );
/** Asks and returns the id that the answer names. */
const ask = async (path: string, init?: RequestInit) => {
  const response = await app.ask(path, init);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
};
const refused = async (path: string, key: string = sandboxKeys.master) => {
  const response = await app.ask(path, { headers: { apiKey: key } });
  return { status: response.status, text: await response.text() };
};

describe("GET /v2/requests", () => {
  test("200: has a request as soon as it was answered, and nothing of what is private", async () => {
    const path = "/v2/ramp/subaccounts/usr-5";
    const id = await ask(
      `${path}?apiKey=${sandboxKeys.master}&token=abc&userId=${userId}&slp_test_0123_x`,
    );
    const [first] = await master().list();
    expect(first).toEqual({
      id,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      method: "GET",
      route: "/v2/ramp/subaccounts/{accountId}",
      path: `${path}?token=***&userId=${userId}&slp_***=***`,
      status: 404,
      milliseconds: expect.any(Number),
      keyId: "sandbox_master",
      userId,
      errors: ["Subaccount usr-5 was not found."],
    });
    expect(await master().get(id)).toEqual(first);
  });

  test("200: has what failed before it reached its endpoint", async () => {
    const { id: keyId, key } = await issue(["data:read"]);
    const asKey = { headers: { apiKey: key, "content-type": "application/json" } };
    const forbidden = await ask("/v2/ramp/blockchains", asKey);
    const broken = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
    const unreadable = await ask("/v2/ramp/subaccounts", broken);
    expect(await master().get(forbidden)).toMatchObject({
      status: 403,
      keyId,
      errors: [expect.stringContaining("ramp:read")],
    });
    expect(await master().get(unreadable)).toMatchObject({
      status: 400,
      errors: ["The request body is not valid JSON."],
    });
  });

  test("200: has those that were answered past the framework, and without content", async () => {
    const path = "/v2/ramp/blockchains";
    const response = await app.ask(path);
    const etag = response.headers.get("etag") ?? "";
    const again = await ask(path, { headers: { "if-none-match": etag } });
    const head = await ask(path, { method: "HEAD" });
    expect(await master().get(again)).toMatchObject({ status: 304, method: "GET", path });
    expect(await master().get(head)).toMatchObject({ status: 200, method: "HEAD", path });
  });

  test("200: does not show who only looks, or who asks for no endpoint", async () => {
    const before = await master().list({ limit: 1 });
    await master().summary();
    await ask("/health/live");
    await ask("/nowhere");
    await ask("/v2/ramp/blockchains", { method: "OPTIONS" });
    expect(await master().list({ limit: 1 })).toEqual(before);
  });

  test("200: newest first, in pages", async () => {
    const ids = [];
    for (let count = 0; count < 40; count++) ids.push(await ask("/v2/ramp/crypto"));
    const listed = await master().list({ limit: 40, path: "/v2/ramp/crypto" });
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    const paged = [];
    for await (const page of master().list({ limit: 16, path: "/v2/ramp/crypto" }).pages())
      paged.push(...page);
    expect(paged).toEqual(listed);
  });

  test("200: by status, method, path, key and time", async () => {
    clock.advance(60_000);
    const { id: keyId, key } = await issue(["ramp:read"]);
    const asKey = { headers: { apiKey: key } };
    const ok = await ask("/v2/ramp/events?limit=5", asKey);
    const missing = await ask("/v2/ramp/transactions/txn-1", asKey);
    const wrong = await ask("/v2/ramp/events?limit=x", asKey);
    const posted = await ask("/v2/ramp/webhooks", { ...asKey, method: "POST" });
    const ids = async (options: object) =>
      (await master().list({ keyId, ...options })).map(({ id }) => id);
    expect(await ids({})).toEqual([posted, wrong, missing, ok]);
    expect(await ids({ status: "4xx" })).toEqual([posted, wrong, missing]);
    expect(await ids({ status: "404" })).toEqual([missing]);
    expect(await ids({ status: "5xx" })).toEqual([]);
    expect(await ids({ method: "POST" })).toEqual([posted]);
    expect(await ids({ path: "/v2/ramp/events" })).toEqual([wrong, ok]);
    expect(await ids({ path: "/v2/ramp/%" })).toEqual([]);
    expect(await ids({ from: clock.now() - 30_000 })).toHaveLength(4);
    expect(await ids({ to: clock.now() - 30_000 })).toEqual([]);
    expect(await ids({ from: 0, to: Number.MAX_SAFE_INTEGER })).toHaveLength(4);
    expect((await master().list({ keyId: "nobody" })).length).toBe(0);
  });

  test.each([
    "status=6xx",
    "status=40",
    "method=PATCH",
    "path=ramp",
    "keyId=a-b",
    "from=2&to=1",
    "limit=0",
    "after=txn-1",
  ])("400: %s", async (query) => {
    expect((await refused(`/v2/requests?${query}`)).status).toBe(400);
  });

  test("403: without requests:read, or for another account", async () => {
    const { key } = await issue(["data:read", "ramp:read"]);
    for (const path of ["/v2/requests", "/v2/requests/summary", "/v2/requests/req-0-0"])
      expect((await refused(path, key)).status).toBe(403);
    expect((await refused("/v2/requests?userId=usr-10000000000002")).status).toBe(403);
  });
});

describe("the wall between accounts", () => {
  test("404: somebody else's request is the same as none, wherever it is named", async () => {
    const id = await ask("/v2/ramp/crypto");
    const key = sandboxKeys.unverified;
    const unknown = await refused("/v2/requests/req-000000000000-1", key);
    expect(unknown.status).toBe(404);
    expect(await refused(`/v2/requests/${id}`, key)).toEqual(unknown);
    expect(await refused("/v2/requests/nonsense", key)).toEqual(unknown);
    const theirs = app.as("unverified").requests;
    expect(await theirs.list({ after: id })).toEqual([]);
    expect(await theirs.list({ keyId: "sandbox_master" })).toEqual([]);
    for (const request of await theirs.list()) expect(request.userId).toBe("usr-10000000000002");
  });

  test("what a master asks for its subaccount is the master's", async () => {
    const { newSubAccountId } = await app
      .as("master")
      .ramp.subaccounts.create({ name: "Some Body", email: "some@example.com" });
    const own = await issue(["ramp:read", "requests:read"], newSubAccountId);
    const asked = await ask(`/v2/ramp/transactions?userId=${newSubAccountId}`);
    expect(await master().get(asked)).toMatchObject({ userId });
    expect(await app.as(own.key).requests.list()).toEqual([]);
  });
});

describe("GET /v2/requests/summary", () => {
  test("200: counts by path and status, those with errors first", async () => {
    const { key } = await issue(["ramp:read", "requests:read"], "usr-10000000000003");
    const asKey = { headers: { apiKey: key } };
    const summary = () => app.as(key).requests.summary();
    clock.advance(25 * 3_600_000);
    expect(await summary()).toMatchObject({ requests: 0, errors: 0, routes: [], hours: [] });
    for (let count = 0; count < 3; count++) await ask("/v2/ramp/blockchains", asKey);
    await ask("/v2/ramp/transactions/txn-1", asKey);
    await ask("/v2/ramp/transactions/txn-2", asKey);
    await summary();
    clock.advance(3_600_000);
    await ask("/v2/ramp/blockchains", asKey);
    const { from, routes, hours, ...sums } = await summary();
    expect(sums).toEqual({ requests: 6, errors: 2, notListed: 0 });
    expect(Date.parse(`${from}Z`) % 3_600_000).toBe(0);
    expect(routes).toEqual([
      {
        method: "GET",
        route: "/v2/ramp/transactions/{transactionId}",
        ...{ requests: 2, errors: 2, notListed: 0, byStatus: { 404: 2 } },
      },
      {
        method: "GET",
        route: "/v2/ramp/blockchains",
        ...{ requests: 4, errors: 0, notListed: 0, byStatus: { 200: 4 } },
      },
    ]);
    expect(hours.map(({ requests, errors }) => [requests, errors])).toEqual([
      [5, 2],
      [1, 0],
    ]);
  });
});

describe("GET /operator/requests", () => {
  beforeAll(async () => {
    await ask("/v2/ramp/crypto", { headers: { apiKey: sandboxKeys.unverified } });
    await ask("/v2/ramp/crypto", { headers: { apiKey: "slp_sandbox_nobody" } });
  });

  test("200: everybody's, also of those without a key", async () => {
    const [nobody, somebody] = await operator().list({ path: "/v2/ramp/crypto" });
    expect(nobody).toMatchObject({ status: 401, keyId: null, userId: null });
    expect(somebody).toMatchObject({ status: 200, keyId: "sandbox_unverified" });
    const own = await operator().list({ userId });
    expect(new Set(own.map((request) => request.userId))).toEqual(new Set([userId]));
    const { routes } = await operator().summary();
    const crypto = routes.find(({ route }) => route === "/v2/ramp/crypto");
    expect(crypto?.byStatus[401]).toBe(1);
  });

  test("403: for others", async () => {
    expect((await refused("/operator/requests")).status).toBe(403);
    expect((await refused("/operator/requests/summary")).status).toBe(403);
  });
});
