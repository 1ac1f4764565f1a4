import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  entryOf,
  fileRow,
  leave,
  lineOf,
  nextMessageId,
  noticesOf,
  notification,
  sellOne,
  useBankWorld,
} from "../../../../test/bank-world.ts";
import { createPurchase, expectSound, find } from "../../../../test/ramp-world.ts";
import { asCents } from "../../../lib/money.ts";
import { systemRandom } from "../../../lib/random.ts";
import { newReference, readReferences } from "../../references.ts";
import { readCamt054, writeCamt054 } from "../iso20022/camt054.ts";
import { findWireSender } from "../store/wire-senders.ts";

const world = useBankWorld();

describe("a line that brings money", () => {
  test("is a wire, however the bank mangles its reference", async () => {
    const manglings: ((reference: string) => string[])[] = [
      (reference) => [`/RFB/RMP ${reference.slice(0, 4)} ${reference.slice(4)} THANKS`],
      (reference) => [reference.toLowerCase().replace(/(...)/g, "$1-")],
      (reference) => [reference.replaceAll("0", "O").replaceAll("1", "l")],
      (reference) => ["invoice", reference.slice(0, 6), reference.slice(6)],
    ];
    for (const mangle of manglings) {
      const { id, reference } = await createPurchase(world);
      await leave(world, notification(world, lineOf(world, { texts: mangle(reference) })));
      expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED", cents: 100_00n });
    }
    await expectSound(world);
  });

  test("carries any reference through the bank's file", () => {
    const mangled = fc.record({
      gaps: fc.array(fc.constantFrom("", " ", "-", ".", "/"), { minLength: 11, maxLength: 11 }),
      isLower: fc.boolean(),
      looksAlike: fc.boolean(),
      before: fc.constantFrom("", "RMP ", "PAYMENT: "),
    });
    fc.assert(
      fc.property(mangled, ({ gaps, isLower, looksAlike, before }) => {
        const reference = newReference(systemRandom);
        const spaced = [...reference].map((one, index) => `${one}${gaps[index]}`).join("");
        const similar = looksAlike ? spaced.replaceAll("0", "O").replaceAll("1", "I") : spaced;
        const text = before + (isLower ? similar.toLowerCase() : similar);
        const file = notification(world, lineOf(world, { texts: [text.trim()] }));
        expect(readReferences(readCamt054(file).lines[0]?.texts ?? [])).toContain(reference);
      }),
      { numRuns: 50 },
    );
  });

  test("says who sent it, so that it can go back, or that nobody is named", async () => {
    const [named, nameless] = [lineOf(world), lineOf(world, { counterparty: null })];
    await leave(world, notification(world, named, nameless));
    const senderOf = (reference: string) => findWireSender(world.db, world.bank, reference);
    expect(await senderOf(named.reference)).toEqual(named.counterparty);
    expect(await senderOf(nameless.reference)).toMatchObject({ name: "", accountNumber: "" });
    expect(await senderOf("another")).toBeUndefined();
    const wires = (await noticesOf(world)).filter(({ kind }) => kind === "wire_received");
    expect(wires.slice(-2)).toMatchObject([
      { bankReference: named.reference, senderName: "ADA LOVELACE", senderAccount: "5550001" },
      { bankReference: nameless.reference, senderName: "UNKNOWN", senderAccount: "" },
    ]);
  });

  test("may say later who sent it, but not that it was somebody else", async () => {
    const first = lineOf(world, { counterparty: null });
    const counterparty = lineOf(world).counterparty;
    await leave(world, notification(world, first));
    await leave(world, notification(world, { ...first, counterparty }));
    expect(await findWireSender(world.db, world.bank, first.reference)).toEqual(counterparty);
    const other = { name: "MALLORY", routingNumber: "021000021", accountNumber: "666" };
    await leave(world, notification(world, { ...first, counterparty: other }));
    expect(await findWireSender(world.db, world.bank, first.reference)).toEqual(counterparty);
  });

  test("with the reference of another wire and another amount is for a person", async () => {
    const first = lineOf(world);
    await leave(world, notification(world, first));
    const other = { ...first, cents: asCents(200_00n) };
    const name = await leave(world, notification(world, other));
    expect((await fileRow(world, name))?.problem).toContain("is of 200.00 dollars, but was 100.00");
    await expectSound(world);
  });

  test("cannot pass as a return of ours by naming a payout", async () => {
    const { id, entry } = await sellOne(world, "WIRE");
    const line = lineOf(world, { endToEndId: entry.payoutId });
    await leave(world, notification(world, line));
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
    expect((await noticesOf(world)).at(-1)).toMatchObject({ kind: "wire_received" });
  });
});

describe("a line about a wire of ours", () => {
  const debit = { direction: "debit", counterparty: null } as const;

  test("says that it went out, and later that it came back", async () => {
    const { id, entry } = await sellOne(world, "WIRE");
    const about = { endToEndId: entry.payoutId };
    await leave(world, notification(world, lineOf(world, { ...debit, ...about })));
    expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
    await leave(world, notification(world, lineOf(world, { ...about, returnReason: "AC04" })));
    expect(await find(world, id)).toMatchObject({ state: "RETURNED_AFTER_COMPLETION" });
    expect(await entryOf(world, id)).toMatchObject({ state: "returned" });
    await expectSound(world);
  });

  test("that takes it back before it was confirmed is a return without a reason", async () => {
    const { id, entry } = await sellOne(world, "WIRE");
    const back = lineOf(world, { endToEndId: entry.payoutId, isReversal: true });
    await leave(world, notification(world, back));
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_RETURNED" });
    expect((await noticesOf(world)).at(-1)).toMatchObject({ code: "REVERSED" });
    await expectSound(world);
  });

  test("of another amount changes nothing and is for a person", async () => {
    const { id, entry } = await sellOne(world, "WIRE");
    const less = { endToEndId: entry.payoutId, cents: asCents(85_00n) };
    const lines = [
      lineOf(world, { ...debit, ...less }),
      lineOf(world, { ...less, isReversal: true }),
    ];
    const name = await leave(world, notification(world, ...lines));
    expect((await fileRow(world, name))?.problem).toContain(`85.00 dollars, but ${entry.payoutId}`);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  });
});

describe("other lines", () => {
  test("fees and sums of files are no news, money taken back or brought back by nobody is for a person", async () => {
    const before = (await noticesOf(world)).length;
    const debit = { direction: "debit", counterparty: null } as const;
    const { entry } = await sellOne(world, "ACH");
    const quiet = notification(
      world,
      lineOf(world, { ...debit, texts: ["FEE"] }),
      lineOf(world, { ...debit, endToEndId: [...world.exchange.sent.keys()].at(-1) ?? "" }),
      lineOf(world, { endToEndId: entry.payoutId, returnReason: "R03" }),
      lineOf(world, { endToEndId: entry.trace, texts: ["RETURNED ITEM"] }),
    );
    expect(await fileRow(world, await leave(world, quiet))).toMatchObject({ problem: null });
    const [took, brought] = [
      lineOf(world, { ...debit, isReversal: true }),
      lineOf(world, { returnReason: "AC01" }),
    ];
    const loud = await leave(world, notification(world, took, brought));
    const problem = (await fileRow(world, loud))?.problem;
    expect(problem).toContain(`line ${took.reference} takes 100.00 dollars back from us`);
    expect(problem).toContain(`line ${brought.reference} brings 100.00 dollars back`);
    expect((await noticesOf(world)).length).toBe(before);
  });

  test("of another account are refused", async () => {
    const createdAt = new Date(world.clock.now()).toISOString();
    const file = { messageId: nextMessageId(), createdAt, lines: [lineOf(world)] };
    const name = await leave(world, writeCamt054({ ...file, accountNumber: "999999" }));
    expect(await fileRow(world, name)).toMatchObject({ state: "refused" });
    const own = await leave(world, writeCamt054({ ...file, accountNumber: "4400112233" }));
    expect(await fileRow(world, own)).toMatchObject({ state: "taken" });
  });
});
