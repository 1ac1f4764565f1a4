import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase, withAdmin } from "../../test/test-database.ts";
import { CallerError, UnavailableError } from "../lib/errors.ts";
import type { CopyValue } from "./copy.ts";
import { prepared, sql } from "./sql.ts";

const held = useDatabase();

beforeAll(async () => {
  await held.db.query(sql`create table counters (id int primary key, value int not null)`);
  await held.db.query(sql`insert into counters values (1, 0), (2, 0)`);
  await held.db.query(
    sql`create table notes (id int, body text, data jsonb, at timestamptz, bytes bytea)`,
  );
});

const counterOf = async (id: number) => {
  const [row] = await held.db.query<{ value: number }>(
    sql`select value from counters where id = ${id}`,
  );
  return row?.value;
};

/** A promise that many wait for and one lets go. */
function gate(): { promise: Promise<void>; release(): void } {
  let release = () => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

describe("a transaction", () => {
  test("is all or nothing", async () => {
    const failed = held.db.transact(async (tx) => {
      await tx.query(sql`update counters set value = 99 where id = 1`);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await counterOf(1)).toBe(0);
  });

  test("that lost a race for serializability runs again, and no increment is lost", async () => {
    let runs = 0;
    let readers = 0;
    const { promise: bothHaveRead, release } = gate();
    const increment = () =>
      held.db.transact(async (tx) => {
        runs++;
        await tx.query(sql`set transaction isolation level serializable`);
        const [row] = await tx.query<{ value: number }>(
          sql`select value from counters where id = 2`,
        );
        if (++readers === 2) release();
        await bothHaveRead;
        await tx.query(sql`update counters set value = ${(row?.value ?? 0) + 1} where id = 2`);
      });
    await Promise.all([increment(), increment(), increment()]);
    expect(await counterOf(2)).toBe(3);
    expect(runs).toBeGreaterThan(3);
  });

  test("that deadlocks runs again", async () => {
    let waiting = 0;
    const { promise: bothHaveOne, release } = gate();
    const lockBoth = (first: number, second: number) =>
      held.db.transact(async (tx) => {
        await tx.query(sql`set local deadlock_timeout = '20ms'`);
        await tx.query(sql`select from counters where id = ${first} for update`);
        if (++waiting === 2) release();
        await bothHaveOne;
        await tx.query(sql`select from counters where id = ${second} for update`);
        return "done";
      });
    expect(await Promise.all([lockBoth(1, 2), lockBoth(2, 1)])).toEqual(["done", "done"]);
  });

  test("runs what was left for the end after everything else, in order", async () => {
    await held.db.query(sql`create table log (id serial, what text unique)`);
    await held.db.transact(async (tx) => {
      tx.last(sql`insert into log (what) values ('last but one')`);
      tx.last(sql`insert into log (what) values ('last')`);
      await tx.query(sql`insert into log (what) values ('first')`);
    });
    const rows = await held.db.query(sql`select what from log order by id`);
    expect(rows).toEqual([{ what: "first" }, { what: "last but one" }, { what: "last" }]);
  });

  test("is undone when what was left for the end fails", async () => {
    const failed = held.db.transact(async (tx) => {
      tx.last(sql`insert into log (what) values ('last')`);
      await tx.query(sql`insert into log (what) values ('undone')`);
    });
    await expect(failed).rejects.toThrow("duplicate key");
    expect(await held.db.query(sql`select from log where what = 'undone'`)).toEqual([]);
  });

  test("that deadlocks at its end runs again", async () => {
    let waiting = 0;
    const { promise: bothHaveOne, release } = gate();
    const lockBoth = (first: number, second: number) =>
      held.db.transact(async (tx) => {
        await tx.query(sql`set local deadlock_timeout = '20ms'`);
        await tx.query(sql`update counters set value = value where id = ${first}`);
        tx.last(sql`update counters set value = value where id = ${second}`);
        if (++waiting === 2) release();
        await bothHaveOne;
        return "done";
      });
    expect(await Promise.all([lockBoth(1, 2), lockBoth(2, 1)])).toEqual(["done", "done"]);
  });

  test("whose work hides a failed statement does not look done", async () => {
    const hiding = held.db.transact(async (tx) => {
      await tx.query(sql`insert into counters values (7, 7)`);
      await tx.query(sql`select 1 / 0`).catch(() => {});
    });
    await expect(hiding).rejects.toThrow("went on after one of its statements failed");
    expect(await counterOf(7)).toBeUndefined();
  });
});

describe("a lost connection", () => {
  const killOthers = () =>
    withAdmin(held.address, (admin) =>
      admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      ),
    );

  /** Until the pool has seen that its idle connections are gone too, one of them may be lent out. */
  const untilNoticed = () =>
    expect.poll(() => counterOf(1).catch(() => "a connection that is gone")).toBe(0);

  const sleepers = () =>
    withAdmin(held.address, async (admin) => {
      const { rowCount } = await admin.query(
        "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
      );
      return rowCount;
    });

  test("fails the work in flight as unavailable, and then nothing more", async () => {
    const inFlight = held.db.query(sql`select pg_sleep(30)`);
    const inTransaction = held.db.transact(async (tx) => {
      await tx.query(sql`insert into counters values (8, 8)`);
      await tx.query(sql`select pg_sleep(30)`);
    });
    const failures = Promise.allSettled([inFlight, inTransaction]);
    await expect.poll(sleepers).toBe(2);
    await killOthers();
    for (const result of await failures) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(UnavailableError) });
    }
    await untilNoticed();
    expect(await counterOf(8)).toBeUndefined();
  });

  test("while idle is made good by the pool", async () => {
    await killOthers();
    await untilNoticed();
    expect(await Promise.all([counterOf(1), counterOf(1), counterOf(1)])).toEqual([0, 0, 0]);
  });

  test("of the listener is repaired, and it says that something may have been missed", async () => {
    const heard: (string | undefined)[] = [];
    await held.db.listen("test_channel", (payload) => heard.push(payload));
    await held.db.query(sql`select pg_notify('test_channel', 'one')`);
    await expect.poll(() => heard).toContain("one");
    const before = heard.length;
    await killOthers();
    await expect.poll(() => heard.slice(before)).toContain(undefined);
    await held.db.query(sql`select pg_notify('test_channel', 'two')`);
    await expect.poll(() => heard).toContain("two");
  });
});

test("a prepared statement is planned once for its connection, whatever its values", async () => {
  const twice = (number: number) => prepared`select ${number}::int * 2 as result`;
  await held.db.transact(async (tx) => {
    expect(await tx.query(twice(2))).toEqual([{ result: 4 }]);
    expect(await tx.query(twice(21))).toEqual([{ result: 42 }]);
    const known = await tx.query(sql`
      select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement = ${twice(1).text}`);
    expect(known).toEqual([{ runs: 2n }]);
  });
});

test("text that PostgreSQL cannot hold is the caller's fault", async () => {
  const bad = held.db.query(sql`select ${"a\u0000b"}::text`);
  await expect(bad).rejects.toThrow(CallerError);
});

test("int8 comes back exact", async () => {
  const [row] = await held.db.query<{ big: bigint }>(sql`select 9007199254740993::int8 as big`);
  expect(row?.big).toBe(9_007_199_254_740_993n);
});

describe("COPY", () => {
  test("writes any text, JSON, time and bytes as they are", async () => {
    const text = fc
      .string({ unit: "binary" })
      .map((value) => Buffer.from(value.replaceAll("\u0000", "")).toString());
    const row = fc.tuple(
      fc.option(text),
      fc.option(fc.dictionary(text, text)),
      fc.option(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
      fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const numbered = rows.map((cells, id): CopyValue[] => [id, ...cells]);
        const columns = ["id", "body", "data", "at", "bytes"];
        const written = await held.db.transact(async (tx) => {
          await tx.query(sql`truncate notes`);
          return tx.copy({ table: "notes", columns, rows: numbered });
        });
        const read = await held.db.query<Record<string, unknown>>(
          sql`select * from notes order by id`,
        );
        expect(written).toBe(rows.length);
        expect(read.map((found) => columns.map((column) => found[column]))).toEqual(numbered);
      }),
      { numRuns: 40 },
    );
  });

  test("of a bad row fails the whole transaction", async () => {
    const before = await held.db.query(sql`select * from notes`);
    const failed = held.db.transact((tx) =>
      tx.copy({ table: "notes", columns: ["id"], rows: [[1], ["not a number"]] }),
    );
    await expect(failed).rejects.toThrow("invalid input syntax");
    expect(await held.db.query(sql`select * from notes`)).toHaveLength(before.length);
  });
});
