import type { WebhookDelivery } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { testSecret, useApp } from "../../../test/test-app.ts";
import { tellNow } from "../../../test/webhook-scene.ts";
import { issueKey } from "../../accounts/keys.ts";
import { sql } from "../../database/sql.ts";
import { systemRandom } from "../../lib/random.ts";

const clock = manualClock(Date.UTC(2026, 10, 16));
const app = useApp({}, clock);
const path = "/v2/ramp/webhooks";
const url = "https://example.com/webhooks";
const userId = "usr-10000000000001";
const webhooks = () => app.as("master").ramp.webhooks;
const post = (body: unknown, to = path, headers: Record<string, string> = {}) =>
  app.ask(to, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
let readKey: string;

beforeAll(async () => {
  const context = {
    db: app.db,
    mode: "sandbox",
    secret: testSecret,
    clock,
    random: systemRandom,
  } as const;
  readKey = (await issueKey(context, { userId, label: "", scopes: ["ramp:read"], expiresAt: null }))
    .key;
});

describe("POST /v2/ramp/webhooks", () => {
  test("201: with a secret that is shown once and kept sealed", async () => {
    const created = await webhooks().create({ url });
    const { secret, ...webhook } = created;
    expect(webhook).toEqual({
      id: expect.stringMatching(/^whk-\d+$/),
      url,
      eventTypes: [],
      description: "",
      status: "enabled",
      disabledReason: null,
      createdAt: "2026-11-16T00:00:00.000",
      updatedAt: "2026-11-16T00:00:00.000",
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await webhooks().get(created.id)).toEqual(webhook);
    const [row] = await app.db.query<{ text: string }>(sql`
      select encode(secret, 'escape') as text from webhook_endpoints where id = ${created.id}`);
    expect(row?.text).not.toContain(secret.slice(6));
    expect(app.lines.join("")).not.toContain(secret);
  });

  test("201: the same request again is the same webhook with the same secret", async () => {
    const headers = { "idempotency-key": "webhook-once" };
    const first = await post({ url, eventTypes: ["*"], description: "d" }, path, headers);
    const again = await post({ url, eventTypes: ["*"], description: "d" }, path, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.text()).toBe(await first.text());
  });

  test.each([
    [{}, "Required field is missing: url"],
    [{ url: "" }, "url must be a URL"],
    [{ url: 1 }, "url must be a URL"],
    [{ url: `https://example.com/${"a".repeat(2_048)}` }, "url must be a URL"],
    [{ url: "nonsense" }, "url must be a URL such as"],
    [{ url: "http://example.com/" }, "url must start with https://"],
    [{ url: "https://user@example.com/" }, "url must not hold a user name"],
    [{ url: "https://2852039166/" }, "url must not point to a private"],
    [{ url: "https://[::ffff:10.0.0.1]/" }, "url must not point to a private"],
    [{ url: "https://example.com:22/" }, "url must use port 443"],
    [{ url, eventTypes: ["nonsense"] }, "eventTypes.0 must be an event type"],
    [{ url, eventTypes: "*" }, "eventTypes must be a list"],
    [{ url, eventTypes: Array(51).fill("*") }, "eventTypes must be a list"],
    [{ url, description: "d".repeat(501) }, "description must be a text"],
    [{ url, description: "\u0000" }, "U+0000"],
  ])("400: %j", async (body, message) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(message);
  });

  test("403: a key that may only read, and for somebody else", async () => {
    expect((await post({ url }, path, { apiKey: readKey })).status).toBe(403);
    expect((await post({ url, userId: "usr-10000000000002" })).status).toBe(403);
  });

  test("409: not more than twenty, however many ask at once", async () => {
    const { webhooks } = app.as("unverified").ramp;
    const results = await Promise.allSettled(
      Array.from({ length: 24 }, () => webhooks.create({ url })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { status: 409 },
    });
    const [first] = await webhooks.list();
    await webhooks.delete(first?.id ?? "");
    await webhooks.create({ url });
    expect(await webhooks.list()).toHaveLength(20);
  });
});

describe("webhooks of an account", () => {
  test("200: the newest first", async () => {
    clock.advance(1);
    const { id } = await webhooks().create({ url });
    expect((await webhooks().list())[0]?.id).toBe(id);
    expect((await app.ask(path, { headers: { apiKey: readKey } })).status).toBe(200);
  });

  test("204: deleted, and then not found", async () => {
    const { id } = await webhooks().create({ url });
    const response = await app.ask(`${path}/${id}`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("content-length") ?? "0").toBe("0");
    expect((await app.ask(`${path}/${id}`, { method: "DELETE" })).status).toBe(404);
    await expect(webhooks().get(id)).rejects.toMatchObject({ status: 404 });
  });

  test("what changes one is in the audit log, without what is secret", async () => {
    const { id, secret } = await webhooks().create({ url: `${url}?token=hidden` });
    const rotated = await webhooks().rotate(id);
    await webhooks().enable(id);
    await webhooks().delete(id);
    const entries = await app.db.query<{ action: string; detail: string }>(sql`
      select action, detail from audit_log where target = ${id} order by sequence`);
    expect(entries.map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.rotated",
      "webhook.enabled",
      "webhook.deleted",
    ]);
    for (const hidden of [secret, rotated.secret, "hidden"]) {
      expect(JSON.stringify(entries)).not.toContain(hidden);
    }
  });

  const calls: [method: string, to: string, body?: object][] = [
    ["GET", ""],
    ["DELETE", ""],
    ["GET", "/deliveries"],
    ["POST", "/rotate", {}],
    ["POST", "/enable", {}],
    ["POST", "/test", {}],
    ["POST", "/replay", { after: 0 }],
    ["POST", "/deliveries/del-1/replay", {}],
  ];
  const call = (id: string, [method, to, body]: (typeof calls)[number], apiKey?: string) =>
    app.ask(`${path}/${id}${to}`, {
      method,
      headers: { "content-type": "application/json", ...(apiKey ? { apiKey } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  test.each(calls)("404: %s …%s of what is not there or somebody else's", async (...each) => {
    const { id } = await app.as("operator").ramp.webhooks.create({ url });
    for (const unknown of ["whk-99", id]) {
      const response = await call(unknown, each);
      expect(response.status).toBe(404);
      expect(JSON.stringify(await response.json())).toContain(`Webhook ${unknown} was not found`);
    }
    for (const malformed of ["%00", "nonsense", "whk-"]) {
      expect((await call(malformed, each)).status).toBe(404);
    }
    await app.as("operator").ramp.webhooks.delete(id);
  });

  test("403: a key that may only read changes nothing", async () => {
    const { id } = await webhooks().create({ url });
    for (const each of calls) {
      const isRead = each[0] === "GET";
      expect((await call(id, each, readKey)).status).toBe(isRead ? 200 : 403);
    }
    await webhooks().delete(id);
  });
});

describe("deliveries", () => {
  test("200: newest event first, by page and by state", async () => {
    const { id } = await webhooks().create({ url, eventTypes: ["ramp.wallet.created"] });
    for (let count = 0; count < 5; count++) {
      await tellNow(app.db, clock.now(), { userId, type: "ramp.wallet.created" });
    }
    const all = await webhooks().deliveries(id);
    expect(all.map(({ state }) => state)).toEqual(Array(5).fill("pending"));
    expect(all.map(({ sequence }) => sequence)).toEqual(
      all.map(({ sequence }) => sequence).sort((a, b) => b - a),
    );
    const first = await app.ask(`${path}/${id}/deliveries?limit=2`);
    const after = first.headers.get("cb-after") ?? "";
    const rest = await app.ask(`${path}/${id}/deliveries?after=${after}`);
    expect(rest.headers.get("cb-after")).toBeNull();
    const pages = [await first.json(), await rest.json()] as WebhookDelivery[][];
    expect(pages.flat()).toEqual(all);
    expect(await webhooks().deliveries(id, { state: "failed" })).toEqual([]);
    expect((await app.ask(`${path}/${id}/deliveries?state=lost`)).status).toBe(400);
    expect((await app.ask(`${path}/${id}/deliveries?after=%00`)).status).toBe(400);
    expect((await post({}, `${path}/${id}/deliveries/del-1/replay`)).status).toBe(404);
    expect((await post({}, `${path}/${id}/deliveries/%00/replay`)).status).toBe(404);
    await webhooks().delete(id);
  });

  test("200: a replay of everything leaves out tests and what nobody asked for", async () => {
    const { id } = await webhooks().create({ url, eventTypes: ["ramp.bank_account.*"] });
    const { sequence } = await webhooks().test(id);
    await tellNow(app.db, clock.now(), { userId, type: "ramp.bank_account.created" });
    await tellNow(app.db, clock.now(), { userId, type: "ramp.wallet.created" });
    const { id: late } = await webhooks().create({ url, eventTypes: ["ramp.bank_account.*", "*"] });
    const headers = { "idempotency-key": "replay-once" };
    const [first, again] = [
      await post({ after: sequence - 1 }, `${path}/${late}/replay`, headers),
      await post({ after: sequence - 1 }, `${path}/${late}/replay`, headers),
    ];
    expect(await first.json()).toEqual({ replayed: 2, lastSequence: sequence + 2 });
    expect(await again.json()).toEqual({ replayed: 2, lastSequence: sequence + 2 });
    const types = (await webhooks().deliveries(late)).map(({ eventType }) => eventType);
    expect(types).toEqual(["ramp.wallet.created", "ramp.bank_account.created"]);
    expect(await webhooks().replay(late, sequence - 1)).toMatchObject({ replayed: 0 });
    expect((await post({ after: -1 }, `${path}/${late}/replay`)).status).toBe(400);
    expect((await post({}, `${path}/${late}/replay`)).status).toBe(400);
  });
});
