import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { recordingLog, silentLog } from "../../test/silent-log.ts";
import { useDatabase } from "../../test/test-database.ts";
import type { Database } from "../database/database.ts";
import { endpoint } from "../http/endpoint.ts";
import { UnavailableError } from "../lib/errors.ts";
import { openRequestLog, type RequestLog } from "./request-log.ts";
import { countRequests, listRequests } from "./store/requests.ts";

const held = useDatabase();
const day = 24 * 3_600_000;
const clock = manualClock();
const prices = endpoint({
  ...{ method: "GET", path: "/prices/{market}", family: "data", summary: "", scope: null },
  ...{ status: 200, response: Type.Object({}), handle: () => ({}) },
});
const everything = {
  ...{ statuses: [0, 999] as const, method: null, path: null, keyId: null, from: null, to: null },
};

let nextId = 0;
function ask(log: RequestLog, userId: string, status = 200, keyId = `key of ${userId}`): string {
  const id = `req-${++nextId}`;
  const sender = { keyId, userId, scopes: new Set<string>() };
  const request = { id, method: "GET", route: "/prices/:market", url: "/prices/x" };
  log.note({ ...request, endpoint: prices, sender, startedAtMs: 0 }, status, 1.2345, []);
  return id;
}
function times(count: number, work: () => void): void {
  for (let index = 0; index < count; index++) work();
}
const open = (db: Database = held.db) => openRequestLog({ db, clock, log: silentLog });
const listed = async (userId: string) =>
  (await listRequests(held.db, { ...everything, userId }, { after: null, limit: 1_000_000 }))
    .length;
async function counted(userId: string) {
  const counts = await countRequests(held.db, userId, new Date(0));
  return counts.map(({ status, requests, notListed }) => [status, requests, notListed]);
}

describe("a flood", () => {
  test("is counted to the last request, and listed as far as anybody can read", async () => {
    const log = open();
    times(2_000, () => ask(log, "usr-1"));
    times(3, () => ask(log, "usr-1", 404));
    times(2, () => ask(log, "usr-2"));
    await log.flush();
    expect(await listed("usr-1")).toBe(503);
    expect(await counted("usr-1")).toEqual([
      [200, 2_000, 1_500],
      [404, 3, 0],
    ]);
    expect(await counted("usr-2")).toEqual([[200, 2, 0]]);
  });

  test("is listed at ten a second after that, and in full again after a rest", async () => {
    const log = open();
    times(600, () => ask(log, "usr-3"));
    await log.tick();
    times(600, () => ask(log, "usr-3"));
    await log.flush();
    expect(await listed("usr-3")).toBe(510);
    for (let second = 0; second < 50; second++) await log.tick();
    times(600, () => ask(log, "usr-3"));
    await log.flush();
    expect(await counted("usr-3")).toEqual([[200, 1_800, 790]]);
    expect(await listed("usr-3")).toBe(1_010);
  });

  test("with several keys of one account is one account's number", async () => {
    const log = open();
    times(3, () => ask(log, "usr-4", 200, "one"));
    times(4, () => ask(log, "usr-4", 200, "other"));
    await log.flush();
    expect(await counted("usr-4")).toEqual([[200, 7, 0]]);
  });
});

describe("a database that is gone", () => {
  /** Fails when told to: before anything is written, or when nobody learns that it was. */
  function failing(): Database & { failure: "before" | "after" | undefined } {
    const db = { ...held.db, failure: undefined as "before" | "after" | undefined };
    db.transact = async (work) => {
      if (db.failure === "before") throw new UnavailableError("gone");
      const result = await held.db.transact(work);
      if (db.failure === "after") throw new UnavailableError("gone");
      return result;
    };
    return db;
  }

  test.each(["before", "after"] as const)(
    "loses nothing and counts nothing twice when it goes %s the commit",
    async (failure) => {
      const userId = `usr-5${failure}`;
      const db = failing();
      const log = open(db);
      db.failure = failure;
      times(5, () => ask(log, userId));
      await log.flush();
      times(4, () => ask(log, userId));
      await log.tick();
      db.failure = undefined;
      await log.flush();
      await log.flush();
      expect(await listed(userId)).toBe(9);
      expect(await counted(userId)).toEqual([[200, 9, 0]]);
    },
  );

  test("fills no memory: the rest is counted", async () => {
    const db = failing();
    const log = open(db);
    db.failure = "before";
    for (let key = 0; key < 40; key++) times(400, () => ask(log, "usr-6", 200, `key ${key}`));
    await log.flush();
    db.failure = undefined;
    await log.flush();
    expect(await listed("usr-6")).toBe(5_000);
    expect(await counted("usr-6")).toEqual([[200, 16_000, 11_000]]);
  });

  test("and a batch that it refuses is given up, with a word in the log", async () => {
    const { lines, log: spoken } = recordingLog();
    const log = openRequestLog({ db: held.db, clock, log: spoken });
    ask(log, "usr-7\0");
    await log.flush();
    expect(lines.join()).toContain("missing from the request log");
    ask(log, "usr-7");
    await log.flush();
    expect(await listed("usr-7")).toBe(1);
  });
});

describe("what is old", () => {
  test("is forgotten after seven days, with its numbers", async () => {
    const log = open();
    ask(log, "usr-8");
    await log.tick();
    clock.advance(7 * day - 3_600_000);
    ask(log, "usr-8");
    await log.tick();
    expect([await listed("usr-8"), await counted("usr-8")]).toEqual([
      2,
      [
        [200, 1, 0],
        [200, 1, 0],
      ],
    ]);
    clock.advance(day);
    await log.tick();
    expect([await listed("usr-8"), await counted("usr-8")]).toEqual([1, [[200, 1, 0]]]);
  });

  test("is forgotten beyond the newest of an account, and of no other", async () => {
    const kept = { most: 100, recountAfter: 50 };
    const log = openRequestLog({ db: held.db, clock, log: silentLog, kept });
    times(149, () => ask(log, "usr-9"));
    const newest = ask(log, "usr-9");
    times(49, () => ask(log, "usr-10"));
    await log.flush();
    clock.advance(60_000);
    await log.tick();
    expect([await listed("usr-9"), await listed("usr-10")]).toEqual([100, 49]);
    const filter = { ...everything, userId: "usr-9" };
    const [first] = await listRequests(held.db, filter, { after: null, limit: 1 });
    expect(first?.id).toBe(newest);
  });
});
