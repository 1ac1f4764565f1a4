import fastify from "fastify";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fileRow, noticesOf, sellOne, useBankWorld, work } from "../../../../test/bank-world.ts";
import {
  createPurchase,
  day,
  expectSound,
  find,
  settleNewest,
} from "../../../../test/ramp-world.ts";
import { answerError } from "../../../http/errors.ts";
import { addHooks } from "../../../http/hooks.ts";
import { findWireSender } from "../store/wire-senders.ts";
import { bankHook } from "./webhook.ts";

const world = useBankWorld();
const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const realNow = Date.UTC(2026, 10, 16, 12);
const app = fastify();

beforeAll(async () => {
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = answerError(error, undefined, request.id);
    reply.code(status).send(body);
  });
  const realClock = { ...world.clock, now: () => realNow };
  await addHooks(app, [bankHook({ ...world.bank, realClock }, secret)]);
});
afterAll(() => app.close());

let lastId = 0;
const nextId = () => `msg_${++lastId}`;

type Sending = { id?: string; at?: number; key?: string; headers?: Record<string, string> };

/** Sends a message as the bank does. */
async function send(message: unknown, sending: Sending = {}) {
  const { id = nextId(), at = realNow, key = secret, headers = {} } = sending;
  const payload = typeof message === "string" ? message : JSON.stringify(message);
  const signed = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": new Webhook(key).sign(id, new Date(at), payload),
    "content-type": "application/json",
  };
  const request = { method: "POST", url: "/hooks/bank", payload } as const;
  const response = await app.inject({ ...request, headers: { ...signed, ...headers } });
  await work(world);
  return { status: response.statusCode, said: response.body };
}

let lastReference = 0;
function received(texts: string[], changes: object = {}) {
  const data = {
    ...{ reference: `WEB${++lastReference}`, amountUsd: "100.00", senderName: "ADA LOVELACE" },
    ...{ senderAccount: "5550001", texts, receivedAt: "2026-04-15T16:00:00Z", ...changes },
  };
  return { type: "wire.received", data };
}

const countNotices = async () => (await noticesOf(world)).length;

describe("a message of the bank", () => {
  test("about a wire is kept like a file and told once, however often it comes", async () => {
    const { id, reference } = await createPurchase(world);
    const message = received([`rmp ${reference}`], { senderRoutingNumber: "021000021" });
    for (const changes of [{}, {}, { amountUsd: "200.00" }]) {
      const again = { ...message, data: { ...message.data, ...changes } };
      expect((await send(again, { id: "msg_same" })).status).toBe(204);
    }
    const kept = { format: "webhook", state: "taken", problem: null };
    expect(await fileRow(world, "msg_same.json")).toEqual(kept);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED", cents: 100_00n });
    const sender = { name: "ADA LOVELACE", routingNumber: "021000021", accountNumber: "5550001" };
    expect(await findWireSender(world.db, world.bank, message.data.reference)).toEqual(sender);
    expect((await send(message)).status).toBe(204);
    await settleNewest(world, id);
    await expectSound(world);
  });

  test("about wires of ours settles, fails and returns them", async () => {
    const [settled, rejected, returned] = [
      await sellOne(world, "WIRE"),
      await sellOne(world, "WIRE"),
      await sellOne(world, "WIRE"),
    ];
    const about = ({ entry }: typeof settled) => ({ payoutId: entry.payoutId });
    const networkReference = "20260415MMQFMP3G000123";
    await send({ type: "wire.settled", data: { ...about(settled), networkReference } });
    expect(await find(world, settled.id)).toMatchObject({
      ...{ state: "COMPLETED", trace: networkReference },
    });
    await send({ type: "wire.rejected", data: { ...about(rejected), reason: "closed" } });
    expect(await find(world, rejected.id)).toMatchObject({ state: "PAYOUT_FAILED" });
    const { trace } = returned.entry;
    await send({ type: "wire.returned", data: { trace, code: "AC04" } });
    expect(await find(world, returned.id)).toMatchObject({ state: "PAYOUT_RETURNED" });
    await expectSound(world);
  });

  test("about an ACH payment brings it back, by its trace or our id", async () => {
    const sold = await sellOne(world);
    const wrong = { type: "wire.returned", data: { trace: sold.entry.trace, code: "AC04" } };
    expect((await send(wrong, { id: "msg_wrong" })).status).toBe(204);
    expect(await fileRow(world, "msg_wrong.json")).toMatchObject({
      ...{ state: "taken", problem: `${sold.entry.trace} is no payment of ours by wire` },
    });
    await send({ type: "ach.returned", data: { trace: sold.entry.trace, code: "R03" } });
    expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_RETURNED" });
    await expectSound(world);
  });
});

describe("a message that is not genuine", () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const cases: [name: string, sending: Sending][] = [
    ["signed with another secret", { key: other }],
    ["signed six minutes ago", { at: realNow - 6 * 60_000 }],
    ["signed for the future", { at: realNow + 6 * 60_000 }],
    ["by the ramp's own clock", { at: Date.UTC(2026, 3, 15, 16) }],
    ["without an id", { headers: { "webhook-id": "" } }],
    ["with another id than was signed", { headers: { "webhook-id": "msg_other" } }],
    ["with an id that is none", { id: "../../etc" }],
    ["with a time that is none", { headers: { "webhook-timestamp": "soon" } }],
    ["with a signature that is none", { headers: { "webhook-signature": "v1,zzz v2" } }],
    ["without a signature", { headers: { "webhook-signature": "" } }],
  ];

  test.each(cases)("%s is refused, and nothing is kept", async (_, sending) => {
    const before = await countNotices();
    const { status, said } = await send(received(["SECRET TEXT"]), sending);
    expect(status).toBe(401);
    expect(said).not.toContain("SECRET TEXT");
    expect(await countNotices()).toBe(before);
  });

  test("with one good signature among others is genuine", async () => {
    const message = JSON.stringify(received(["no reference"]));
    const good = new Webhook(secret).sign("msg_two", new Date(realNow), message);
    const headers = { "webhook-signature": `v1,AAAA ${good}` };
    expect((await send(message, { id: "msg_two", headers })).status).toBe(204);
  });
});

describe("a message that makes no sense", () => {
  const wrong: [message: unknown, faults: string[]][] = [
    ["not json", ["not valid JSON"]],
    [[], ["must be a JSON object"]],
    [{ type: "balance" }, ["type must be one of wire.received, wire.settled"]],
    [{ type: "wire.received" }, ["Required field is missing: data"]],
    [
      received([], {
        amountUsd: "1.001",
        reference: "a\u0000b",
        receivedAt: "yesterday",
        texts: 5,
      }),
      ["data.amountUsd must be", "data.reference must be", "data.receivedAt must be", "data.texts"],
    ],
    [received([], { amountUsd: "0" }), ["data.amountUsd must be dollars"]],
    [received([], { amountUsd: -5 }), ["data.amountUsd must be dollars"]],
    [received([], { receivedAt: "2026-13-45T99:99Z" }), ["data.receivedAt must be a time"]],
    [{ type: "wire.settled", data: {} }, ["data must name the payment by payoutId or trace"]],
    [{ type: "ach.returned", data: { trace: "1", code: "?" } }, ["data.code must be"]],
    [{ type: "ach.returned", data: { trace: "1" } }, ["Required field is missing: data.code"]],
  ];

  test.each(wrong)(
    "%j is refused with all that is wrong, and nothing is kept",
    async (body, faults) => {
      const before = await countNotices();
      const id = nextId();
      const { status, said } = await send(body, { id });
      expect(status).toBe(400);
      for (const fault of faults) expect(said).toContain(fault);
      expect(await fileRow(world, `${id}.json`)).toBeUndefined();
      expect(await countNotices()).toBe(before);
    },
  );
});

test("time that was moved in the ramp does not make messages old", async () => {
  world.clock.advance(30 * day);
  expect((await send(received(["later"]))).status).toBe(204);
});
