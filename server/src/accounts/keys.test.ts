import { beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { silentLog } from "../../test/silent-log.ts";
import { testSecret, useApp } from "../../test/test-app.ts";
import { dueRunner } from "../database/due.ts";
import { sql } from "../database/sql.ts";
import { systemRandom } from "../lib/random.ts";
import { checkInstallation, issueKey, type KeyContext, retireKeys, rotateKey } from "./keys.ts";
import { findKey, revokeKey } from "./store/keys.ts";

const hour = 3_600_000;
const userId = "usr-10000000000001";
const clock = manualClock();
const app = useApp({}, clock);
let context: KeyContext;
beforeAll(() => {
  context = { db: app.db, mode: "sandbox", secret: testSecret, clock, random: systemRandom };
});

const issue = (expiresAt: Date | null = null) =>
  issueKey(context, { userId, label: "test", scopes: ["ramp:read"], expiresAt });
const statusWith = async (key: string) =>
  (await fetch(`${app.url}/v2/ramp/blockchains`, { headers: { apiKey: key } })).status;

describe("a key", () => {
  test("works once issued, and only for its scopes", async () => {
    const { key } = await issue();
    expect(await statusWith(key)).toBe(200);
    const refused = app.as(key).ramp.subaccounts.create({ name: "Ada Lovelace", email: "a@b.org" });
    await expect(refused).rejects.toMatchObject({ status: 403 });
  });

  test("is stored as a hash: the database holds it nowhere", async () => {
    const { key, id } = await issue();
    const [row] = await app.db.query<{ text: string }>(sql`
      select api_keys::text as text from api_keys where id = ${id}`);
    expect(row?.text).toContain(id);
    expect(row?.text).not.toContain(key.slice(-49));
  });

  test("stops working the moment it is revoked, also where it was just used", async () => {
    const { key, id } = await issue();
    expect(await statusWith(key)).toBe(200);
    await revokeKey(app.db, id, new Date(clock.now()));
    await expect.poll(() => statusWith(key)).toBe(401);
    expect(await revokeKey(app.db, id, new Date(clock.now()))).toBe(false);
  });

  test("stops working when its time is over", async () => {
    const { key } = await issue(new Date(clock.now() + hour));
    expect(await statusWith(key)).toBe(200);
    clock.advance(hour - 1);
    expect(await statusWith(key)).toBe(200);
    clock.advance(1);
    expect(await statusWith(key)).toBe(401);
  });

  test("that is rotated works beside its successor for the overlap, then is retired", async () => {
    const old = await issue();
    const successor = await rotateKey(context, old.id, hour);
    expect(await statusWith(old.key)).toBe(200);
    expect(await statusWith(successor.key)).toBe(200);
    expect((await findKey(app.db, successor.id))?.scopes).toEqual(["ramp:read"]);

    clock.advance(hour);
    expect(await statusWith(old.key)).toBe(401);
    expect(await statusWith(successor.key)).toBe(200);
    await dueRunner({ db: app.db, clock, log: silentLog }, retireKeys).run();
    expect((await findKey(app.db, old.id))?.revokedAt).toEqual(new Date(clock.now()));
    await expect(rotateKey(context, old.id, hour)).rejects.toThrow("still works");
  });

  test("of nobody cannot be issued", async () => {
    const request = { userId: "usr-404", label: "", scopes: [], expiresAt: null };
    await expect(issueKey(context, request)).rejects.toThrow("There is no account usr-404");
  });
});

describe("an installation", () => {
  test("goes on with its secret, and refuses another", async () => {
    await checkInstallation(context);
    await checkInstallation(context);
    await expect(checkInstallation({ ...context, secret: "another" })).rejects.toThrow(
      "SLIPWAY_SECRET",
    );
  });

  test("with the sandbox keys in it does not start in live mode", async () => {
    await expect(checkInstallation({ ...context, mode: "live" })).rejects.toThrow(
      "holds the sandbox keys",
    );
  });
});
