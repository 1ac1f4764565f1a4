import { describe, expect, test } from "vitest";
import {
  entriesOf,
  newDay,
  nextMorning,
  openDayAt,
  paidSale,
  payoutOf,
  runBankAt,
  sentTo,
  spend,
  useBankOutWorld,
} from "../../../../test/bank-out-world.ts";
import { expectSound, find, run } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { newYorkDay } from "../../../lib/calendar.ts";
import { assert } from "../../../lib/errors.ts";
import { asCents } from "../../../lib/money.ts";
import { readAchFile } from "../nacha/read-file.ts";

const world = useBankOutWorld();

describe("an ACH payout", () => {
  test("is handed over at the cut-off, filed soon after, and settled on the next morning", async () => {
    await newDay(world);
    const sale = await paidSale(world, 123_45n);
    await runBankAt(world, openDayAt(world, 17));
    const payoutId = await payoutOf(world, sale);
    const [waiting] = await entriesOf(world, [payoutId]);
    assert(waiting, "the payout has an entry");
    expect(waiting).toMatchObject({ state: "waiting", fileId: null });
    expect(waiting.trace).toMatch(/^02100008\d{7}$/);
    expect(await find(world, sale.id)).toMatchObject({ trace: waiting.trace, isSettled: false });
    expect(sentTo(world, [payoutId])).toEqual([]);

    await runBankAt(world, openDayAt(world, 17, 5));
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
        {
          description: "CRYPTOSELL",
          effectiveOn: newYorkDay(nextMorning(world)),
          entryClass: "PPD",
        },
      ],
    });
    expect(await find(world, sale.id)).toMatchObject({ isSettled: false });

    const morning = nextMorning(world);
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
    await runBankAt(world, openDayAt(world, 17));
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
    await newDay(world);
    spend(world, 100_00n);
  });

  test("goes to a firm as another class than to a person", async () => {
    const person = await paidSale(world, 10_00n);
    await run(world);
    const kind = (word: string) => world.db.query(sql`update users set kind = ${word}`);
    const firm = await paidSale(world, 20_00n);
    await runBankAt(world, openDayAt(world, 17) - 1);
    const ids = [await payoutOf(world, person), await payoutOf(world, firm)];
    await kind("business");
    await world.db.query(
      sql`update payouts set due_at = due_at + interval '1 minute' where id = ${ids[0]}`,
    );
    await runBankAt(world, openDayAt(world, 17));
    await kind("person");
    await runBankAt(world, openDayAt(world, 17, 5));
    const sent = sentTo(world, ids);
    expect(sent.map(({ payoutId, entryClass }) => [payoutId, entryClass]).sort()).toEqual(
      [
        [ids[0], "PPD"],
        [ids[1], "CCD"],
      ].sort(),
    );
    expect(new Set(sent.map(({ file }) => file))).toHaveProperty("size", 1);
    await newDay(world);
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
