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
import { balancesOf, day, expectSound, find, pass, step } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { asCents } from "../../../lib/money.ts";
import type { Ramp } from "../../transaction.ts";

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

/** What was logged about a payout. */
const saidOf = ({ entry }: Sold) =>
  world.lines.filter((line) => line.includes(entry.payoutId)).join("\n");

/** Which ledger account the money of a return went into; nothing when none moved. */
async function whereItLies(id: string): Promise<string | undefined> {
  const [row] = await world.db.query<{ account: string }>(sql`
    select account from journals join entries on journal_id = id
    where transaction_id = ${id} and kind = 'payout_returned' and amount > 0`);
  return row?.account.replace(id, "…");
}

describe("a return", () => {
  const inside = "transaction:…:USD";
  const back = { state: "PAYOUT_RETURNED", reason: "payout_returned", lies: inside };
  const review = { state: "IN_REVIEW", reason: "returned_by_receiver", lies: inside };
  const apart = { state: "PAYOUT_RETURNED", reason: "unexplained_return", lies: "suspense:USD" };
  const still = { state: "PAYOUT_SUBMITTED", reason: null, lies: undefined };
  /** One code of each kind; what each of all of them means is in the test of their meanings. */
  const effects = {
    R03: { ...back, isStopped: true, isAlarm: false },
    R23: { ...review, isStopped: true, isAlarm: true },
    R13: { ...back, isStopped: false, isAlarm: false },
    R18: { ...back, isStopped: false, isAlarm: true },
    R10: { ...apart, isStopped: false, isAlarm: true },
    R68: { ...still, isStopped: false, isAlarm: true },
  };

  test("does what its code means", async () => {
    const codes = Object.keys(effects);
    const sold = await sellMany(world, codes.length);
    const found: [string, object][] = [];
    for (const [index, sale] of sold.entries()) {
      const code = codes[index] ?? "";
      await openAccount();
      world.lines.length = 0;
      await leave(world, returnFile(world, [returnOf(sale.entry, code)]));
      const { state, reason } = await find(world, sale.id);
      const isStopped = (await stoppedCode()) === code;
      const isAlarm = world.lines.join().includes('"level":50');
      found.push([code, { state, reason, lies: await whereItLies(sale.id), isStopped, isAlarm }]);
    }
    expect(Object.fromEntries(found)).toEqual(effects);
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

  test.each<[string, Partial<Ramp>]>([
    [
      "released",
      { state: "PAYOUT_RETURNED", reason: "payout_returned", heldCents: asCents(100_00n) },
    ],
    ["written_off", { state: "WRITTEN_OFF", reason: "written_off", heldCents: asCents(0n) }],
  ])("that nobody can explain is %s by an operator", async (kind, after) => {
    await openAccount();
    const suspense = async () => (await balancesOf(world))["suspense:USD"] ?? 0n;
    const before = await suspense();
    const sold = await sellOne(world);
    await leave(world, returnFile(world, [returnOf(sold.entry, "R10")]));
    expect(await suspense()).toBe(before + 100_00n);
    await expectSound(world);
    // Neither time nor the customer moves it.
    await pass(world, 40 * day);
    expect(await find(world, sold.id)).toMatchObject({ reason: "unexplained_return" });
    expect(saidOf(sold)).toContain("ask the bank what it means");
    const by = { by: "operator:key-1", note: "asked the bank" } as const;
    const replaced = { kind: "account_replaced", bankAccountId: "bac-77" } as const;
    await expect(step(world, sold.id, replaced)).rejects.toThrow("cannot happen");
    await step(world, sold.id, { kind: kind === "released" ? kind : "written_off", ...by });
    expect(await find(world, sold.id)).toMatchObject(after);
    expect(await suspense()).toBe(before + (kind === "released" ? 0n : 100_00n));
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
