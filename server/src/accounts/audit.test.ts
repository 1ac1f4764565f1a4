import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "../../test/test-database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { ourselves, recordAudit, verifyAudit } from "./audit.ts";

const held = useDatabase();
const at = new Date(Date.UTC(2026, 4, 5, 6, 7, 8, 901));

const record = (target: string) =>
  held.db.transact((tx) =>
    recordAudit(tx, {
      keyId: "k",
      userId: "usr-1",
      ip: "::1",
      action: "test",
      target,
      detail: { a: [1, "ü", null] },
      at,
    }),
  );

/** What nobody can do without turning the guard off. */
const tamper = (statement: Sql) =>
  held.db.transact(async (tx) => {
    await tx.query(sql`alter table audit_log disable trigger user`);
    await tx.query(statement);
    await tx.query(sql`alter table audit_log enable trigger user`);
  });

beforeEach(() => tamper(sql`delete from audit_log`));

describe("the audit log", () => {
  test("is right while it is empty, and after each line", async () => {
    expect(await verifyAudit(held.db)).toEqual({ ok: true, checked: 0, brokenAt: null });
    await record("one");
    await record("two");
    expect(await verifyAudit(held.db)).toEqual({ ok: true, checked: 2, brokenAt: null });
  });

  test("has one line after the other, however many write at once", async () => {
    await Promise.all(Array.from({ length: 25 }, (_, index) => record(`target ${index}`)));
    expect(await verifyAudit(held.db)).toEqual({ ok: true, checked: 25, brokenAt: null });
  });

  test("holds nothing of what did not happen", async () => {
    await record("one");
    const failing = held.db.transact(async (tx) => {
      await recordAudit(tx, { ...ourselves, action: "test", target: "two", detail: {}, at });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await record("three");
    expect(await verifyAudit(held.db)).toEqual({ ok: true, checked: 2, brokenAt: null });
  });

  test("is longer than a page", async () => {
    await held.db.transact(async (tx) => {
      for (let line = 1; line <= 1_001; line++) {
        await recordAudit(tx, { ...ourselves, action: "test", target: `${line}`, detail: {}, at });
      }
    });
    expect(await verifyAudit(held.db)).toEqual({ ok: true, checked: 1_001, brokenAt: null });
    await tamper(sql`update audit_log set target = 'x' where sequence = 1001`);
    expect(await verifyAudit(held.db)).toEqual({ ok: false, checked: 1_000, brokenAt: 1_001 });
  });

  test.each<[string, Sql]>([
    ["another account", sql`update audit_log set user_id = 'usr-2' where sequence = 2`],
    ["another time", sql`update audit_log set at = at + interval '1 second' where sequence = 2`],
    ["other details", sql`update audit_log set detail = '{}' where sequence = 2`],
    ["no address", sql`update audit_log set ip = null where sequence = 2`],
    ["another hash", sql`update audit_log set hash = '\\x00' where sequence = 2`],
    ["a line less", sql`delete from audit_log where sequence = 2`],
    [
      "a line less, and the others moved up",
      sql`with gone as (delete from audit_log where sequence = 2 returning sequence)
        update audit_log set sequence = audit_log.sequence - 1 from gone where audit_log.sequence > gone.sequence`,
    ],
  ])("shows that it was changed: %s", async (_, change) => {
    for (const target of ["one", "two", "three"]) await record(target);
    await tamper(change);
    expect(await verifyAudit(held.db)).toEqual({ ok: false, checked: 1, brokenAt: 2 });
  });

  test.each<[string, Sql]>([
    ["changed", sql`update audit_log set target = 'x'`],
    ["shortened", sql`delete from audit_log`],
    ["emptied", sql`truncate audit_log`],
  ])("cannot be %s by a mistake of ours", async (_, change) => {
    await record("one");
    await expect(held.db.query(change)).rejects.toThrow("append-only");
  });
});
