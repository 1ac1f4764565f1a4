import { expect, test } from "vitest";
import {
  fileRow,
  leave,
  lineOf,
  noticesOf,
  notification,
  useBankWorld,
} from "../../../../test/bank-world.ts";
import { createPurchase, day, expectSound, find } from "../../../../test/ramp-world.ts";
import { writeCamt053 } from "../iso20022/camt053.ts";
import type { BankLine, BankStatement } from "../iso20022/wire-file.ts";
import { listLines, listStatements } from "../store/bank-statements.ts";

const world = useBankWorld();

let opening = 1_000_000_00n;
let from = Date.UTC(2026, 3, 1);

/** The statement of the next day. */
function nextStatement(id: string, lines: BankLine[], changes: Partial<BankStatement> = {}) {
  const sum = lines.reduce(
    (total, { direction, cents }) => total + (direction === "credit" ? cents : -cents),
    0n,
  );
  const statement: BankStatement = {
    ...{ id, createdAt: new Date(from + day).toISOString(), accountNumber: "4400112233" },
    ...{ from, to: from + day, openingCents: opening, closingCents: opening + sum, lines },
    ...changes,
  };
  opening = statement.closingCents;
  from = statement.to;
  return writeCamt053(statement);
}

const problemOf = async (bytes: Buffer) =>
  (await fileRow(world, await leave(world, bytes)))?.problem;

test("a statement is kept with its lines, and tells of wires that no notification told of", async () => {
  const [one, other] = [await createPurchase(world), await createPurchase(world)];
  const notified = lineOf(world, { texts: [one.reference] });
  const silent = lineOf(world, { texts: [other.reference] });
  await leave(world, notification(world, notified));
  const fee = lineOf(world, { direction: "debit", counterparty: null, endToEndId: "FILE-1" });
  expect(await problemOf(nextStatement("S1", [notified, silent, fee]))).toBeNull();
  const wires = (await noticesOf(world)).filter(({ kind }) => kind === "wire_received");
  expect(wires).toMatchObject([
    { bankReference: notified.reference },
    { bankReference: silent.reference },
  ]);
  expect(await find(world, other.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  const [statement] = await listStatements(world.db, { after: null, limit: 10 });
  const balances = { openingCents: 1_000_000_00n, closingCents: 1_000_100_00n };
  expect(statement).toMatchObject({ id: "S1", ...balances, from: new Date(Date.UTC(2026, 3, 1)) });
  expect(await listLines(world.db, "S1")).toMatchObject([
    { number: 1, reference: notified.reference, cents: 100_00n, endToEndId: null },
    { number: 2, reference: silent.reference, cents: 100_00n },
    { number: 3, reference: fee.reference, cents: -100_00n, endToEndId: "FILE-1" },
  ]);
  await expectSound(world);
});

test("statements that follow each other are fine, those that do not are noted", async () => {
  expect(await problemOf(nextStatement("S2", []))).toBeNull();
  const gap = nextStatement("S4", [], { openingCents: opening + 5n, closingCents: opening + 5n });
  expect(await problemOf(gap)).toContain("S4 begins with 1000100.05: one between them is missing");
  const overlap = nextStatement("S5", [], { from: from - 3_600_000 });
  expect(await problemOf(overlap)).toBe("statements S4 and S5 overlap: lines may be in both");
  const [last] = await listStatements(world.db, { after: new Date(from - 1), limit: 1 });
  expect(last).toMatchObject({ id: "S5" });
  expect(world.lines.join()).toContain("S4 and S5 overlap");
});

test("a statement that comes again is the same, or another one under its id or for its time", async () => {
  const same = { from: from - day, to: from };
  const again = nextStatement("S5", [], same);
  expect(await problemOf(again)).toBeNull();
  const changed = nextStatement("S5", [], {
    ...same,
    closingCents: opening,
    openingCents: opening,
  });
  expect(await problemOf(Buffer.concat([changed, Buffer.from("\n")]))).toBeNull();
  const other = { ...same, openingCents: opening + 1n, closingCents: opening + 1n };
  expect(await problemOf(nextStatement("S5", [], other))).toContain("with other balances");
  expect(await problemOf(nextStatement("S6", [], other))).toContain("ends when another one does");
});

test("a statement of another account is refused", async () => {
  const foreign = nextStatement("S7", [], { accountNumber: "111122223333" });
  const name = await leave(world, foreign);
  expect(await fileRow(world, name)).toMatchObject({ state: "refused" });
});

test("a wire without a reference of the bank's own is not booked from a statement", async () => {
  const { id, reference } = await createPurchase(world);
  const line = lineOf(world, { reference: "S8/1", texts: [reference] });
  expect(await problemOf(nextStatement("S8", [line]))).toContain("1 wires have no reference");
  expect(await find(world, id)).toMatchObject({ state: "AWAITING_FUNDS" });
  expect(await listLines(world.db, "S8")).toHaveLength(1);
});
