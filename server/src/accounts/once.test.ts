import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { silentLog } from "../../test/silent-log.ts";
import { useDatabase } from "../../test/test-database.ts";
import type { Transaction } from "../database/database.ts";
import { dueRunner } from "../database/due.ts";
import { sql } from "../database/sql.ts";
import { type App, buildApp, usualPatience } from "../http/app.ts";
import { endpoint } from "../http/endpoint.ts";
import { openMetrics } from "../http/metrics.ts";
import { CallerError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { openSealer } from "../lib/seal.ts";
import { mayActFor } from "./may-act-for.ts";
import { forgetAnswers, once } from "./once.ts";
import { insertUser } from "./store/users.ts";
import { enterWall } from "./wall.ts";

const day = 24 * 3_600_000;
const held = useDatabase();
const clock = manualClock();
const sealer = openSealer({
  keys: [Buffer.alloc(32, 1)],
  digestKey: Buffer.alloc(32, 2),
  random: systemRandom,
});

const Thing = Type.Object({
  email: Type.String(),
  userId: Type.Optional(Type.String()),
  /** What goes wrong once the effect is there. */
  trouble: Type.Optional(Type.String()),
});

let count = 0;
/** Called in the middle of the work. */
let inTheMiddle: (tx: Transaction) => Promise<void> = async () => {};

/** An effect that shows: a subaccount. */
async function makeThing(tx: Transaction, masterId: string, email: string) {
  const id = `usr-${100 + ++count}`;
  await insertUser(tx, {
    id,
    masterId,
    name: "A Thing",
    email,
    verification: "none",
    now: new Date(clock.now()),
  });
  await inTheMiddle(tx);
  return { secret: `s3cret ${count} ü€`, id, hidden: "not in the schema" };
}

const common = {
  method: "POST",
  family: "ramp",
  summary: "A test",
  scope: "ramp:read",
  actsFor: "subaccounts",
  body: Thing,
  status: 201,
  response: Type.Object({ id: Type.String(), secret: Type.String() }),
} as const;

const makes = ["/things", "/others", "/things/{name}"].map((path) =>
  endpoint({
    ...common,
    path,
    handle: (input) =>
      once({ db: held.db, clock, sealer }, input, async (tx) => {
        const { email, trouble } = input.body;
        if (trouble === "refused") throw new CallerError("conflict", "It is there already.");
        const thing = await makeThing(tx, input.userId, email);
        if (trouble === "late") throw new CallerError("unprocessable", "It does not work.");
        return thing;
      }),
  }),
);

let app: App;
beforeAll(async () => {
  for (const [id, masterId] of [
    ["usr-1", null],
    ["usr-2", null],
    ["usr-3", "usr-1"],
  ] as const) {
    const user = { id, masterId, name: "Some Body", email: `${id}@x.org` };
    await insertUser(held.db, { ...user, verification: "none", now: new Date(clock.now()) });
  }
  app = await buildApp({
    endpoints: makes,
    authenticate: (userId) => ({ keyId: "k", userId, scopes: new Set(["ramp:read"]) }),
    mayActFor: mayActFor(held.db),
    limits: undefined,
    metrics: openMetrics(),
    mode: "sandbox",
    version: "0",
    trustedProxies: [],
    patience: usualPatience,
    random: systemRandom,
    log: silentLog,
  });
});
afterAll(() => app.close());
beforeEach(() => {
  inTheMiddle = async () => {};
});

type Sent = { key?: string; as?: string; url?: string; body: object | string };

async function post({ key, as = "usr-1", url = "/things", body }: Sent) {
  const { statusCode, headers, rawPayload } = await app.inject({
    method: "POST",
    url,
    headers: {
      apikey: as,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
  const replayed = headers["idempotency-replayed"];
  return { status: statusCode, replayed, bytes: rawPayload, text: rawPayload.toString() };
}

async function countThings(email: string): Promise<number> {
  return (await held.db.query(sql`select from users where email = ${email}`)).length;
}

describe("a POST with an Idempotency-Key", () => {
  test("that comes again gets the same bytes, and nothing happens twice", async () => {
    const first = await post({ key: "again", body: { email: "again", trouble: "none" } });
    const second = await post({ key: "again", body: '{ "trouble":"none",  "email":"again" }' });
    expect(first).toMatchObject({ status: 201, replayed: undefined });
    expect(second).toMatchObject({ status: 201, replayed: "true" });
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(Object.keys(JSON.parse(first.text))).toEqual(["id", "secret"]);
    expect(await countThings("again")).toBe(1);
  });

  test("is answered like one without", async () => {
    const plain = await post({ body: { email: "plain" } });
    const keyed = await post({ key: "plain", body: { email: "keyed" } });
    expect(JSON.parse(plain.text)).toEqual({
      id: expect.any(String),
      secret: expect.stringContaining("ü€"),
    });
    expect(Object.keys(JSON.parse(plain.text))).toEqual(Object.keys(JSON.parse(keyed.text)));
  });

  test.each<[string, Sent]>([
    ["another body", { body: { email: "else" } }],
    ["another account", { body: { email: "used", userId: "usr-3" } }],
    ["another query", { url: "/things?userId=usr-3", body: { email: "used" } }],
  ])("422: the key was used with %s", async (_, other) => {
    await post({ key: "used", body: { email: "used" } });
    expect(await post({ key: "used", ...other })).toMatchObject({
      status: 422,
      text: expect.stringContaining("This Idempotency-Key was used with a different request."),
    });
    expect(await countThings("else")).toBe(0);
  });

  test("422: the key was used with another part of the path", async () => {
    await post({ key: "path", url: "/things/a", body: { email: "path" } });
    const other = await post({ key: "path", url: "/things/b", body: { email: "path" } });
    expect(other.status).toBe(422);
  });

  test("does not collide with the same key of another account, or for another endpoint", async () => {
    const sent = [
      await post({ key: "mine", body: { email: "mine" } }),
      await post({ key: "mine", as: "usr-2", body: { email: "mine" } }),
      await post({ key: "mine", url: "/others", body: { email: "mine others" } }),
    ];
    expect(sent.map(({ status, replayed }) => [status, replayed])).toEqual(
      sent.map(() => [201, undefined]),
    );
  });

  test.each(["refused", "late"])(
    "that failed (%s) left nothing, and may be tried again",
    async (trouble) => {
      const email = `failed ${trouble}`;
      const failed = await post({ key: email, body: { email, trouble } });
      expect(failed.status).toBeGreaterThanOrEqual(400);
      expect(failed.status).toBeLessThan(500);
      expect(await countThings(email)).toBe(0);
      expect(await post({ key: email, body: { email } })).toMatchObject({
        status: 201,
        replayed: undefined,
      });
      expect(await countThings(email)).toBe(1);
    },
  );

  test("whose connection to the database broke in the middle left nothing, and may be tried again", async () => {
    const sent = { key: "broken", body: { email: "broken" } };
    inTheMiddle = async (tx) => {
      await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    };
    expect((await post(sent)).status).toBe(503);
    inTheMiddle = async () => {};
    expect(await post(sent)).toMatchObject({ status: 201, replayed: undefined });
    expect(await post(sent)).toMatchObject({ status: 201, replayed: "true" });
    expect(await countThings("broken")).toBe(1);
  });

  test("409: while the first is still at work", async () => {
    const sent = { key: "busy", body: { email: "busy" } };
    let goOn = () => {};
    let first: ReturnType<typeof post> | undefined;
    await new Promise<void>((arrived) => {
      inTheMiddle = () => {
        arrived();
        return new Promise((resolve) => {
          goOn = resolve;
        });
      };
      first = post(sent);
    });
    expect(await post(sent)).toMatchObject({
      status: 409,
      text: expect.stringContaining(
        "A request with this Idempotency-Key is still being processed.",
      ),
    });
    goOn();
    const text = (await first)?.text;
    expect(await post(sent)).toMatchObject({ status: 201, replayed: "true", text });
  });

  test("that comes many times at once happens once", async () => {
    const sent = { key: "many", body: { email: "many" } };
    const all = await Promise.all(Array.from({ length: 30 }, () => post(sent)));
    const done = all.filter(({ status }) => status === 201);
    expect(all.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(done.filter(({ replayed }) => !replayed).length).toBe(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(await countThings("many")).toBe(1);
  });

  test("may work behind the wall", async () => {
    inTheMiddle = (tx) => enterWall(tx, "usr-1");
    const sent = { key: "wall", body: { email: "wall" } };
    const first = await post(sent);
    expect(await post(sent)).toMatchObject({ status: 201, replayed: "true", text: first.text });
  });

  test("is kept sealed: the database does not give away what it answered", async () => {
    const { text } = await post({ key: "sealed", body: { email: "sealed" } });
    expect(text).toContain("s3cret");
    const [row] = await held.db.query<{ answer: Buffer }>(sql`
      select answer from idempotency_keys where key = 'sealed'`);
    expect(row?.answer.toString("latin1")).not.toContain("s3cret");
  });

  test("is remembered for seven days", async () => {
    const sent = (email: string) => ({ key: "old", body: { email } });
    await post(sent("old"));
    clock.advance(7 * day - 1);
    expect(await post(sent("old"))).toMatchObject({ status: 201, replayed: "true" });
    clock.advance(1);
    expect(await post(sent("old again"))).toMatchObject({ status: 201, replayed: undefined });
    expect(await post(sent("old again"))).toMatchObject({ status: 201, replayed: "true" });
  });

  test("is forgotten when its time is over", async () => {
    await post({ key: "forgotten", body: { email: "forgotten" } });
    clock.advance(7 * day);
    const runner = dueRunner({ db: held.db, clock, log: silentLog }, forgetAnswers);
    expect(await runner.run()).toBeGreaterThan(0);
    expect(await held.db.query(sql`select from idempotency_keys`)).toEqual([]);
  });
});
