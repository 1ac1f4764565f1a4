import type { RampEvents } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { testSecret, useApp } from "../../../test/test-app.ts";
import { addTransaction, tellNow } from "../../../test/webhook-scene.ts";
import { issueKey } from "../../accounts/keys.ts";
import { insertUser } from "../../accounts/store/users.ts";
import { systemRandom } from "../../lib/random.ts";

const clock = manualClock(Date.UTC(2026, 10, 16));
const app = useApp({}, clock);
const [one, two, other] = ["usr-1", "usr-11", "usr-2"] as const;
const keys = new Map<string, string>();
const as = (userId: string) => app.as(keys.get(userId) ?? "").ramp;
const ask = (path: string, userId: string = one) =>
  app.ask(path, { headers: { apiKey: keys.get(userId) ?? "" } });
const numbers = ({ events }: { events: { sequence: number }[] }) =>
  events.map(({ sequence }) => sequence);

beforeAll(async () => {
  const now = new Date(clock.now());
  const context = {
    db: app.db,
    mode: "sandbox",
    secret: testSecret,
    clock,
    random: systemRandom,
  } as const;
  for (const [id, masterId] of [
    [one, null],
    [two, one],
    [other, null],
  ] as const) {
    const email = `${id}@example.com`;
    await insertUser(app.db, { id, masterId, name: "A B", email, verification: "none", now });
    const issued = await issueKey(context, {
      userId: id,
      label: "",
      scopes: ["ramp:read"],
      expiresAt: null,
    });
    keys.set(id, issued.key);
  }
  await addTransaction(app.db, one, "txn-1");
  await addTransaction(app.db, two, "txn-2");
  const tell = (userId: string, type: string, transactionId?: string) =>
    tellNow(app.db, clock.now(), { userId, type, ...(transactionId ? { transactionId } : {}) });
  await tell(one, "ramp.wallet.created");
  await tell(two, "ramp.transaction.created", "txn-2");
  await tell(one, "ramp.transaction.created", "txn-1");
  await tell(two, "ramp.transaction.expired", "txn-2");
  await tell(one, "ramp.wallet.deleted");
});

describe("GET /v2/ramp/events", () => {
  test("200: everything of the account and its subaccounts, oldest first and without gaps", async () => {
    const list = await as(one).events();
    expect(numbers(list)).toEqual([1, 2, 3, 4, 5]);
    expect(list.lastSequence).toBe(5);
    expect(list.events[1]).toEqual({
      id: expect.stringMatching(/^evt-\d+$/),
      sequence: 2,
      type: "ramp.transaction.created",
      createdAt: "2026-11-16T00:00:00.000",
      userId: two,
      data: { object: {} },
    });
  });

  test("200: a subaccount's own list, whoever of the two asks", async () => {
    const list = await as(two).events();
    expect(numbers(list)).toEqual([1, 2]);
    expect(await as(one).events({ userId: two })).toEqual(list);
  });

  test("200: an account that nothing happened to", async () => {
    expect(await as(other).events()).toEqual({ events: [], lastSequence: 0 });
  });

  test("200: page after page, until there is no more", async () => {
    const seen: number[] = [];
    let after = 0;
    for (;;) {
      const page = await as(one).events({ after, limit: 2 });
      if (page.events.length === 0) break;
      seen.push(...numbers(page));
      after = page.lastSequence;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(after).toBe(5);
    expect(await as(one).events({ after: 99 })).toEqual({ events: [], lastSequence: 5 });
  });

  test.each([
    ["type=ramp.transaction.created", [2, 3], 5],
    ["type=ramp.transaction.*", [2, 3, 4], 5],
    ["type=*&after=4", [5], 5],
    ["type=ramp.wallet.*&limit=1", [1], 1],
    ["transactionId=txn-2", [2, 4], 5],
    ["transactionId=txn-2&type=ramp.transaction.expired", [4], 5],
    ["transactionId=txn-99", [], 5],
  ])("200: ?%s", async (query, expected, lastSequence) => {
    const list = (await (await ask(`/v2/ramp/events?${query}`)).json()) as RampEvents;
    expect([numbers(list), list.lastSequence]).toEqual([expected, lastSequence]);
  });

  test.each([
    ["after=-1", "after must be the number"],
    ["after=x", "after must be the number"],
    ["after=99999999999999999999", "after must be the number"],
    ["limit=0", "limit must be a whole number from 1 to 1000"],
    ["limit=1001", "limit must be a whole number from 1 to 1000"],
    ["type=nonsense", "type must be an event type"],
    ["type=%00", "type must be an event type"],
    ["transactionId=%00", "transactionId must look like txn-123"],
    ["after=1&after=2", "after must be the number"],
  ])("400: ?%s", async (query, message) => {
    const response = await ask(`/v2/ramp/events?${query}`);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(message);
  });

  test.each([other, "usr-99"])("403: for %s, who is no subaccount", async (userId) => {
    expect((await ask(`/v2/ramp/events?userId=${userId}`)).status).toBe(403);
  });
});

describe("GET /v2/ramp/transactions/{transactionId}/events", () => {
  test("200: what happened to it, with the numbers of its account's list", async () => {
    expect(numbers(await as(one).transactions.events("txn-1"))).toEqual([3]);
    expect(numbers(await as(two).transactions.events("txn-2"))).toEqual([1, 2]);
    expect(numbers(await as(one).transactions.events("txn-2", { userId: two }))).toEqual([1, 2]);
  });

  test.each([
    ["unknown", one, "txn-99", "Transaction txn-99 was not found"],
    ["somebody else's", other, "txn-1", "Transaction txn-1 was not found"],
    ["a subaccount's, unless it is named", one, "txn-2", "Transaction txn-2 was not found"],
    ["the master's", two, "txn-1", "Transaction txn-1 was not found"],
    ["no id", one, "%00", "ids look like txn-123"],
  ])("404: %s", async (_, userId, id, message) => {
    const response = await ask(`/v2/ramp/transactions/${id}/events`, userId);
    expect(response.status).toBe(404);
    expect(JSON.stringify(await response.json())).toContain(message);
  });
});
