import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "../../../test/test-database.ts";
import { insertUser } from "../../accounts/store/users.ts";
import type { Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { systemRandom } from "../../lib/random.ts";
import { listEvents } from "../store/events.ts";
import { eventTypes, typesAskedFor, waysToAskFor } from "./event-types.ts";
import { tell } from "./tell.ts";

const held = useDatabase(12);
const context = { random: systemRandom };
const at = Date.UTC(2026, 10, 14, 23, 51, 7, 42);
const master = "usr-1";
const other = "usr-2";
const subaccounts = ["usr-11", "usr-12", "usr-13"];

beforeAll(async () => {
  const insert = (id: string, masterId: string | null) =>
    insertUser(held.db, {
      id,
      masterId,
      name: "Some Body",
      email: `${id}@example.com`,
      verification: "none",
      now: new Date(at),
    });
  await insert(master, null);
  await insert(other, null);
  for (const id of subaccounts) await insert(id, master);
});

const news = (userId: string, object: unknown = {}) => ({
  userId,
  type: "ramp.subaccount.created",
  transactionId: null,
  object,
  at,
});

const all = { after: 0, limit: 100_000, types: null, transactionId: null };
const listOf = (userId: string) => listEvents(held.db, { userId, ...all });

test("an event is in the list of its account and of the master, byte for byte as it will be sent", async () => {
  const object = { id: "txn-1", quantity: null, 'ä\u0000"': ["\ud800", 1e21, { b: 1, a: 2 }] };
  await held.db.transact((tx) => tell(tx, context, news("usr-11", object)));
  await held.db.transact((tx) => tell(tx, context, news(master)));
  await held.db.transact((tx) => tell(tx, context, news("usr-11", object)));
  const [own, masters] = [await listOf("usr-11"), await listOf(master)];
  expect(own.events.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(masters.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect((await listOf("usr-12")).events).toEqual([]);
  const { id } = JSON.parse(own.events[1]?.payload ?? "");
  expect(id).toMatch(/^evt-\d+$/);
  const bytes = (sequence: number) =>
    JSON.stringify({
      id,
      sequence,
      type: "ramp.subaccount.created",
      createdAt: "2026-11-14T23:51:07.042",
      userId: "usr-11",
      data: { object },
    });
  expect(own.events[1]?.payload).toBe(bytes(2));
  expect(masters.events[2]?.payload).toBe(bytes(3));
});

test("an event of a type that nobody can ask for is a mistake of ours", async () => {
  await expect(
    held.db.transact((tx) => tell(tx, context, { ...news(master), type: "ramp.nonsense" })),
  ).rejects.toThrow("Broken assumption");
});

test("each enabled webhook of the account and of its master that wants the type gets a delivery", async () => {
  const insert = (id: string, userId: string, types: string[], disabledAt: Date | null = null) =>
    held.db.query(sql`
      insert into webhook_endpoints
        (id, user_id, url, event_types, description, secret, disabled_at, created_at, updated_at)
      values (${id}, ${userId}, 'https://example.com/', ${types}, '', '', ${disabledAt}, ${new Date(at)}, ${new Date(at)})`);
  await insert("whk-1", "usr-12", []);
  await insert("whk-2", master, ["ramp.subaccount.*", "ramp.transaction.created"]);
  await insert("whk-3", master, ["ramp.subaccount.created"]);
  await insert("whk-4", master, ["ramp.transaction.*"]);
  await insert("whk-5", master, [], new Date(at));
  await insert("whk-6", other, []);
  await insert("whk-7", "usr-13", []);
  await held.db.transact((tx) => tell(tx, context, news("usr-12")));
  const deliveries = await held.db.query<{ endpoint: string; payload: string; id: string }>(sql`
    select delivery.id, endpoint_id as endpoint, payload
    from webhook_deliveries as delivery join ramp_events using (user_id, sequence)
    where state = 'pending' and due_at = ${new Date(at)} order by endpoint_id`);
  expect(deliveries.map(({ endpoint }) => endpoint)).toEqual(["whk-1", "whk-2", "whk-3"]);
  const told = deliveries.map(({ payload }) => JSON.parse(payload));
  expect(new Set(told.map(({ id }) => id)).size).toBe(1);
  expect(told.map(({ userId }) => userId)).toEqual(["usr-12", "usr-12", "usr-12"]);
  expect(told[0].sequence).toBe(1);
  expect(told[1].sequence).toBe((await listOf(master)).newest);
});

class Undone extends Error {}

type Teller = { users: string[]; isUndone: boolean };

async function tellAll({ users, isUndone }: Teller): Promise<string[]> {
  const work = async (tx: Transaction) => {
    for (const userId of users) await tell(tx, context, news(userId));
    if (isUndone) throw new Undone();
    return users;
  };
  return held.db.transact(work).catch((error) => {
    if (error instanceof Undone) return [];
    throw error;
  });
}

/** Reads on from the last number until told to stop, as a customer does, and notes what it saw. */
async function follow(userId: string, start: number, stop: { isOver: boolean }): Promise<number[]> {
  const seen: number[] = [];
  let after = start;
  for (;;) {
    const { isOver } = stop;
    const page = await listEvents(held.db, { ...all, userId, after, limit: 3 });
    seen.push(...page.events.map(({ sequence }) => sequence));
    after = page.events.at(-1)?.sequence ?? after;
    if (isOver && page.events.length === 0) return seen;
  }
}

test("numbers have no gaps, whoever tells at the same time and whatever is undone", async () => {
  const accounts = [master, ...subaccounts];
  const teller = fc.record({
    users: fc.array(fc.constantFrom(...accounts, other), { minLength: 1, maxLength: 3 }),
    isUndone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(teller, { minLength: 2, maxLength: 10 }), async (tellers) => {
      const before = new Map<string, number>();
      for (const id of [...accounts, other]) before.set(id, (await listOf(id)).newest);
      const stop = { isOver: false };
      const start = before.get(master) ?? 0;
      const following = follow(master, start, stop);
      const told = (await Promise.all(tellers.map(tellAll))).flat();
      stop.isOver = true;
      const seen = await following;
      expect(seen).toEqual(seen.map((_, index) => start + 1 + index));
      for (const [id, count] of before) {
        const isMine = (userId: string) => userId === id || (id === master && userId !== other);
        const { events, newest } = await listOf(id);
        expect(newest).toBe(count + told.filter(isMine).length);
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      }
      expect(start + seen.length).toBe((await listOf(master)).newest);
    }),
    { numRuns: 25 },
  );
});

test("a type is asked for by its name, or by a beginning of it", () => {
  expect(waysToAskFor("ramp.wallet.created")).toEqual([
    "*",
    "ramp.*",
    "ramp.wallet.*",
    "ramp.wallet.created",
  ]);
  expect(typesAskedFor([])).toEqual(eventTypes);
  expect(typesAskedFor(["ramp.wallet.*", "webhook.test"])).toEqual([
    "ramp.wallet.created",
    "ramp.wallet.deleted",
    "webhook.test",
  ]);
});
