import { describe, expect, test } from "vitest";
import {
  entryOf,
  fileRow,
  leave,
  noticesOf,
  returnFile,
  returnOf,
  type Sold,
  sellMany,
  sellOne,
  settleAch,
  useBankWorld,
  work,
} from "../../../../test/bank-world.ts";
import { day, expectSound, find, pass } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { asCents } from "../../../lib/money.ts";

const world = useBankWorld();

/** The account is barred by the first return that says so; each sale must find it open. */
async function openAccount(): Promise<void> {
  await world.db.query(sql`update bank_accounts set stopped_code = null, stopped_at = null`);
}

async function stoppedCode(): Promise<string | null> {
  const [row] = await world.db.query<{ code: string | null }>(sql`
    select stopped_code as code from bank_accounts`);
  return row?.code ?? null;
}

/** The step that a return led to. */
async function returnStep(id: string): Promise<object | undefined> {
  const [row] = await world.db.query<{ data: object }>(sql`
    select data from ramp_steps where transaction_id = ${id} and kind = 'payout_returned'`);
  return row?.data;
}

/** What was logged about a payout. */
const saidOf = ({ entry }: Sold) =>
  world.lines.filter((line) => line.includes(entry.payoutId)).join("\n");

describe("a return", () => {
  const account = ["R02", "R03", "R04", "R16", "R17", "R20"];
  const receiver = ["R14", "R15", "R23"];
  const bank = ["R06", "R12", "R13", "R32", "R34"];
  const file = ["R18", "R19", "R24", "R25", "R26", "R27", "R28"];
  const debit = ["R01", "R05", "R07", "R08", "R09", "R10", "R11", "R29", "R33", "R37", "R38"];
  const debits = [...debit, "R39", "R50", "R51", "R52", "R53", "R85"];
  const codes = [...account, ...receiver, ...bank, ...file, ...debits];

  test("of any code brings the money back and does what the code means", async () => {
    await openAccount();
    const sold = await sellMany(world, codes.length);
    const pairs = sold.map((sale, index) => ({ sale, code: codes[index] ?? "" }));
    const returns = pairs.map(({ sale, code }) => returnOf(sale.entry, code));
    const name = await leave(world, returnFile(world, returns));
    const taken = { format: "nacha_return", state: "taken", problem: null };
    expect(await fileRow(world, name)).toEqual(taken);
    for (const { sale, code } of pairs) {
      const returned = { state: "PAYOUT_RETURNED", reason: "payout_returned" };
      expect(await find(world, sale.id), code).toMatchObject({ ...returned, heldCents: 100_00n });
      expect(await entryOf(world, sale.id)).toMatchObject({ state: "returned" });
      const isAccountAtFault = [...account, ...receiver].includes(code);
      expect(await returnStep(sale.id)).toMatchObject({ code, isAccountAtFault });
      const isAlarm = [...receiver, ...file, ...debits].includes(code);
      expect(saidOf(sale).includes('"level":50'), code).toBe(isAlarm);
    }
    expect(await stoppedCode()).toBe(account[0]);
    await expectSound(world);
  });

  test("after settlement comes back to the bank, also when the sale was completed", async () => {
    await openAccount();
    const [soon, late] = await sellMany(world, 2);
    if (!soon || !late) throw new Error("two were sold");
    await settleAch(world);
    expect(await entryOf(world, soon.id)).toMatchObject({ state: "settled" });
    await leave(world, returnFile(world, [returnOf(soon.entry, "R03")]));
    expect(await find(world, soon.id)).toMatchObject({ state: "PAYOUT_RETURNED" });
    await pass(world, 5 * day);
    expect(await find(world, late.id)).toMatchObject({ state: "COMPLETED" });
    await leave(world, returnFile(world, [returnOf(late.entry, "R06")]));
    expect(await find(world, late.id)).toMatchObject({ state: "RETURNED_AFTER_COMPLETION" });
    await expectSound(world);
  });

  test("of a dispute moves nothing until the bank does, and is said", async () => {
    await openAccount();
    const sold = await sellOne(world);
    const name = await leave(
      world,
      returnFile(world, [returnOf(sold.entry, "R68"), returnOf(sold.entry, "R74")]),
    );
    expect((await fileRow(world, name))?.problem).toContain("R68 argues about an earlier return");
    expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
    await expectSound(world);
  });

  test("of another amount makes the whole file worthless", async () => {
    await openAccount();
    const [one, other] = await sellMany(world, 2);
    if (!one || !other) throw new Error("two were sold");
    const wrong = { ...returnOf(other.entry, "R03"), cents: asCents(99_99n) };
    const name = await leave(world, returnFile(world, [returnOf(one.entry, "R03"), wrong]));
    expect(await fileRow(world, name)).toMatchObject({
      state: "refused",
      problem: `return of ${other.entry.trace}: is of 99.99 dollars, but 100.00 were sent`,
    });
    expect(world.lines.join()).toContain("refused as a whole");
    for (const { id } of [one, other])
      expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  });

  test("of something that is not ours is noted, and the others in its file are taken", async () => {
    await openAccount();
    const sold = await sellOne(world);
    const foreign = { code: "R03", originalTrace: "099999990000001", cents: asCents(5n) };
    const name = await leave(world, returnFile(world, [foreign, returnOf(sold.entry, "R32")]));
    expect(await fileRow(world, name)).toMatchObject({
      ...{ state: "taken", problem: "099999990000001 is no payment of ours" },
    });
    expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_RETURNED" });
  });

  test("that is told in two files, or twice in one, counts once", async () => {
    await openAccount();
    const { id, entry } = await sellOne(world);
    const both = returnFile(world, [returnOf(entry, "R32"), returnOf(entry, "R13")]);
    const name = await leave(world, both);
    expect(await fileRow(world, name)).toMatchObject({ state: "taken", problem: null });
    await leave(world, returnFile(world, [returnOf(entry, "R32")]));
    const notices = (await noticesOf(world)).filter(
      (notice) => notice.kind === "payout_returned" && notice.reference === entry.payoutId,
    );
    expect(notices).toMatchObject([{ code: "R32" }]);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_RETURNED", heldCents: 100_00n });
    await work(world);
    await expectSound(world);
  });
});
