import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../../test/test-app.ts";
import { sql } from "../../database/sql.ts";
import { sandboxKeys } from "../api-key.ts";
import { insertUser, type Verification } from "../store/users.ts";
import { requireVerified } from "../verification.ts";

const app = useApp();
const master = "usr-10000000000001";
let count = 0;

/** A subaccount of the master. */
async function newAccount(email = `${++count}@example.com`): Promise<string> {
  const { newSubAccountId } = await app
    .as("master")
    .ramp.subaccounts.create({ name: "Some Body", email });
  return newSubAccountId;
}

type Sent = { path: string; method?: string; key?: string; body?: unknown };

async function send({ path, method = "POST", key = sandboxKeys.operator, body = {} }: Sent) {
  const response = await fetch(app.url + path, {
    method,
    headers: { apiKey: key, "content-type": "application/json" },
    ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
  });
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, json, cursor: response.headers.get("cb-after") };
}

const path = "/v2/ramp/verification";
const start = (userId: string) => send({ path, key: sandboxKeys.master, body: { userId } });
const read = (userId: string) =>
  send({ path: `${path}?userId=${userId}`, method: "GET", key: sandboxKeys.master });
const decide = (userId: string, verb: string, body: unknown = { reason: "Papers seen." }) =>
  send({ path: `/operator/verifications/${userId}/${verb}`, body });
const queue = async (query = "") => {
  const { json } = await send({ path: `/operator/verifications${query}`, method: "GET" });
  return (json as unknown as { userId: string; status: string }[]).map(({ userId }) => userId);
};

describe("an account", () => {
  test("starts unverified, asks, waits, and is approved by an operator", async () => {
    const userId = await newAccount();
    const none = { userId, status: "none", reason: null, url: null };
    expect((await read(userId)).json).toEqual(none);
    const pending = { ...none, status: "pending", reason: "Asked for by the account." };
    expect(await start(userId)).toMatchObject({ status: 200, json: pending });
    expect((await read(userId)).json).toEqual(pending);
    await expect(requireVerified(app.db, userId)).rejects.toThrow(
      "Account is not verified. Please contact support.",
    );
    const approved = { ...none, status: "approved", reason: "Papers seen." };
    expect(await decide(userId, "approve")).toMatchObject({ status: 200, json: approved });
    expect((await read(userId)).json).toEqual(approved);
    await expect(requireVerified(app.db, userId)).resolves.toBeUndefined();
  });

  test.each<[string, Verification]>([
    ["approve", "approved"],
    ["reject", "rejected"],
    ["review", "review"],
  ])("whose e-mail address says +%s@ is %s at once, in the sandbox", async (word, status) => {
    const userId = await newAccount(`some+${word}@example.com`);
    expect((await start(userId)).json).toMatchObject({ userId, status });
    expect((await read(userId)).json).toMatchObject({ status });
  });

  test("may ask again after it was refused, not while it waits or when it is verified", async () => {
    const userId = await newAccount();
    await start(userId);
    const waiting = await start(userId);
    expect(waiting).toMatchObject({
      status: 409,
      json: { errors: [{ message: `Account ${userId} is being verified already.` }] },
    });
    await decide(userId, "reject");
    expect((await start(userId)).json).toMatchObject({ status: "pending" });
    await decide(userId, "approve");
    expect(await start(userId)).toMatchObject({
      status: 409,
      json: { errors: [{ message: `Account ${userId} is verified already.` }] },
    });
  });

  test("hears of every decision", async () => {
    const userId = await newAccount();
    await start(userId);
    await decide(userId, "reject");
    const events = await app.db.query<{ type: string; payload: string }>(sql`
      select type, payload from ramp_events where user_id = ${userId} order by sequence`);
    const told = events.map(({ type, payload }) => [type, JSON.parse(payload).data.object.status]);
    expect(told).toEqual([
      ["ramp.subaccount.created", undefined],
      ["account.verification.updated", "pending"],
      ["account.verification.updated", "rejected"],
    ]);
  });

  test("403: of somebody else", async () => {
    expect(await start("usr-10000000000002")).toMatchObject({ status: 403 });
    expect(await read("usr-10000000000002")).toMatchObject({ status: 403 });
  });
});

describe("an operator", () => {
  beforeAll(async () => {
    const now = new Date(Date.UTC(2020, 0, 1));
    for (const [index, verification] of (["review", "pending", "expired"] as const).entries()) {
      const user = { id: `usr-${index + 1}`, masterId: master, name: "Early Bird", verification };
      const at = new Date(now.getTime() + index);
      await insertUser(app.db, { ...user, email: `early${index}@example.com`, now: at });
    }
  });

  test("sees who has waited longest, page by page", async () => {
    expect((await queue()).slice(0, 2)).toEqual(["usr-1", "usr-2"]);
    expect(await queue("?status=review&limit=1")).toEqual(["usr-1"]);
    expect(await queue("?status=expired")).toEqual(["usr-3"]);
    const { cursor } = await send({ path: "/operator/verifications?limit=1", method: "GET" });
    expect(cursor).toBe("usr-1");
    expect(await queue(`?limit=1&after=${cursor}`)).toEqual(["usr-2"]);
  });

  test("409: decides once", async () => {
    const userId = await newAccount();
    await decide(userId, "approve");
    expect(await decide(userId, "approve")).toMatchObject({
      status: 409,
      json: { errors: [{ message: `Account ${userId} is approved already.` }] },
    });
    expect((await decide(userId, "reject", { reason: "Forged." })).json).toEqual({
      userId,
      status: "rejected",
      reason: "Forged.",
      url: null,
    });
  });

  test("says what an account is, which is on the record", async () => {
    const userId = await newAccount();
    await start(userId);
    const { operator } = app.as("operator");
    const kindOf = async () => (await operator.accounts.get(userId)).kind;
    expect(await kindOf()).toBe("person");
    await operator.verifications.reject(userId, "No papers.");
    expect(await kindOf()).toBe("person");
    await operator.verifications.approve(userId, "Register seen.", { kind: "business" });
    expect(await kindOf()).toBe("business");
    const [line] = await operator.audit.list({ limit: 1 });
    expect(line).toMatchObject({
      action: "verification.approved",
      target: userId,
      detail: { reason: "Register seen.", kind: "business" },
    });
    const approved = await operator.verifications.list({ status: "approved", limit: 1000 });
    expect(approved.find((account) => account.userId === userId)?.kind).toBe("business");
  });

  test.each([
    ["no reason", {}, "Required field is missing: reason"],
    ["an empty reason", { reason: "" }, "reason must say why, in 1 to 500 characters"],
    ["a NUL byte", { reason: "\u0000" }, "reason must say why, in 1 to 500 characters"],
    ["an odd kind", { reason: "x", kind: "ship" }, "kind must be one of person, business"],
  ])("400: %s", async (_, body, message) => {
    expect(await decide("usr-1", "reject", body)).toMatchObject({
      status: 400,
      json: { errors: [{ message }] },
    });
  });

  test.each(["usr-404", "nonsense", "%00"])("404: there is no account %s", async (userId) => {
    expect(await decide(userId, "approve")).toMatchObject({ status: 404 });
  });

  test.each(["?status=nonsense", "?limit=0", "?after=x"])("400: %s", async (query) => {
    const got = await send({ path: `/operator/verifications${query}`, method: "GET" });
    expect(got.status).toBe(400);
  });

  test("403: is not just anybody", async () => {
    const key = sandboxKeys.master;
    const sent = { path: "/operator/verifications/usr-1/approve", body: { reason: "x" }, key };
    expect(await send(sent)).toMatchObject({ status: 403 });
    expect(await send({ path: "/operator/verifications", method: "GET", key })).toMatchObject({
      status: 403,
    });
  });
});
