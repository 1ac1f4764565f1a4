import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BankOutWorld,
  entriesOf,
  paidSale,
  payoutOf,
  runBank,
  runBankAt,
  spend,
  useBankOutWorld,
} from "../../../../test/bank-out-world.ts";
import { balancesOf, expectSound, find, run } from "../../../../test/ramp-world.ts";
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import {
  addOpenDays,
  bankCalendar,
  newYorkDay,
  newYorkTime,
  nextOpenDay,
} from "../../../lib/calendar.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents } from "../../../lib/money.ts";
import type { OffRamp } from "../../transaction.ts";
import type { AchFile } from "../nacha/ach-file.ts";
import { readAchFile } from "../nacha/read-file.ts";
import { insertBankFile } from "../store/bank-files.ts";
import { achRail } from "./ach-rail.ts";
import { fileSender } from "./deliver-files.ts";
import { fileMaker } from "./out-files.ts";
import { entrySettler } from "./settle-entries.ts";

const world = useBankOutWorld();
const calendar = bankCalendar();

/** This or the next day on which banks work, at a time in New York. */
const openDayAt = (hour: number, minute = 0) =>
  newYorkTime(nextOpenDay(calendar, newYorkDay(world.clock.now())), hour, minute);
const nextMorning = () =>
  newYorkTime(addOpenDays(calendar, newYorkDay(world.clock.now()), 1), 8, 30);

/** The morning of a day on which banks work, after all that was. */
async function newDay(): Promise<void> {
  await runBankAt(world, newYorkTime(addOpenDays(calendar, newYorkDay(world.clock.now()), 1), 10));
}

/** What went to the bank for these payouts: every time that a file names one of them. */
function sentTo({ bank }: BankOutWorld, payoutIds: readonly string[]) {
  const digits = new Map(payoutIds.map((id) => [id.slice(4), id]));
  return [...bank.exchange.files].flatMap(([name, content]) =>
    name.endsWith(".ach")
      ? entriesIn(readAchFile(content)).flatMap((entry) => {
          const payoutId = digits.get(entry.identification);
          return payoutId ? [{ ...entry, payoutId, file: name }] : [];
        })
      : [],
  );
}

const entriesIn = ({ batches }: AchFile) =>
  batches.flatMap(({ entryClass, entries }) => entries.map((entry) => ({ ...entry, entryClass })));

/** What went wrong in the eyes of the files, not of the books: those are told only at the end of a test. */
const errorsIn = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ level, rule }) => level >= 50 && !rule);

describe("an ACH payout", () => {
  test("is handed over at the cut-off, filed soon after, and settled on the next morning", async () => {
    await newDay();
    const sale = await paidSale(world, 123_45n);
    await runBankAt(world, openDayAt(17));
    const payoutId = await payoutOf(world, sale);
    const [waiting] = await entriesOf(world, [payoutId]);
    assert(waiting, "the payout has an entry");
    expect(waiting).toMatchObject({ state: "waiting", fileId: null });
    expect(waiting.trace).toMatch(/^02100008\d{7}$/);
    expect(await find(world, sale.id)).toMatchObject({ trace: waiting.trace, isSettled: false });
    expect(sentTo(world, [payoutId])).toEqual([]);

    await runBankAt(world, openDayAt(17, 5));
    const [sent, ...others] = sentTo(world, [payoutId]);
    expect(others).toEqual([]);
    expect(sent).toMatchObject({
      ...{ trace: waiting.trace, cents: 12_345n, entryClass: "PPD", accountType: "checking" },
      ...{ routingNumber: "021000021", accountNumber: "123456789", name: "ADA KING LOVELACE" },
      file: `slipway-ach-${newYorkDay(world.clock.now()).replaceAll("-", "")}-A.ach`,
    });
    const content = world.bank.exchange.files.get(sent?.file ?? "");
    assert(content, "the file is at the bank");
    expect(readAchFile(content)).toMatchObject({
      createdOn: newYorkDay(world.clock.now()),
      createdAt: "17:05",
      modifier: "A",
      origin: { id: "1234567890", name: "SLIPWAY TESTS" },
      destination: { routingNumber: "021000089", name: "BANK OF TESTS" },
      batches: [
        { description: "CRYPTOSELL", effectiveOn: newYorkDay(nextMorning()), entryClass: "PPD" },
      ],
    });
    expect(await find(world, sale.id)).toMatchObject({ isSettled: false });

    const morning = nextMorning();
    await runBankAt(world, morning - 1);
    expect(await find(world, sale.id)).toMatchObject({ isSettled: false });
    await runBankAt(world, morning);
    spend(world, 123_45n);
    expect(await find(world, sale.id)).toMatchObject({ isSettled: true, trace: waiting.trace });
    expect(await entriesOf(world, [payoutId])).toMatchObject([{ state: "settled" }]);
    await expectSound(world);
  });

  test("has one entry, however often and by however many it is submitted", async () => {
    const sale = await paidSale(world);
    await runBankAt(world, openDayAt(17));
    const payoutId = await payoutOf(world, sale);
    const { ach } = world.ports.rails;
    const known = await ach.find(payoutId);
    expect(known).toMatchObject({ outcome: "accepted" });
    const to = {
      ...{ routingNumber: "021000021", accountNumber: "123456789", holderName: "Ada" },
      accountType: "checking",
    } as const;
    const common = { reference: payoutId, rail: "ach", memo: "AGAIN" } as const;
    const instruction = { ...common, cents: asCents(100_00n), to };
    await world.db.query(sql`delete from bank_entries where payout_id = ${payoutId}`);
    expect(await ach.find(payoutId)).toBeUndefined();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ach.submit(instruction)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveProperty("size", 1);
    expect(await ach.find(payoutId)).toEqual(answers[0]);
    expect(await entriesOf(world, [payoutId])).toHaveLength(1);
    await expect(ach.submit({ ...instruction, cents: asCents(1n) })).rejects.toThrow("one amount");
    await newDay();
    spend(world, 100_00n);
  });

  test("goes to a firm as another class than to a person", async () => {
    const person = await paidSale(world, 10_00n);
    await run(world);
    const kind = (word: string) => world.db.query(sql`update users set kind = ${word}`);
    const firm = await paidSale(world, 20_00n);
    await runBankAt(world, openDayAt(17) - 1);
    const ids = [await payoutOf(world, person), await payoutOf(world, firm)];
    await kind("business");
    await world.db.query(
      sql`update payouts set due_at = due_at + interval '1 minute' where id = ${ids[0]}`,
    );
    await runBankAt(world, openDayAt(17));
    await kind("person");
    await runBankAt(world, openDayAt(17, 5));
    const sent = sentTo(world, ids);
    expect(sent.map(({ payoutId, entryClass }) => [payoutId, entryClass]).sort()).toEqual(
      [
        [ids[0], "PPD"],
        [ids[1], "CCD"],
      ].sort(),
    );
    expect(new Set(sent.map(({ file }) => file))).toHaveProperty("size", 1);
    await newDay();
    spend(world, 30_00n);
    await expectSound(world);
  });

  test("of more than an entry has room for is refused, and so is an account that no file can hold", async () => {
    const { ach } = world.ports.rails;
    const to = {
      ...{ routingNumber: "021000021", accountNumber: "1", holderName: "Ada" },
      accountType: "savings",
    } as const;
    const instruction = { reference: "pay-1", rail: "ach", to, memo: "CRYPTOSELL" } as const;
    const refused = (why: string) => ({ outcome: "refused", why: expect.stringContaining(why) });
    expect(await ach.submit({ ...instruction, cents: asCents(100_000_000_00n) })).toEqual(
      refused("99,999,999.99"),
    );
    const cents = asCents(1n);
    for (const wrong of [
      { routingNumber: "021000022" },
      { accountNumber: "" },
      { accountNumber: "1".repeat(18) },
      { accountNumber: "12é4" },
    ]) {
      const answer = await ach.submit({ ...instruction, cents, to: { ...to, ...wrong } });
      expect(answer).toEqual(refused("such an account"));
    }
    expect(await ach.find("pay-1")).toBeUndefined();
  });
});

describe("a file", () => {
  test("is made once by two who make files, and delivered once by two who deliver", async () => {
    await newDay();
    const sales = [await paidSale(world, 1_00n), await paidSale(world, 2_00n)];
    await runBankAt(world, openDayAt(17));
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
    const settled = nextMorning();
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
      await newDay();
      const sale = await paidSale(world, 7_00n);
      const crashing = { ...world.bank, db: crashingDatabase(world.db, when) };
      const bank = { ...world.bank };
      const instruct = achRail(crashing);
      const rails = world.ports.rails;
      world.ports.rails = { ...rails, ach: instruct };
      await runBankAt(world, openDayAt(17));
      world.ports.rails = rails;
      // The payout's own sender asks what became of it, and tells it again if nothing did.
      await runBankAt(world, openDayAt(17, 1));
      const payoutId = await payoutOf(world, sale);
      expect(await entriesOf(world, [payoutId])).toHaveLength(1);
      world.clock.advance(openDayAt(17, 5) - world.clock.now());
      await fileMaker(crashing)
        .run()
        .catch(() => {});
      world.bank.exchange.faults = [when];
      await fileSender(bank).run();
      await fileSender({ ...bank, db: crashingDatabase(world.db, when) })
        .run()
        .catch(() => {});
      await runBankAt(world, openDayAt(17, 40));
      expect(sentTo(world, [payoutId])).toHaveLength(1);
      world.clock.advance(nextMorning() - world.clock.now());
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
    await newDay();
    const [right, wrong] = [await paidSale(world, 5_00n), await paidSale(world, 6_00n)];
    await runBankAt(world, openDayAt(17));
    const ids = [await payoutOf(world, right), await payoutOf(world, wrong)];
    const change = (cents: number) =>
      world.db.query(sql`
      update bank_entries set cents = cents + ${cents} where payout_id = ${ids[1]}`);
    await change(1);
    await runBankAt(world, openDayAt(17, 5));
    expect(sentTo(world, ids)).toEqual([]);
    expect(errorsIn(world.lines)).toMatchObject([
      {
        rail: "ach",
        reason: `the file is over 11.01, its payouts over 11.00: 0.01 too much; look at ${ids[1]}`,
      },
    ]);
    await change(-1);
    await runBankAt(world, openDayAt(17, 14));
    expect(sentTo(world, ids)).toEqual([]);
    await runBankAt(world, openDayAt(17, 15));
    expect(sentTo(world, ids)).toHaveLength(2);
    await newDay();
    spend(world, 11_00n);
    await expectSound(world);
  });

  test("is not made of a payout that is over, nor of more than is booked as being out", async () => {
    await newDay();
    const sale = await paidSale(world, 8_00n);
    await runBankAt(world, openDayAt(17));
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
    expect(await makeAt(openDayAt(17, 5))).toEqual([
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
    expect(await makeAt(openDayAt(17, 15))).toEqual([
      "the file is over 8.00, its payouts over 8.00, and only 7.99 are booked as being out",
    ]);
    await addToBalance(1);
    expect(await makeAt(openDayAt(17, 25))).toEqual([]);
    await runBank(world);
    await newDay();
    spend(world, 8_00n);
    expect(sentTo(world, [payoutId])).toHaveLength(1);
    await expectSound(world);
  });

  test("cannot be made when the day has no name left for it", async () => {
    await newDay();
    const sale = await paidSale(world, 9_00n);
    await runBankAt(world, openDayAt(17));
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
    await runBankAt(world, openDayAt(17, 5));
    expect(errorsIn(world.lines)).toMatchObject([{ reason: "a day has 36 files at most" }]);
    await newDay();
    expect(sentTo(world, [await payoutOf(world, sale)])).toHaveLength(1);
    await newDay();
    spend(world, 9_00n);
    await expectSound(world);
  });

  test("that could not be delivered is tried again, says why, and settles later", async () => {
    await newDay();
    const sale = await paidSale(world, 4_00n);
    await runBankAt(world, openDayAt(17));
    world.bank.exchange.faults = Array.from({ length: 12 }, () => "before");
    world.clock.advance(openDayAt(17, 5) - world.clock.now());
    const problems = () =>
      world.db.query(sql`
      select state, problem, attempts from bank_files where state <> 'withdrawn'
      order by created_at desc limit 1`);
    await runBank(world);
    expect(await problems()).toEqual([
      { state: "ready", problem: "the bank is closed", attempts: 1 },
    ]);
    expect(errorsIn(world.lines)).toEqual([]);
    const [first, second] = [nextMorning(), nextMorning() + 86_400_000];
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
    await newDay();
    await newDay();
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
  await runBankAt(world, openDayAt(17));
  const booked = (await balancesOf(world))["out:ach:USD"] ?? 0n;
  await runBankAt(world, openDayAt(17, 5));
  const files = [...world.bank.exchange.files].filter(([name]) => !before.has(name));
  const filed = sumOf(files.flatMap(([, content]) => entriesIn(readAchFile(content))));
  await newDay();
  spend(world, sumOf(amounts.map((cents) => ({ cents }))));
  const payouts = await Promise.all(sales.map((sale) => payoutOf(world, sale)));
  return { booked, filed, paid: payouts.map((id, index) => [id, amounts[index]] as const) };
}

const sumOf = (entries: readonly { cents: bigint }[]) =>
  entries.reduce((sum, { cents }) => sum + cents, 0n);

test("every payout is in one file, and the files together are what the books say went out", async () => {
  await newDay();
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
