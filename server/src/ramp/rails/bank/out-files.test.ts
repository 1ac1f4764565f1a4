import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  entriesIn,
  entriesOf,
  newDay,
  nextMorning,
  openDayAt,
  paidSale,
  payoutOf,
  runBank,
  runBankAt,
  sentTo,
  spend,
  useBankOutWorld,
} from "../../../../test/bank-out-world.ts";
import { balancesOf, expectSound, find } from "../../../../test/ramp-world.ts";
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { newYorkDay } from "../../../lib/calendar.ts";
import { asCents } from "../../../lib/money.ts";
import type { OffRamp } from "../../transaction.ts";
import { insertBankFile } from "../store/bank-files.ts";
import { achRail } from "./ach-rail.ts";
import { fileSender } from "./deliver-files.ts";
import { fileMaker } from "./out-files.ts";
import { entrySettler } from "./settle-entries.ts";

const world = useBankOutWorld();
/** What went wrong in the eyes of the files, not of the books: those are told only at the end of a test. */
const errorsIn = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ level, rule }) => level >= 50 && !rule);

describe("a file", () => {
  test("is made once by two who make files, and delivered once by two who deliver", async () => {
    await newDay(world);
    const sales = [await paidSale(world, 1_00n), await paidSale(world, 2_00n)];
    await runBankAt(world, openDayAt(world, 17));
    world.clock.advance(5 * 60_000);
    const twice = (runner: { run(): Promise<number> }) => Promise.all([runner.run(), runner.run()]);
    const made = await twice(fileMaker(world.bank));
    expect(made.sort()).toEqual([0, 1]);
    const puts: string[] = [];
    const exchange = {
      ...world.bank.exchange,
      put: async (name: string, bytes: Buffer) => {
        puts.push(name);
        await world.bank.exchange.put(name, bytes);
      },
    };
    await twice(fileSender({ ...world.bank, exchange }));
    expect(puts).toHaveLength(1);
    const settled = nextMorning(world);
    world.clock.advance(settled - world.clock.now());
    const handled = await twice(entrySettler(world.bank));
    expect(handled[0] + handled[1]).toBe(2);
    await runBank(world);
    spend(world, 3_00n);
    const ids = await Promise.all(sales.map((sale) => payoutOf(world, sale)));
    expect(sentTo(world, ids).map(({ payoutId }) => payoutId)).toEqual(ids);
    await expectSound(world);
  });

  test.each(["before", "after"] as const)(
    "and its payouts survive a crash %s each step",
    async (when) => {
      await newDay(world);
      const sale = await paidSale(world, 7_00n);
      const crashing = { ...world.bank, db: crashingDatabase(world.db, when) };
      const bank = { ...world.bank };
      const instruct = achRail(crashing);
      const rails = world.ports.rails;
      world.ports.rails = { ...rails, ach: instruct };
      await runBankAt(world, openDayAt(world, 17));
      world.ports.rails = rails;
      // The payout's own sender asks what became of it, and tells it again if nothing did.
      await runBankAt(world, openDayAt(world, 17, 1));
      const payoutId = await payoutOf(world, sale);
      expect(await entriesOf(world, [payoutId])).toHaveLength(1);
      world.clock.advance(openDayAt(world, 17, 5) - world.clock.now());
      await fileMaker(crashing)
        .run()
        .catch(() => {});
      world.bank.exchange.faults = [when];
      await fileSender(bank).run();
      await fileSender({ ...bank, db: crashingDatabase(world.db, when) })
        .run()
        .catch(() => {});
      await runBankAt(world, openDayAt(world, 17, 40));
      expect(sentTo(world, [payoutId])).toHaveLength(1);
      world.clock.advance(nextMorning(world) - world.clock.now());
      await entrySettler({ ...bank, db: crashingDatabase(world.db, when) })
        .run()
        .catch(() => {});
      await runBank(world);
      spend(world, 7_00n);
      expect(await find(world, sale.id)).toMatchObject({ isSettled: true });
      expect(await entriesOf(world, [payoutId])).toMatchObject([{ state: "settled" }]);
      await expectSound(world);
    },
  );

  test("that says something else than the books is not made", async () => {
    await newDay(world);
    const [right, wrong] = [await paidSale(world, 5_00n), await paidSale(world, 6_00n)];
    await runBankAt(world, openDayAt(world, 17));
    const ids = [await payoutOf(world, right), await payoutOf(world, wrong)];
    const change = (cents: number) =>
      world.db.query(sql`
      update bank_entries set cents = cents + ${cents} where payout_id = ${ids[1]}`);
    await change(1);
    await runBankAt(world, openDayAt(world, 17, 5));
    expect(sentTo(world, ids)).toEqual([]);
    expect(errorsIn(world.lines)).toMatchObject([
      {
        rail: "ach",
        reason: `the file is over 11.01, its payouts over 11.00: 0.01 too much; look at ${ids[1]}`,
      },
    ]);
    await change(-1);
    await runBankAt(world, openDayAt(world, 17, 14));
    expect(sentTo(world, ids)).toEqual([]);
    await runBankAt(world, openDayAt(world, 17, 15));
    expect(sentTo(world, ids)).toHaveLength(2);
    await newDay(world);
    spend(world, 11_00n);
    await expectSound(world);
  });

  test("is not made of a payout that is over, nor of more than is booked as being out", async () => {
    await newDay(world);
    const sale = await paidSale(world, 8_00n);
    await runBankAt(world, openDayAt(world, 17));
    const payoutId = await payoutOf(world, sale);
    const makeAt = async (at: number) => {
      world.clock.advance(at - world.clock.now());
      expect(await fileMaker(world.bank).run()).toBe(1);
      return errorsIn(world.lines.splice(0)).map(({ reason }) => reason);
    };
    const setState = (state: string) =>
      world.db.query(sql`
      update payouts set state = ${state} where id = ${payoutId}`);
    await setState("failed");
    expect(await makeAt(openDayAt(world, 17, 5))).toEqual([
      `the file is over 8.00, its payouts over 0.00: 8.00 too much; look at ${payoutId}`,
    ]);
    await setState("submitted");
    const addToBalance = (cents: number) =>
      world.db.transact(async (tx) => {
        // The books guard themselves: only without their triggers can they be made wrong.
        await tx.script("set local session_replication_role = replica");
        await tx.query(sql`
          update ledger_accounts set balance = balance + ${cents} where name = 'out:ach:USD'`);
      });
    await addToBalance(-1);
    expect(await makeAt(openDayAt(world, 17, 15))).toEqual([
      "the file is over 8.00, its payouts over 8.00, and only 7.99 are booked as being out",
    ]);
    await addToBalance(1);
    expect(await makeAt(openDayAt(world, 17, 25))).toEqual([]);
    await runBank(world);
    await newDay(world);
    spend(world, 8_00n);
    expect(sentTo(world, [payoutId])).toHaveLength(1);
    await expectSound(world);
  });

  test("cannot be made when the day has no name left for it", async () => {
    await newDay(world);
    const sale = await paidSale(world, 9_00n);
    await runBankAt(world, openDayAt(world, 17));
    const today = newYorkDay(world.clock.now()).replaceAll("-", "");
    await world.db.transact(async (tx) => {
      for (let number = 0; number < 36; number++) {
        await insertBankFile(tx, world.bank, {
          ...{ id: `fil-${number}`, direction: "out", format: "nacha", state: "withdrawn" },
          name: `slipway-ach-${today}-${number}`,
          ...{ content: Buffer.from(String(number)), entries: 0, cents: asCents(0n) },
          at: new Date(world.clock.now()),
        });
      }
    });
    await runBankAt(world, openDayAt(world, 17, 5));
    expect(errorsIn(world.lines)).toMatchObject([{ reason: "a day has 36 files at most" }]);
    await newDay(world);
    expect(sentTo(world, [await payoutOf(world, sale)])).toHaveLength(1);
    await newDay(world);
    spend(world, 9_00n);
    await expectSound(world);
  });

  test("that could not be delivered is tried again, says why, and settles later", async () => {
    await newDay(world);
    const sale = await paidSale(world, 4_00n);
    await runBankAt(world, openDayAt(world, 17));
    world.bank.exchange.faults = Array.from({ length: 12 }, () => "before");
    world.clock.advance(openDayAt(world, 17, 5) - world.clock.now());
    const problems = () =>
      world.db.query(sql`
      select state, problem, attempts from bank_files where state <> 'withdrawn'
      order by created_at desc limit 1`);
    await runBank(world);
    expect(await problems()).toEqual([
      { state: "ready", problem: "the bank is closed", attempts: 1 },
    ]);
    expect(errorsIn(world.lines)).toEqual([]);
    const [first, second] = [nextMorning(world), nextMorning(world) + 86_400_000];
    await runBankAt(world, first);
    expect(await find(world, sale.id)).toMatchObject({ isSettled: false });
    expect(errorsIn(world.lines).map(({ msg }) => msg)).toEqual([
      expect.stringContaining("has not reached the bank"),
    ]);
    for (let round = 0; round < 12; round++) await runBankAt(world, world.clock.now() + 900_000);
    expect(errorsIn(world.lines).map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining("could still not be delivered"),
    );
    expect(await problems()).toMatchObject([{ state: "delivered", problem: null, attempts: 13 }]);
    await runBankAt(world, second - 1);
    expect(await find(world, sale.id)).toMatchObject({ isSettled: false });
    await newDay(world);
    await newDay(world);
    expect(await find(world, sale.id)).toMatchObject({ isSettled: true });
    spend(world, 4_00n);
    await expectSound(world);
  });
});

/** Pays these amounts on one day: which payouts they are, and what the books and the day's files say. */
async function payOnOneDay(amounts: readonly bigint[]) {
  const before = new Set(world.bank.exchange.files.keys());
  const sales: OffRamp[] = [];
  for (const cents of amounts) sales.push(await paidSale(world, cents));
  await runBankAt(world, openDayAt(world, 17));
  const booked = (await balancesOf(world))["out:ach:USD"] ?? 0n;
  await runBankAt(world, openDayAt(world, 17, 5));
  const files = [...world.bank.exchange.files].filter(([name]) => !before.has(name));
  const filed = sumOf(files.flatMap(([, content]) => entriesIn(content)));
  await newDay(world);
  spend(world, sumOf(amounts.map((cents) => ({ cents }))));
  const payouts = await Promise.all(sales.map((sale) => payoutOf(world, sale)));
  return { booked, filed, paid: payouts.map((id, index) => [id, amounts[index]] as const) };
}

const sumOf = (entries: readonly { cents: bigint }[]) =>
  entries.reduce((sum, { cents }) => sum + cents, 0n);

test("every payout is in one file, and the files together are what the books say went out", async () => {
  await newDay(world);
  const amounts = fc.array(fc.bigInt({ min: 1_00n, max: 900_00n }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(amounts, { minLength: 1, maxLength: 2 }), async (days) => {
      const paid: (readonly [string, bigint | undefined])[] = [];
      for (const day of days) {
        const done = await payOnOneDay(day);
        expect(done.filed).toBe(done.booked);
        paid.push(...done.paid);
      }
      const ids = paid.map(([id]) => id);
      const sent = sentTo(world, ids).map(({ payoutId, cents }) => [payoutId, cents]);
      expect(new Map(sent.map(([id, cents]) => [id, cents]))).toEqual(new Map(paid));
      expect(sent).toHaveLength(paid.length);
      expect(await balancesOf(world)).not.toHaveProperty("out:ach:USD");
    }),
    { numRuns: 4 },
  );
  await expectSound(world);
});

/** A database whose next transaction fails: before anything is written, or after it was, as when a line goes dead. */
function crashingDatabase(db: Database, when: "before" | "after"): Database {
  let isDone = false;
  return {
    ...db,
    async transact(work) {
      if (isDone) return db.transact(work);
      isDone = true;
      if (when === "after") await db.transact(work);
      throw new Error("the line to the database went dead");
    },
  };
}
