import { beforeAll, describe, expect, test } from "vitest";
import {
  leave,
  lineOf,
  notification,
  returnFile,
  returnOf,
  sellMany,
  sellOne,
  useBankWorld,
  work,
} from "../../../test/bank-world.ts";
import { createPurchase, day, hour } from "../../../test/ramp-world.ts";
import { sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";
import { asCents } from "../../lib/money.ts";
import { matchWire } from "../incoming.ts";
import { ledgerAccounts, usd } from "../ledger/accounts.ts";
import { takeFile } from "../rails/bank/take-files.ts";
import { writeCamt053 } from "../rails/iso20022/camt053.ts";
import type { BankLine } from "../rails/iso20022/wire-file.ts";
import { bookOnce } from "../store/ledger.ts";
import { findLastReport, listReports, type Report } from "../store/reconciliations.ts";
import { compareBooks, reconciliationRunner } from "./reconcile.ts";

const world = useBankWorld();

const contextOf = () => ({ ...world.context, news: world.context.ports.news, chains: [] });
const reconcile = () => reconciliationRunner(contextOf()).run();

async function report(): Promise<Report> {
  const last = await findLastReport(world.db, "bank");
  assert(last, "there is a report");
  return last;
}

let opening = 1_000_000_00n;
let lastEnd: number;
let lastNumber = 0;
beforeAll(() => {
  lastEnd = world.clock.now();
});

const signed = ({ direction, cents }: BankLine) => (direction === "credit" ? cents : -cents);

/** The bank's statement of now, compared. The clock moves, so that the next one ends later. */
async function state(...lines: BankLine[]): Promise<Report> {
  world.clock.advance(1_000);
  const [from, to] = [lastEnd, world.clock.now()];
  const closing = lines.reduce((sum, line) => sum + signed(line), opening);
  const id = `S${++lastNumber}`;
  const createdAt = new Date(to).toISOString();
  const balances = { openingCents: opening, closingCents: closing };
  [opening, lastEnd] = [closing, to];
  const accountNumber = "4400112233";
  const bytes = writeCamt053({ id, createdAt, accountNumber, from, to, ...balances, lines });
  await world.db.transact((tx) => takeFile(tx, world.bank, { name: id, bytes }));
  // Without lines nothing follows from it.
  if (lines.length > 0) await work(world);
  expect(await reconcile()).toBe(1);
  return report();
}

/** Lets ACH payments settle, be there a weekend or not. */
function settle(): Promise<void> {
  world.clock.advance(4 * day);
  return work(world);
}

/** The bank's statement of more than a day later. */
function stateLater(...lines: BankLine[]): Promise<Report> {
  world.clock.advance(day + hour);
  return state(...lines);
}

const itemsOf = ({ differences }: Report) => differences.map(({ item }) => item);

/** A wire that came in and was notified, as its line. */
async function wireIn(cents = 100_00n): Promise<BankLine> {
  const { reference } = await createPurchase(world);
  const line = lineOf(world, { texts: [reference], cents: asCents(cents) });
  await leave(world, notification(world, line));
  return line;
}

const debit = (endToEndId: string | null, cents: bigint) =>
  lineOf(world, { direction: "debit", endToEndId, cents: asCents(cents), counterparty: null });

const credit = (endToEndId: string, cents: bigint) =>
  lineOf(world, { endToEndId, cents: asCents(cents), returnReason: "AC04" });

async function nameOf(fileId: string | null): Promise<string> {
  const [row] = await world.db.query<{ name: string }>(sql`
    select name from bank_files where id = ${fileId}`);
  return row?.name ?? "";
}

let lastBooking = 0;

/** Books something on our account at the bank as `kind`: what comes in is positive. */
async function book(kind: string, cents: bigint): Promise<string> {
  const at = new Date(world.clock.now());
  const fact = `adj-${++lastBooking}`;
  const [from, to] = [ledgerAccounts.bank(), ledgerAccounts.loss(usd)];
  const move = cents > 0n ? { from, to, amount: cents } : { from: to, to: from, amount: -cents };
  const moves = [{ asset: usd, ...move }];
  await world.db.transact((tx) => bookOnce(tx, { fact, kind, transactionId: null, at, moves }));
  const [row] = await world.db.query<{ id: bigint }>(sql`
    select id from journals where fact = ${fact}`);
  return `journal:${row?.id}`;
}

test("before the first statement there is nothing to compare", async () => {
  expect(await reconcile()).toBe(0);
  expect(await compareBooks(contextOf(), ["bank"])).toEqual({
    findings: [],
    notCompared: [{ subject: "bank", reason: "the bank has left no statement yet" }],
  });
});

test("with the first statement, what was booked and is in its opening balance needs no line", async () => {
  const early = await wireIn();
  opening += 100_00n;
  const first = await state(await wireIn());
  expect(first).toMatchObject({ isOk: true, compared: 3, differences: [], inTransit: [] });
  expect(first.explained).toMatchObject([{ item: `wire:${early.reference}`, ours: 100_00n }]);
  expect(await stateLater()).toMatchObject({ isOk: true, inTransit: [] });
});

test("a day on which everything moved once is all right", async () => {
  const sold = await sellMany(world, 2);
  const [wired] = await sellMany(world, 1, "WIRE");
  const nobodys = lineOf(world);
  const lines = [await wireIn(), nobodys, debit(wired?.entry.payoutId ?? "", 100_00n)];
  await settle();
  const [first] = sold;
  assert(first, "one was sold");
  const file = await nameOf(first.entry.fileId);
  const day1 = await state(...lines, debit(file, 200_00n));
  expect(day1).toMatchObject({ isOk: true, differences: [], inTransit: [] });
  const [suspended] = await world.db.query<{ id: string }>(sql`
    select id from incoming_wires where bank_reference = ${nobodys.reference}`);
  const { id: purchaseId } = await createPurchase(world);
  await world.db.transact((tx) =>
    matchWire(tx, world.context, suspended?.id ?? "", purchaseId, "operator:first"),
  );
  await leave(world, returnFile(world, [returnOf(first.entry, "R03")]));
  const back = credit(first.entry.trace, 100_00n);
  const wireBack = credit(wired?.entry.payoutId ?? "", 100_00n);
  const day2 = await stateLater(back, wireBack);
  expect(day2).toMatchObject({ isOk: true, differences: [], inTransit: [] });
  // Two wires in, one out, a file and the balance; then both returns, what they return, and what was booked last.
  expect([day1.compared, day2.compared]).toEqual([5, 6]);
});

describe("what is in transit is no alarm, until it has been for too long", () => {
  test("a wire that the bank notified and has on no statement", async () => {
    const wire = await wireIn();
    const soon = await state();
    expect(soon.isOk).toBe(true);
    expect(soon.inTransit).toMatchObject([
      { item: `wire:${wire.reference}`, theirs: 0n, ours: 100_00n },
    ]);
    const missing = await stateLater();
    expect(itemsOf(missing)).toEqual([`wire:${wire.reference}`]);
    expect(missing.differences[0]?.explanation).toContain("is on no statement of the bank");
    expect(world.lines.at(-1)).toContain("switch payouts off");
    expect(await stateLater(wire)).toMatchObject({ isOk: true, differences: [] });
  });

  test("payments of a file that the bank took before they are settled here", async () => {
    const { entry } = await sellOne(world);
    const file = await nameOf(entry.fileId);
    const early = await state(debit(file, 100_00n));
    expect(early).toMatchObject({ isOk: true, inTransit: [{ item: `file:${file}`, ours: 0n }] });
    await settle();
    expect(await state()).toMatchObject({ isOk: true, inTransit: [] });
  });

  test("a payment that came back before it was settled here, both with and without lines", async () => {
    const [one, other] = await sellMany(world, 2);
    assert(one && other, "two were sold");
    const file = await nameOf(one.entry.fileId);
    await leave(world, returnFile(world, [returnOf(one.entry, "R03")]));
    const paid = await state(debit(file, 200_00n));
    expect(paid).toMatchObject({ isOk: true, inTransit: [{ item: `file:${file}` }] });
    const back = await state(credit(one.entry.trace, 100_00n));
    expect(back).toMatchObject({ isOk: true, inTransit: [{ item: `file:${file}` }] });
    await settle();
    expect(await state()).toMatchObject({ isOk: true, inTransit: [] });
    const { entry } = await sellOne(world);
    await leave(world, returnFile(world, [returnOf(entry, "R03")]));
    expect(await stateLater()).toMatchObject({ isOk: true, inTransit: [] });
  });

  test("a payment that came back before it was paid, of which we hear after we took it for settled", async () => {
    const [one, other] = await sellMany(world, 2);
    assert(one && other, "two were sold");
    const file = await nameOf(one.entry.fileId);
    await settle();
    const paid = await state(debit(file, 100_00n));
    expect(paid).toMatchObject({ isOk: false, differences: [{ item: `file:${file}` }] });
    await leave(world, returnFile(world, [returnOf(one.entry, "R03")]));
    expect(await stateLater()).toMatchObject({ isOk: true, inTransit: [] });
  });

  test("but not when no statement comes for a week", async () => {
    const wire = await wireIn();
    expect(await state()).toMatchObject({ isOk: true, inTransit: [{}] });
    world.clock.advance(6 * day);
    expect(await reconcile()).toBe(1);
    expect(await report()).toMatchObject({ isOk: true, inTransit: [{}] });
    world.clock.advance(day - hour);
    expect(await reconcile()).toBe(0);
    world.clock.advance(2 * hour);
    expect(await reconcile()).toBe(1);
    expect(itemsOf(await report())).toEqual([`wire:${wire.reference}`]);
    expect(await stateLater(wire)).toMatchObject({ isOk: true });
  });
});

describe("a drift raises an alarm and names what causes it", () => {
  test("a line that is one cent off, until an operator accounts for the cent", async () => {
    const wire = await wireIn();
    const off = await state({ ...wire, cents: asCents(100_01n) });
    expect(off.differences).toMatchObject([
      { item: `wire:${wire.reference}`, theirs: 100_01n, ours: 100_00n, asset: "USD" },
    ]);
    expect(off.differences[0]?.explanation).toContain(
      "the bank says 100.01 dollars, and our books 100.00",
    );
    expect(itemsOf(await stateLater())).toEqual([`wire:${wire.reference}`]);
    const adjustment = await book("adjustment", 1n);
    const settled = await state();
    expect(settled).toMatchObject({ isOk: true, inTransit: [] });
    expect(settled.explained.slice(-2).map(({ item }) => item)).toEqual([
      adjustment,
      `wire:${wire.reference}`,
    ]);
    expect(await stateLater()).toMatchObject({ isOk: true, inTransit: [] });
  });

  test("the sum of a file that is one cent off", async () => {
    const { entry } = await sellOne(world);
    const file = await nameOf(entry.fileId);
    const off = await state(debit(file, 100_01n));
    expect(off.differences).toMatchObject([{ item: `file:${file}`, theirs: -100_01n, ours: 0n }]);
    await settle();
    await book("adjustment", -1n);
    expect(await state()).toMatchObject({ isOk: true });
  });

  test("a line that is there twice, in one statement or in two", async () => {
    const { entry } = await sellOne(world);
    const file = await nameOf(entry.fileId);
    await settle();
    const twice = await state(debit(file, 100_00n), debit(file, 100_00n));
    expect(twice.differences).toMatchObject([
      { item: `file:${file}`, theirs: -200_00n, ours: -100_00n },
    ]);
    expect(twice.differences[0]?.explanation).toContain("the bank has it 2 times");
    const wire = await wireIn();
    expect(itemsOf(await state(wire, credit(file, 100_00n)))).toEqual([]);
    const again = await stateLater(wire);
    expect(again.differences).toMatchObject([
      { item: `wire:${wire.reference}`, theirs: 200_00n, ours: 100_00n },
    ]);
    expect(await state(credit("nothing we know", 5n))).toMatchObject({
      differences: [{ item: `line:S${lastNumber}/1` }, { item: `wire:${wire.reference}` }],
    });
    await book("adjustment", 100_00n);
    await book("adjustment", 5n);
    expect(await state()).toMatchObject({ isOk: true });
  });

  test("a charge of the bank's, and an adjustment that no line has", async () => {
    const charged = await state(debit(null, 25_00n));
    expect(charged.differences).toMatchObject([
      { item: `line:S${lastNumber}/1`, theirs: -25_00n, ours: 0n },
    ]);
    expect(charged.differences[0]?.explanation).toContain("book it as an adjustment");
    await book("adjustment", -25_00n);
    expect(await state()).toMatchObject({ isOk: true });
    const wrong = await book("adjustment", -1n);
    expect(await state()).toMatchObject({ isOk: true, inTransit: [{ item: wrong }] });
    expect(itemsOf(await stateLater())).toEqual([wrong]);
    await book("adjustment", 1n);
    expect(await state()).toMatchObject({ isOk: true, inTransit: [] });
  });

  test("a journal of one cent that no line has, at once", async () => {
    const journal = await book("mistake", 1n);
    const drifted = await state();
    expect(drifted.differences).toMatchObject([{ item: journal, theirs: 0n, ours: 1n }]);
    expect(drifted.differences[0]?.explanation).toContain("find out who booked it");
    expect(itemsOf(await stateLater())).toEqual([journal]);
    await book("adjustment", -1n);
    expect(await state()).toMatchObject({ isOk: true });
  });

  test("what the owners put in without a line shows in the balance", async () => {
    await book("opening", 1n);
    const drifted = await state();
    expect(drifted.differences).toMatchObject([
      { item: `account:${ledgerAccounts.bank()}`, theirs: opening, ours: opening + 1n },
    ]);
    await book("opening", -1n);
    expect(await state()).toMatchObject({ isOk: true });
  });

  test("a statement that does not begin where the one before ended", async () => {
    opening += 3_00n;
    const gap = await state();
    expect(gap.differences).toMatchObject([
      { item: `statement:S${lastNumber}`, theirs: opening, ours: opening - 3_00n },
      { item: `account:${ledgerAccounts.bank()}` },
    ]);
    opening -= 3_00n;
    expect(itemsOf(await state())).toEqual([`statement:S${lastNumber}`]);
    expect(await state()).toMatchObject({ isOk: true });
  });
});

test("a comparison that comes while news are unread waits for them", async () => {
  world.clock.advance(day + hour);
  const { reference } = await createPurchase(world);
  const line = lineOf(world, { texts: [reference] });
  const { senderName, ...rest } = {
    ...{ senderName: "ADA", senderAccount: "1", bankReference: line.reference },
    ...{ cents: line.cents, texts: line.texts, at: world.clock.now() },
  };
  world.ports.tell({ kind: "wire_received", senderName, ...rest });
  const runner = reconciliationRunner(contextOf());
  expect(await runner.run()).toBe(0);
  expect(world.lines.at(-1)).toContain("there are news that have not been read");
  await work(world);
  expect(await runner.run()).toBe(0);
  world.clock.advance(60_000);
  expect(await runner.run()).toBe(1);
  expect(await stateLater(line)).toMatchObject({ isOk: true });
});

test("what was all right is forgotten after three months, and what was not is kept", async () => {
  const filter = { subject: "bank", limit: 1_000, after: undefined };
  const wrong = await listReports(world.db, { ...filter, isOk: false });
  world.clock.advance(91 * day);
  expect(await reconcile()).toBe(1);
  expect(await listReports(world.db, { ...filter, isOk: undefined })).toHaveLength(
    wrong.length + 1,
  );
});
