import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createPurchase, useWorld } from "../../test/ramp-world.ts";
import { listen, type StreamClient } from "../../test/stream-client.ts";
import { type StreamService, startStreams } from "../../test/stream-service.ts";
import { insertUser } from "../accounts/store/users.ts";
import { systemRandom } from "../lib/random.ts";
import { tell } from "../ramp/events/tell.ts";
import { listEvents } from "../ramp/store/events.ts";

const world = useWorld();
const owner = "usr-77";
const [master, subaccount, stranger] = ["usr-1", "usr-11", "usr-2"];
let service: StreamService;

beforeAll(async () => {
  const now = new Date(world.clock.now());
  const insert = (id: string, masterId: string | null) =>
    insertUser(world.db, {
      ...{ id, masterId, name: "Some Body", email: `${id}@example.com`, now },
      verification: "none",
    });
  await insert(master, null);
  await insert(stranger, null);
  await insert(subaccount, master);
  service = await startStreams({ db: world.db });
});

const say = (userId: string, type = "ramp.transaction.created") =>
  world.db.transact((tx) =>
    tell(
      tx,
      { random: systemRandom },
      {
        ...{ userId, type, transactionId: null, object: { id: "txn-1" }, at: world.clock.now() },
      },
    ),
  );
const sequencesOf = (client: StreamClient) => client.of("event").map(({ event }) => event.sequence);

async function listed(userId: string): Promise<number[]> {
  const types = ["ramp.transaction.created"];
  const choice = { userId, after: 0, limit: 100_000, types, transactionId: null };
  const { events } = await listEvents(world.db, choice);
  return events.map(({ sequence }) => sequence);
}

test("an account hears of its own transactions and a master of its subaccounts', and nobody else does", async () => {
  const channels = ["ramp.transactions"];
  const clients = await Promise.all(
    [master, subaccount, stranger].map((key) => listen(service.url, channels, { key })),
  );
  const forSubaccount = await listen(service.url, channels, {
    key: master,
    query: `&userId=${subaccount}`,
  });
  for (const client of [...clients, forSubaccount]) await client.untilCount("subscribed", 1);
  await say(subaccount);
  await say(subaccount, "ramp.wallet.created");
  await say(master);
  await say(stranger);
  const [ofMaster, ofSubaccount, ofStranger] = clients;
  await ofMaster?.untilCount("event", 2);
  await ofSubaccount?.untilCount("event", 1);
  await ofStranger?.untilCount("event", 1);
  await forSubaccount.untilCount("event", 1);
  const about = (client: StreamClient | undefined) =>
    client?.of("event").map(({ event }) => event.userId);
  expect(about(ofMaster)).toEqual([subaccount, master]);
  expect(about(ofSubaccount)).toEqual([subaccount]);
  expect(about(ofStranger)).toEqual([stranger]);
  expect(about(forSubaccount)).toEqual([subaccount]);
  for (const client of [...clients, forSubaccount]) client.leave();
});

test("one transaction can be listened to by its owner only", async () => {
  const { id } = await createPurchase(world);
  const other = await createPurchase(world);
  const channel = `ramp.transactions:${id}`;
  await expect(listen(service.url, [channel], { key: stranger })).rejects.toThrow(
    `404 {"errors":[{"message":"channel ${channel}: Transaction ${id} was not found."}],"code":404}`,
  );
  const client = await listen(service.url, [channel], { key: owner });
  await client.untilCount("subscribed", 1);
  const about = (transactionId: string) =>
    world.db.transact((tx) =>
      tell(
        tx,
        { random: systemRandom },
        {
          ...{ userId: owner, type: "ramp.transaction.completed", transactionId },
          ...{ object: { id: transactionId }, at: world.clock.now() },
        },
      ),
    );
  await about(other.id);
  await about(id);
  await client.untilCount("event", 1);
  expect(client.of("event")).toMatchObject([
    { channel, event: { type: "ramp.transaction.completed", data: { object: { id } } } },
  ]);
  client.leave();
});

test("whoever comes back hears every event once, in its order", async () => {
  const act = fc.constantFrom("event", "event", "other", "leave", "restart");
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 15 }), async (acts) => {
      const before = (await listed(stranger)).length;
      let lastEventId: string | undefined;
      const heard: number[] = [];
      const connect = () =>
        listen(service.url, ["ramp.transactions"], { key: stranger, lastEventId });
      let client = await connect();
      await client.untilCount("subscribed", 1);
      const leave = async () => {
        client.leave();
        await client.ended;
        heard.push(...sequencesOf(client));
        lastEventId = client.lastEventId ?? lastEventId;
      };
      const perform: Record<string, () => Promise<unknown>> = {
        event: () => say(stranger),
        other: () => say(stranger, "ramp.wallet.created"),
        async leave() {
          await leave();
          await say(stranger);
          client = await connect();
        },
        async restart() {
          await leave();
          await service.stop();
          service = await startStreams({ db: world.db });
          client = await connect();
        },
      };
      for (const each of acts) await perform[each]?.();
      const expected = (await listed(stranger)).slice(before);
      await client.until(() => heard.length + sequencesOf(client).length >= expected.length);
      await leave();
      expect(heard).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});
