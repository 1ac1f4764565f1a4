import type { Scope } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { testSecret, useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";
import { systemRandom } from "../../lib/random.ts";
import { isFixedKey, sandboxKeys, scopes } from "../api-key.ts";
import { verifyAudit } from "../audit.ts";
import { issueKey, type KeyContext } from "../keys.ts";
import { readBackward } from "../store/audit.ts";
import { insertUser } from "../store/users.ts";

const day = 24 * 3_600_000;
const clock = manualClock();
const app = useApp({}, clock);
const userId = "usr-10000000000001";
const strangerId = "usr-10000000000002";
let context: KeyContext;
beforeAll(() => {
  context = { db: app.db, mode: "sandbox", secret: testSecret, clock, random: systemRandom };
});

const issue = (allowed: Scope[], owner = userId) =>
  issueKey(context, { userId: owner, label: "a test", scopes: allowed, expiresAt: null });
const statusWith = async (key: string, path = "/v2/key") =>
  (await fetch(app.url + path, { headers: { apiKey: key } })).status;
const send = async (
  method: string,
  path: string,
  body?: object,
  key: string = sandboxKeys.master,
) => {
  const response = await fetch(app.url + path, {
    method,
    headers: { apiKey: key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? null : JSON.parse(text), response };
};
const master = () => app.as("master").keys;

describe("GET /v2/key", () => {
  test("200: any key learns what it is", async () => {
    const { id, key } = await issue(["data:read"]);
    expect(await app.as(key).keys.current()).toEqual({
      id,
      label: "a test",
      userId,
      scopes: ["data:read"],
      status: "active",
      isFixed: false,
      createdAt: new Date(clock.now()).toISOString().slice(0, -1),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      mode: "sandbox",
    });
    expect(await master().current()).toMatchObject({ id: "sandbox_master", isFixed: true });
  });

  test("401: a key that nobody made", async () => {
    expect(await statusWith("slp_sandbox_nobody")).toBe(401);
  });
});

describe("POST /v2/keys", () => {
  test("201: makes a key that works, and shows it once", async () => {
    const made = await master().create({ label: "my app", scopes: ["data:read", "data:read"] });
    expect(made).toMatchObject({
      label: "my app",
      scopes: ["data:read"],
      status: "active",
      userId,
    });
    expect(await statusWith(made.key)).toBe(200);
    const listed = (await master().list()).find(({ id }) => id === made.id);
    const { key: _, ...rest } = made;
    expect(listed).toMatchObject({ id: rest.id, label: rest.label, scopes: rest.scopes });
    expect(JSON.stringify(await master().list())).not.toContain(made.key);
  });

  test("201: with an end, after which it does not work", async () => {
    const expiresAt = new Date(clock.now() + day).toISOString();
    for (const text of [expiresAt, expiresAt.slice(0, -1), expiresAt.replace("Z", "+00:00")]) {
      const made = await master().create({ label: "x", scopes: ["data:read"], expiresAt: text });
      expect(made.expiresAt).toBe(expiresAt.slice(0, -1));
      if (text !== expiresAt) continue;
      clock.advance(day - 1);
      expect(await statusWith(made.key)).toBe(200);
      clock.advance(1);
      expect(await statusWith(made.key)).toBe(401);
      const listed = (await master().list()).find(({ id }) => id === made.id);
      expect(listed?.status).toBe("expired");
      clock.advance(-day);
    }
  });

  test("201 again: the same Idempotency-Key gets the same key", async () => {
    const request = { label: "twice", scopes: ["data:read" as const] };
    const first = await master().create(request, { idempotencyKey: "one" });
    expect(await master().create(request, { idempotencyKey: "one" })).toEqual(first);
    const twice = (await master().list()).filter(({ label }) => label === "twice");
    expect(twice.length).toBe(1);
  });

  test("400: names everything that is wrong", async () => {
    const body = { label: "", scopes: ["all"], expiresAt: "tomorrow" };
    const { status, json } = await send("POST", "/v2/keys", body);
    expect(status).toBe(400);
    expect(json.errors.map(({ message }: { message: string }) => message.split(" ", 1)[0])).toEqual(
      expect.arrayContaining(["label", "expiresAt"]),
    );
    const rule = expect.stringContaining("scopes.0 must be one of data:read, ramp:read");
    expect(json.errors).toContainEqual({ message: rule });
    const wrong = [{ expiresAt: "2026-13-01T00:00:00Z" }, { expiresAt: "2020-01-01T00:00:00Z" }];
    for (const part of [...wrong, { scopes: [] }, { label: "a\nb" }, { label: "x".repeat(101) }]) {
      const request = { label: "x", scopes: ["data:read"], ...part };
      expect((await send("POST", "/v2/keys", request)).status).toBe(400);
    }
  });

  test("403: without keys:write", async () => {
    const { key } = await issue(["data:read", "ramp:read"]);
    const request = { label: "x", scopes: ["data:read"] };
    expect((await send("POST", "/v2/keys", request, key)).status).toBe(403);
    expect((await send("GET", "/v2/keys", undefined, key)).status).toBe(403);
  });

  test("403: nobody grants what he lacks, not even by repeating another's request", async () => {
    const { key } = await issue(["keys:write", "data:read"]);
    const lesser = app.as(key).keys;
    for (const scope of scopes) {
      const made = lesser.create({ label: "x", scopes: ["data:read", scope] });
      if (scope === "keys:write" || scope === "data:read") await made;
      else await expect(made).rejects.toMatchObject({ status: 403 });
    }
    const request = { label: "more", scopes: ["webhooks:write" as const] };
    await master().create(request, { idempotencyKey: "more" });
    await expect(lesser.create(request, { idempotencyKey: "more" })).rejects.toMatchObject({
      status: 403,
    });
  });

  test("409: more than a hundred that work at the same time", async () => {
    const crowd = "usr-77";
    const user = { id: crowd, masterId: null, name: "Crowd", email: "crowd@example.com" };
    await insertUser(app.db, { ...user, verification: "none", now: new Date(clock.now()) });
    const { key } = await issue(["keys:write"], crowd);
    await app.db.query(sql`
      insert into api_keys (id, user_id, label, hash, scopes, created_at)
      select 'crowd_' || number, ${crowd}, '', sha256(number::text::bytea), '{}', ${new Date(clock.now())}
      from generate_series(1, 98) as number`);
    const create = () => app.as(key).keys.create({ label: "x", scopes: ["keys:write"] });
    const [one, other] = await Promise.allSettled([create(), create()]);
    expect([one.status, other.status].sort()).toEqual(["fulfilled", "rejected"]);
    await expect(create()).rejects.toMatchObject({ status: 409 });
  });
});

describe("GET /v2/keys", () => {
  test("200: pages, newest first, of the account's own keys only", async () => {
    for (let count = 0; count < 3; count++) {
      clock.advance(1_000);
      await issue(["data:read"]);
    }
    const all = await master().list({ limit: 1_000 });
    const paged = [];
    for await (const page of master().list({ limit: 2 }).pages()) paged.push(...page);
    expect(paged).toEqual(all);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).sort((one, other) => (one < other ? 1 : -1)),
    );
    expect(new Set(all.map((key) => key.userId))).toEqual(new Set([userId]));
    const stranger = await issue(["keys:write"], strangerId);
    const theirs = await app.as(stranger.key).keys.list();
    expect(new Set(theirs.map((key) => key.userId))).toEqual(new Set([strangerId]));
    const after = all[0]?.id ?? "";
    expect(await app.as(stranger.key).keys.list({ after })).toEqual([]);
  });

  test("403: for another account", async () => {
    expect((await send("GET", `/v2/keys?userId=${strangerId}`)).status).toBe(403);
  });
});

describe("POST /v2/keys/{keyId}/rotate", () => {
  test("201: a successor with the same rights, and the old one for the overlap", async () => {
    const old = await issue(["data:read", "ramp:read"]);
    const successor = await master().rotate(old.id, { overlapSeconds: 60 });
    expect(successor).toMatchObject({ label: "a test", scopes: ["data:read", "ramp:read"] });
    expect(successor.id).not.toBe(old.id);
    expect(await statusWith(old.key)).toBe(200);
    clock.advance(60_000);
    expect(await statusWith(old.key)).toBe(401);
    expect(await statusWith(successor.key)).toBe(200);
  });

  test("201: without an overlap the old one ends with the answer; left out, it is a day", async () => {
    const [now, later] = [await issue(["data:read"]), await issue(["data:read"])];
    expect(await statusWith(now.key)).toBe(200);
    await master().rotate(now.id, { overlapSeconds: 0 });
    expect(await statusWith(now.key)).toBe(401);
    await master().rotate(later.id);
    const listed = (await master().list()).find(({ id }) => id === later.id);
    expect(listed?.expiresAt).toBe(new Date(clock.now() + day).toISOString().slice(0, -1));
  });

  test("201: a key may rotate itself", async () => {
    const { id, key } = await issue(["keys:write"]);
    const successor = await app.as(key).keys.rotate(id, { overlapSeconds: 5 });
    expect(await statusWith(successor.key, "/v2/keys")).toBe(200);
  });

  test("400: an overlap of more than 30 days", async () => {
    const { id } = await issue(["data:read"]);
    const path = `/v2/keys/${id}/rotate`;
    expect((await send("POST", path, { overlapSeconds: 30 * 86_400 + 1 })).status).toBe(400);
    expect((await send("POST", path, { overlapSeconds: -1 })).status).toBe(400);
  });

  test("403: a key cannot get more rights by rotating one that has them, nor by repeating", async () => {
    const greater = await issue(["keys:write", "webhooks:write"]);
    const lesser = await issue(["keys:write"]);
    await master().rotate(greater.id, { idempotencyKey: "greater" });
    const rotated = app.as(lesser.key).keys.rotate(greater.id, { idempotencyKey: "greater" });
    await expect(rotated).rejects.toMatchObject({ status: 403 });
  });

  test("404: somebody else's key is the same as none", async () => {
    const stranger = await issue(["data:read"], strangerId);
    const unknown = await send("POST", "/v2/keys/0123456789/rotate", {});
    expect(unknown.status).toBe(404);
    for (const id of [stranger.id, "sandbox_operator", "nonsense", "%00"]) {
      const { status, json } = await send("POST", `/v2/keys/${id}/rotate`, {});
      expect([status, json]).toEqual([404, unknown.json]);
    }
    expect(await statusWith(stranger.key)).toBe(200);
  });

  test("409: a key that has ended, and a sandbox key", async () => {
    const { id } = await issue(["data:read"]);
    await master().revoke(id);
    expect((await send("POST", `/v2/keys/${id}/rotate`, {})).status).toBe(409);
    const fixed = await send("POST", "/v2/keys/sandbox_master/rotate", {});
    expect([fixed.status, JSON.stringify(fixed.json)]).toEqual([
      409,
      expect.stringContaining("sandbox's keys"),
    ]);
  });
});

describe("DELETE /v2/keys/{keyId}", () => {
  test("204: the key is refused from the next request on, however often it is revoked", async () => {
    const { id, key } = await issue(["data:read"]);
    expect(await statusWith(key)).toBe(200);
    expect((await send("DELETE", `/v2/keys/${id}`)).status).toBe(204);
    expect(await statusWith(key)).toBe(401);
    expect((await send("DELETE", `/v2/keys/${id}`)).status).toBe(204);
    const listed = (await master().list()).find((other) => other.id === id);
    expect(listed?.status).toBe("revoked");
  });

  test("409: its own key, unless it says so", async () => {
    const { id, key } = await issue(["keys:write"]);
    expect((await send("DELETE", `/v2/keys/${id}`, undefined, key)).status).toBe(409);
    expect(await statusWith(key)).toBe(200);
    await app.as(key).keys.revoke(id, { self: true });
    expect(await statusWith(key)).toBe(401);
  });

  test("409: a sandbox key", async () => {
    for (const id of Object.values(sandboxKeys).map((key) => key.slice("slp_".length)))
      expect(isFixedKey(id)).toBe(true);
    const { status } = await send("DELETE", "/v2/keys/sandbox_master?self=true");
    expect([status, await statusWith(sandboxKeys.master)]).toEqual([409, 200]);
  });

  test("404: somebody else's", async () => {
    const stranger = await issue(["data:read"], strangerId);
    expect((await send("DELETE", `/v2/keys/${stranger.id}`)).status).toBe(404);
    expect(await statusWith(stranger.key)).toBe(200);
  });
});

test("what is done with keys is in the audit log, with who did it and without the key", async () => {
  const made = await master().create({ label: "audited", scopes: ["data:read"] });
  const successor = await master().rotate(made.id);
  await master().revoke(successor.id);
  await master().revoke(successor.id);
  const lines = (await readBackward(app.db, null, 3)).reverse();
  expect(lines.map(({ action, target, userId: by }) => [action, target, by])).toEqual([
    ["key.issued", made.id, userId],
    ["key.rotated", made.id, userId],
    ["key.revoked", successor.id, userId],
  ]);
  for (const { keyId, ip } of lines) expect([keyId, ip]).toEqual(["sandbox_master", "127.0.0.1"]);
  expect(JSON.stringify(lines, (_, value) => String(value))).not.toContain(made.key.slice(-40));
  expect((await verifyAudit(app.db)).ok).toBe(true);
});
