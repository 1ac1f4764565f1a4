import type { WebhookWithSecret } from "@slipway/sdk";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { recordingLog } from "../../../test/silent-log.ts";
import { useApp } from "../../../test/test-app.ts";
import { answerWith, type Received, useReceiver } from "../../../test/webhook-receiver.ts";
import { addTransaction, tellNow } from "../../../test/webhook-scene.ts";
import { sql } from "../../database/sql.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import type { OpenRamp } from "../../open-ramp.ts";
import { webhookRunner } from "./deliver.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const userId = "usr-10000000000001";

const clock = manualClock(Date.UTC(2026, 10, 16));
let ramp: OpenRamp;
const app = useApp({}, clock, {
  ramp(open) {
    ramp = open;
    return {};
  },
});
const receiver = useReceiver();
const recording = recordingLog();
const webhooks = () => app.as("master").ramp.webhooks;
const register = (path = "/", eventTypes: string[] = []) =>
  webhooks().create({ url: receiver.url + path, eventTypes });
const runner = () =>
  webhookRunner({
    db: app.db,
    clock: ramp.clock,
    realClock: systemClock,
    random: systemRandom,
    sealer: ramp.sealer,
    mode: "sandbox",
    log: recording.log,
  });
const run = () => runner().run();
const happen = (type: string, transactionId?: string) =>
  tellNow(app.db, ramp.clock.now(), { userId, type, ...(transactionId ? { transactionId } : {}) });
const typesIn = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body).type);
const took = () => {
  const received = receiver.received.splice(0);
  return typesIn(received);
};

let transactions = 0;
async function newTransaction(): Promise<string> {
  const id = `txn-${++transactions}`;
  await addTransaction(app.db, userId, id);
  return id;
}

beforeEach(() => {
  receiver.answer = answerWith(200);
  receiver.received.length = 0;
});
afterEach(async () => {
  for (const { id } of await webhooks().list()) await webhooks().delete(id);
});

/** Fails unless the library that receivers use accepts it. */
function verify({ secret }: WebhookWithSecret, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe("an event", () => {
  test("arrives signed, byte for byte as it stands in the list", async () => {
    const webhook = await register("/hook?a=b");
    await happen("ramp.wallet.created");
    expect(await run()).toBe(1);
    const [received] = receiver.received;
    expect(received?.url).toBe("/hook?a=b");
    expect(received?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Slipway-Webhooks",
    });
    const event = verify(webhook, received as Received);
    expect(event).toMatchObject({ id: received?.headers["webhook-id"], userId });
    const list = await (await app.ask("/v2/ramp/events")).text();
    expect(list).toContain(received?.body);
    const [delivery] = await webhooks().deliveries(webhook.id);
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: 1,
      lastStatus: 200,
      lastError: null,
      nextAttemptAt: null,
    });
    expect(await run()).toBe(0);
  });

  test("goes only to the webhooks that asked for its type, and a test only to its own", async () => {
    const wallets = await register("/wallets", ["ramp.wallet.*"]);
    await register("/banks", ["ramp.bank_account.created"]);
    await happen("ramp.wallet.created");
    await happen("ramp.bank_account.created");
    await webhooks().test(wallets.id);
    await run();
    expect(receiver.received.map(({ url, body }) => [url, JSON.parse(body).type]).sort()).toEqual([
      ["/banks", "ramp.bank_account.created"],
      ["/wallets", "ramp.wallet.created"],
      ["/wallets", "webhook.test"],
    ]);
  });

  test("is sent by one of several runners, and once", async () => {
    await register();
    for (let count = 0; count < 20; count++) await happen("ramp.wallet.created");
    const counts = await Promise.all([run(), run(), run()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(20);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
    expect(receiver.received).toHaveLength(20);
  });

  test("is not held up by a receiver that does not answer", async () => {
    await register("/slow", ["ramp.wallet.*"]);
    await register("/quick", ["ramp.bank_account.*"]);
    let answerSlow = () => {};
    receiver.answer = ({ url }, response) => {
      if (url === "/quick") {
        answerSlow();
        response.end();
        return;
      }
      answerSlow = () => response.end();
      // Told only while the slow receiver is being waited for.
      void happen("ramp.bank_account.created");
    };
    await happen("ramp.wallet.created");
    expect(await run()).toBe(2);
    expect(receiver.received.map(({ url }) => url)).toEqual(["/slow", "/quick"]);
  });
});

describe("an event that does not arrive", () => {
  const pausesMs = [
    5_000,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
  ];

  test("is sent again for three days, at longer and longer intervals, and then has failed", async () => {
    const webhook = await register();
    receiver.answer = answerWith(500);
    await happen("ramp.wallet.created");
    for (const [index, pauseMs] of pausesMs.entries()) {
      expect(await run()).toBe(1);
      const [delivery] = await webhooks().deliveries(webhook.id);
      expect(delivery).toMatchObject({
        state: "pending",
        attempts: index + 1,
        lastStatus: 500,
        lastError: "the answer was 500",
      });
      const waitMs = Date.parse(`${delivery?.nextAttemptAt}Z`) - ramp.clock.now();
      expect(waitMs).toBeGreaterThanOrEqual(pauseMs);
      expect(waitMs).toBeLessThanOrEqual(1.1 * pauseMs);
      clock.advance(waitMs - 1);
      expect(await run()).toBe(0);
      clock.advance(1);
    }
    expect(await run()).toBe(1);
    expect(await webhooks().deliveries(webhook.id, { state: "failed" })).toMatchObject([
      { attempts: 10, nextAttemptAt: null },
    ]);
    clock.advance(100 * dayMs);
    expect(await run()).toBe(0);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test.each<[string, () => void, object]>([
    [
      "a redirect, which is not followed",
      () => {
        receiver.answer = answerWith(302, { location: "http://169.254.169.254/" });
      },
      { lastStatus: 302, lastError: "the answer was 302" },
    ],
    [
      "a connection that breaks",
      () => {
        receiver.answer = (_, response) => void response.destroy();
      },
      { lastStatus: null, lastError: expect.stringContaining("the connection failed") },
    ],
  ])("because of %s", async (_, break_, failure) => {
    const webhook = await register();
    break_();
    await happen("ramp.wallet.created");
    await run();
    const [delivery] = await webhooks().deliveries(webhook.id, { state: "pending" });
    expect(delivery).toMatchObject(failure);
  });

  test("because we stopped in the middle is sent again when nobody can be coming back", async () => {
    const webhook = await register();
    const stop = new AbortController();
    receiver.answer = () => stop.abort();
    await happen("ramp.wallet.created");
    await runner().run(stop.signal);
    receiver.answer = answerWith(204);
    expect(await run()).toBe(0);
    clock.advance(minuteMs);
    expect(await run()).toBe(1);
    expect(await webhooks().deliveries(webhook.id)).toMatchObject([
      { state: "delivered", attempts: 2, lastStatus: 204 },
    ]);
  });
});

describe("events of a transaction", () => {
  test("arrive in their order: the next waits for the one before, others do not", async () => {
    await register();
    const [held, free] = [await newTransaction(), await newTransaction()];
    receiver.answer = ({ headers }, response) => {
      const isHeld = receiver.received.at(-1)?.body.includes("ramp.transaction.created");
      response.writeHead(isHeld && headers["webhook-id"] ? 500 : 200).end();
    };
    await happen("ramp.transaction.created", held);
    await happen("ramp.transaction.priced", held);
    await happen("ramp.transaction.completed", held);
    await happen("ramp.transaction.expired", free);
    await run();
    expect(took().sort()).toEqual(["ramp.transaction.created", "ramp.transaction.expired"]);
    clock.advance(6_000);
    await run();
    expect(took()).toEqual(["ramp.transaction.created"]);
    receiver.answer = answerWith(200);
    clock.advance(6 * minuteMs);
    await run();
    expect(took()).toEqual([
      "ramp.transaction.created",
      "ramp.transaction.priced",
      "ramp.transaction.completed",
    ]);
  });

  test("do not wait for longer than an hour", async () => {
    await register();
    const id = await newTransaction();
    receiver.answer = (_, response) => {
      const isFirst = receiver.received.at(-1)?.body.includes("ramp.transaction.created");
      response.writeHead(isFirst ? 500 : 200).end();
    };
    await happen("ramp.transaction.created", id);
    await run();
    clock.advance(6_000);
    await run();
    took();
    await happen("ramp.transaction.priced", id);
    for (let minutes = 0; minutes < 59; minutes++) {
      await run();
      clock.advance(minuteMs);
    }
    expect(took()).toEqual(["ramp.transaction.created", "ramp.transaction.created"]);
    clock.advance(minuteMs);
    await run();
    expect(took()).toContain("ramp.transaction.priced");
  });
});

describe("a webhook", () => {
  test("signs with the old secret too for a day after it got a new one", async () => {
    const old = await register();
    const rotated = await webhooks().rotate(old.id);
    expect(rotated.secret).not.toBe(old.secret);
    await happen("ramp.wallet.created");
    await run();
    const [both] = receiver.received.splice(0);
    expect(both?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    verify(old, both as Received);
    verify(rotated, both as Received);
    clock.advance(dayMs);
    await happen("ramp.wallet.created");
    await run();
    const [one] = receiver.received.splice(0);
    verify(rotated, one as Received);
    expect(() => verify(old, one as Received)).toThrow("No matching signature");
  });

  test("whose receiver answers 410 gets nothing more until it is enabled", async () => {
    const { id } = await register();
    await happen("ramp.wallet.created");
    await run();
    took();
    receiver.answer = answerWith(410);
    await happen("ramp.wallet.deleted");
    await run();
    await happen("ramp.bank_account.created");
    expect(took()).toEqual(["ramp.wallet.deleted"]);
    expect(await webhooks().get(id)).toMatchObject({
      status: "disabled",
      disabledReason: "The receiver answered 410: it wants no more events.",
    });
    await expect(webhooks().test(id)).rejects.toMatchObject({ status: 409 });
    receiver.answer = answerWith(200);
    expect(await webhooks().enable(id)).toMatchObject({ status: "enabled", disabledReason: null });
    await run();
    expect(took()).toEqual([]);
    const [failed] = await webhooks().deliveries(id, { state: "failed" });
    await webhooks().replay(id, (failed?.sequence ?? 0) - 1);
    await run();
    expect(took()).toEqual(["ramp.wallet.deleted", "ramp.bank_account.created"]);
  });

  test("to which nothing got through for five days is disabled, one to which something did is not", async () => {
    const { id: dead } = await register("/dead");
    const { id: shaky } = await register("/shaky");
    receiver.answer = answerWith(500);
    await happen("ramp.wallet.created");
    await run();
    clock.advance(3 * dayMs);
    receiver.answer = ({ url }, response) =>
      void response.writeHead(url === "/dead" ? 500 : 200).end();
    await run();
    receiver.answer = answerWith(500);
    clock.advance(2 * dayMs);
    await happen("ramp.wallet.deleted");
    await run();
    expect(await webhooks().get(dead)).toMatchObject({
      status: "disabled",
      disabledReason: "Nothing got through to the receiver for 5 days.",
    });
    expect(await webhooks().get(shaky)).toMatchObject({ status: "enabled" });
    expect(await webhooks().deliveries(dead, { state: "pending" })).toEqual([]);
    expect(recording.lines.join("")).toContain("a webhook was disabled");
  });

  test("that was deleted gets nothing more", async () => {
    const { id } = await register();
    await happen("ramp.wallet.created");
    await webhooks().delete(id);
    await happen("ramp.wallet.deleted");
    expect(await run()).toBe(0);
    expect(receiver.received).toEqual([]);
  });

  test("gets again what it asks for, with the same ids", async () => {
    const { id } = await register("/", ["ramp.wallet.*"]);
    await happen("ramp.wallet.created");
    await happen("ramp.bank_account.created");
    await happen("ramp.wallet.deleted");
    await run();
    const ids = () => receiver.received.splice(0).map(({ headers }) => headers["webhook-id"]);
    const [first, second] = ids();
    const [, older] = await webhooks().deliveries(id);
    expect(await webhooks().replayDelivery(id, older?.id ?? "")).toMatchObject({
      id: older?.id,
      state: "pending",
      attempts: 0,
    });
    await run();
    expect(ids()).toEqual([first]);
    expect(await webhooks().replay(id, (older?.sequence ?? 0) - 1)).toMatchObject({ replayed: 2 });
    await run();
    expect(ids().sort()).toEqual([first, second].sort());
    expect(await webhooks().deliveries(id)).toHaveLength(2);
  });

  test("whose URL is no longer allowed is told why nothing arrives", async () => {
    const webhook = await register();
    await app.db.query(
      sql`update webhook_endpoints set url = 'https://127.0.0.1/' where id = ${webhook.id}`,
    );
    await webhooks().test(webhook.id);
    await run();
    expect(await webhooks().deliveries(webhook.id)).toMatchObject([
      { lastError: "the URL must not point to a private, local or reserved address" },
    ]);
  });
});
