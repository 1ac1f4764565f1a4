import { beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { ourselves, recordAudit } from "../../accounts/audit.ts";
import { sql } from "../../database/sql.ts";
import { setKillSwitch } from "../../ramp/store/kill-switches.ts";
import { insertReport } from "../../ramp/store/reconciliations.ts";
import {
  auditFindings,
  comparisonFindings,
  fileFindings,
  killSwitchFindings,
  moneyFindings,
  webhookFindings,
} from "./books.ts";

const held = useDatabase(2);
const clock = manualClock();
const hour = 3_600_000;
const ago = (ms: number) => new Date(clock.now() - ms);
const books = () => ({ db: held.db, clock });

beforeEach(() =>
  held.db.query(sql`
    truncate kill_switches, payouts, incoming_wires, bank_files, reconciliations cascade`),
);

test("books of which nobody has anything to say are well", async () => {
  for (const look of [killSwitchFindings, moneyFindings, fileFindings, auditFindings])
    expect(await look(books())).toMatchObject([{ state: "ok" }]);
  expect(await comparisonFindings(books())).toEqual([]);
  expect(await webhookFindings(books(), [443, 8443])).toEqual([
    { state: "ok", what: "Webhooks go to ports 443, 8443" },
  ]);
});

test("a switch that is set is named, with the way to clear it", async () => {
  const reason = "The bank is odd today.";
  await setKillSwitch(held.db, { name: "rail:ach", reason, setBy: "key-1", setAt: ago(hour) });
  expect(await killSwitchFindings(books())).toMatchObject([
    {
      state: "warning",
      what: expect.stringMatching(/^rail:ach is switched off since 2025-12-31T23:.*odd today\.$/),
      fix: expect.stringContaining("DELETE /operator/killSwitches/rail:ach"),
    },
  ]);
});

test("payouts that nobody confirmed are broken, wires that nobody claims a warning", async () => {
  const insertWire = (id: string, state: string, receivedAt: Date) =>
    held.db.query(sql`
      insert into incoming_wires
        (id, source, bank_reference, cents, sealed, state, received_at, updated_at)
      values (${id}, 'bank', ${id}, 1, '', ${state}, ${receivedAt}, ${receivedAt})`);
  await insertWire("wir-1", "suspense", ago(30 * hour));
  await insertWire("wir-2", "suspense", ago(hour));
  await insertWire("wir-3", "returning", ago(hour));
  await held.db.query(sql`
    insert into payouts (id, purpose, wire_id, rail, asset, amount, state, overdue_since,
      created_at, updated_at)
    values ('pay-1', 'wire_return', 'wir-3', 'wire', 'USD', 1, 'submitted', ${ago(3 * hour)},
      ${ago(9 * hour)}, ${ago(9 * hour)})`);
  expect(await moneyFindings(books())).toMatchObject([
    {
      state: "broken",
      what: "1 payout should have been confirmed, the first 3 h ago.",
      fix: expect.stringContaining("GET /operator/payouts?state=submitted"),
    },
    { state: "warning", what: "2 wires belong to no transaction, the first for 30 h." },
  ]);
});

test("files that wait, could not be delivered or were refused lately are told apart", async () => {
  const insertFile = (id: string, state: string, problem: string | null, at: Date) =>
    held.db.query(sql`
      insert into bank_files (id, direction, format, name, sha256, bytes, sealed, state, entries,
        cents, problem, created_at, updated_at)
      values (${id}, ${state === "refused" ? "in" : "out"}, 'nacha', ${id}, '', 0, '', ${state}, 1, 1,
        ${problem}, ${at}, ${at})`);
  await insertFile("fil-1", "held", null, ago(hour));
  await insertFile("fil-2", "ready", "no way in", ago(hour));
  await insertFile("fil-3", "ready", null, ago(hour));
  await insertFile("fil-4", "rejected", "no such company", ago(hour));
  await insertFile("fil-5", "refused", "line 1: no record", ago(hour));
  await insertFile("fil-6", "refused", "line 1: no record", ago(9 * 24 * hour));
  await insertFile("fil-7", "delivered", null, ago(hour));
  expect(await fileFindings(books())).toMatchObject([
    { state: "warning", what: "1 file wait for operators: fil-1." },
    { state: "broken", what: "1 file could not be delivered: fil-2 (no way in)." },
    { state: "warning", what: "The bank rejected 1 file this week: fil-4 (no such company)." },
    { state: "warning", what: "We could not read 1 file this week: fil-5 (line 1: no record)." },
  ]);
});

test("of comparisons with others the newest of each counts", async () => {
  const compare = (id: string, subject: string, items: string[], at: Date) =>
    held.db.transact((tx) =>
      insertReport(tx, {
        ...{ id, subject, asOf: "7", isOk: items.length === 0, compared: 5, at },
        differences: items.map((item) => ({
          ...{ item, asset: "USD", theirs: 1n, ours: 0n, explanation: "we have no such wire" },
        })),
        ...{ inTransit: [], explained: [] },
      }),
    );
  await compare("rec-1", "chain:ethereum", ["account:hot:USDC.ethereum"], ago(2 * hour));
  await compare("rec-2", "chain:ethereum", [], ago(hour));
  await compare("rec-3", "bank", [], ago(2 * hour));
  await compare("rec-4", "bank", ["wire:IMAD1", "wire:IMAD2"], ago(hour));
  expect(await comparisonFindings(books())).toMatchObject([
    {
      state: "broken",
      what: "bank and our books differ as of 7 in wire:IMAD1, wire:IMAD2.",
      fix: expect.stringContaining("/operator/reconciliations/rec-4"),
    },
    { state: "ok", what: "chain:ethereum and our books agree as of 7 (5 compared)" },
  ]);
});

describe("the audit log", () => {
  const append = (target: string) =>
    held.db.transact((tx) =>
      recordAudit(tx, { ...ourselves, action: "tested", target, detail: {}, at: ago(0) }),
    );

  test("is broken from the line that was changed on", async () => {
    await append("one");
    await append("two");
    expect(await auditFindings(books())).toEqual([
      { state: "ok", what: "2 lines as they were written" },
    ]);
    await held.db.transact(async (tx) => {
      await tx.query(sql`alter table audit_log disable trigger user`);
      await tx.query(sql`update audit_log set target = 'three' where sequence = 2`);
      await tx.query(sql`alter table audit_log enable trigger user`);
    });
    expect(await auditFindings(books())).toMatchObject([
      { state: "broken", what: "Line 2 of the audit log is not as it was written." },
    ]);
  });

  test("that is long is looked at from its end, line by line", async () => {
    await held.db.transact(async (tx) => {
      await tx.query(sql`alter table audit_log disable trigger user`);
      await tx.query(sql`delete from audit_log`);
      await tx.query(sql`
        insert into audit_log (sequence, at, action, target, detail, previous_hash, hash)
        select number, ${ago(0)}, 'tested', 'many', '{}', int4send(number - 1), int4send(number)
        from generate_series(19_500, 20_500) as number`);
      await tx.query(sql`alter table audit_log enable trigger user`);
    });
    expect(await auditFindings(books())).toMatchObject([
      {
        state: "ok",
        what: expect.stringContaining("The newest of 20,500 lines follow each other"),
      },
    ]);
    await held.db.transact(async (tx) => {
      await tx.query(sql`alter table audit_log disable trigger user`);
      await tx.query(sql`delete from audit_log where sequence = 20_000`);
      await tx.query(sql`alter table audit_log enable trigger user`);
    });
    expect(await auditFindings(books())).toMatchObject([
      { state: "broken", what: "Line 20001 of the audit log is not as it was written." },
    ]);
  });
});
