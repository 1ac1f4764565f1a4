import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { testSecret, useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";
import { systemRandom } from "../../lib/random.ts";
import { sandboxKeys } from "../api-key.ts";
import { endKey, issueKey, rotateKey } from "../keys.ts";
import { insertUser } from "../store/users.ts";
import { decideVerification } from "../verification.ts";

const clock = manualClock();
const app = useApp({}, clock);
const master = "usr-10000000000001";

async function get<Body>(
  path: string,
): Promise<{ status: number; body: Body; cursor: string | null }> {
  const response = await fetch(app.url + path, { headers: { apiKey: sandboxKeys.operator } });
  const body = (await response.json()) as Body;
  return { status: response.status, body, cursor: response.headers.get("cb-after") };
}

const actor = { keyId: "sandbox_operator", userId: "usr-10000000000003", ip: "::1" };
const at = new Date(Date.UTC(2026, 1, 2));

beforeAll(async () => {
  const user = { masterId: master, name: "Ada Lovelace", verification: "none" } as const;
  for (const [index, id] of ["usr-11", "usr-12", "usr-13"].entries()) {
    const now = new Date(Date.UTC(2025, 0, 1 + index));
    await insertUser(app.db, { ...user, id, email: `Ada${index}@example.com`, now });
  }
  for (const status of ["pending", "approved"] as const) {
    await app.db.transact((tx) =>
      decideVerification(
        tx,
        { told: async () => {} },
        { userId: "usr-12", status, reason: `It is ${status}.`, decidedBy: "a test", actor, at },
      ),
    );
  }
});

describe("GET /operator/accounts", () => {
  test("200: everybody, newest first, page by page", async () => {
    const seen: string[] = [];
    let query = "?limit=2";
    for (let page = 0; page < 9 && query; page++) {
      const { body, cursor } = await get<{ id: string }[]>(`/operator/accounts${query}`);
      seen.push(...body.map(({ id }) => id));
      query = cursor ? `?limit=2&after=${cursor}` : "";
    }
    expect(seen.slice(-3)).toEqual(["usr-13", "usr-12", "usr-11"]);
    expect(new Set(seen).size).toBe(6);
    expect(seen.length).toBe(6);
  });

  test.each([
    ["?email=ADA1@example.com", ["usr-12"]],
    ["?email=nobody@example.com", []],
    ["?verification=approved&email=ada1@example.com", ["usr-12"]],
    ["?verification=expired", []],
    ["?after=usr-404", []],
  ])("200: %s", async (query, ids) => {
    const { status, body } = await get<{ id: string }[]>(`/operator/accounts${query}`);
    expect([status, body.map(({ id }) => id)]).toEqual([200, ids]);
  });

  test.each(["?verification=x", "?limit=1001", "?after=nonsense"])("400: %s", async (query) => {
    expect((await get(`/operator/accounts${query}`)).status).toBe(400);
  });
});

describe("GET /operator/accounts/{userId}", () => {
  test("200: the account, what was decided and how many subaccounts it has", async () => {
    const { body } = await get("/operator/accounts/usr-12");
    expect(body).toEqual({
      id: "usr-12",
      masterId: master,
      name: "Ada Lovelace",
      kind: "person",
      email: "Ada1@example.com",
      verification: "approved",
      createdAt: "2025-01-02T00:00:00.000",
      updatedAt: "2026-02-02T00:00:00.000",
      subaccounts: 0,
      decisions: ["approved", "pending"].map((status) => ({
        status,
        reason: `It is ${status}.`,
        decidedBy: "a test",
        at: "2026-02-02T00:00:00.000",
      })),
    });
    expect((await get(`/operator/accounts/${master}`)).body).toMatchObject({ subaccounts: 3 });
  });

  test.each(["usr-404", "nonsense", "%00"])("404: %s", async (userId) => {
    expect((await get(`/operator/accounts/${userId}`)).status).toBe(404);
  });
});

describe("the audit log", () => {
  test("tells of keys and decisions, newest first, and never a key", async () => {
    const context = {
      db: app.db,
      mode: "sandbox",
      secret: testSecret,
      clock,
      random: systemRandom,
    } as const;
    const request = { userId: "usr-11", label: "a key", scopes: ["ramp:read"], expiresAt: null };
    const issued = await issueKey(context, request);
    const successor = await rotateKey(context, issued.id, 60_000);
    expect(await endKey(context, successor.id)).toBe(true);
    expect(await endKey(context, successor.id)).toBe(false);

    const { body } =
      await get<{ action: string; target: string; sequence: number }[]>("/operator/audit");
    expect(body.map(({ action, target }) => [action, target])).toEqual([
      ["key.revoked", successor.id],
      ["key.rotated", issued.id],
      ["key.issued", issued.id],
      ["verification.approved", "usr-12"],
      ["verification.pending", "usr-12"],
    ]);
    expect(body.at(-1)).toEqual({
      sequence: 1,
      at: "2026-02-02T00:00:00.000",
      ...actor,
      action: "verification.pending",
      target: "usr-12",
      detail: { reason: "It is pending.", decidedBy: "a test" },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    for (const { key } of [issued, successor]) expect(JSON.stringify(body)).not.toContain(key);

    const page = await get<{ sequence: number }[]>("/operator/audit?limit=2");
    expect(page.cursor).toBe("4");
    const next = await get<{ sequence: number }[]>("/operator/audit?limit=2&after=4");
    expect(next.body.map(({ sequence }) => sequence)).toEqual([3, 2]);
  });

  test("is verified, and says where it was changed", async () => {
    const whole = await get("/operator/audit/verify");
    expect(whole.body).toMatchObject({ ok: true, brokenAt: null });
    await app.db.transact(async (tx) => {
      await tx.query(sql`alter table audit_log disable trigger user`);
      await tx.query(sql`update audit_log set target = 'usr-13' where sequence = 2`);
    });
    expect((await get("/operator/audit/verify")).body).toEqual({
      ok: false,
      checked: 1,
      brokenAt: 2,
    });
  });

  test("400: a cursor that is none", async () => {
    expect((await get("/operator/audit?after=usr-1")).status).toBe(400);
  });
});
