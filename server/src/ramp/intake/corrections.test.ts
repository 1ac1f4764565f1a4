import { beforeEach, describe, expect, test } from "vitest";
import { leave, returnFile, returnOf, sellOne, useBankWorld } from "../../../test/bank-world.ts";
import { expectSound, find, run } from "../../../test/ramp-world.ts";
import { sql } from "../../database/sql.ts";
import { newId } from "../../lib/ids.ts";
import { systemRandom } from "../../lib/random.ts";
import { type Corrected, writeCorrectedData } from "../rails/nacha/corrected-data.ts";
import type { BankEntry } from "../rails/store/bank-entries.ts";
import { correctBankAccount, insertBankAccount, lockBankAccount } from "../store/bank-accounts.ts";
import { takeCorrection } from "./corrections.ts";

const world = useBankWorld();
const id = "bac-77";
const original = { routingNumber: "021000021", accountNumber: "123456789" };

/** Everybody begins with the account as it was registered. */
beforeEach(async () => {
  const account = await accountNow();
  const corrected = { ...original, accountType: "checking" } as const;
  const at = new Date(world.clock.now());
  await world.db.transact((tx) =>
    correctBankAccount(tx, world.context, account, { ...account, ...corrected }, at),
  );
});

async function accountNow() {
  const account = await world.db.transact((tx) => lockBankAccount(tx, world.context, id));
  if (!account) throw new Error("the account is registered");
  return account;
}

/** Lets the receiver's bank correct a payment. */
function correct({ trace }: BankEntry, code: string, corrected: Corrected): Promise<string> {
  const correctedData = writeCorrectedData(code, corrected);
  return leave(world, returnFile(world, [], [{ code, originalTrace: trace, correctedData }]));
}

const auditsOf = () =>
  world.db.query<{ target: string; detail: string }>(sql`
    select target, detail from audit_log where action = 'bank_account.corrected'
    order by sequence`);

const eventsOf = async () => {
  const [row] = await world.db.query<{ count: number }>(sql`
    select count(*)::int as count from ramp_events where type = 'ramp.bank_account.corrected'`);
  return row?.count ?? 0;
};

describe("a correction", () => {
  const cases: [code: string, corrected: Corrected][] = [
    ["C01", { accountNumber: "987654321" }],
    ["C02", { routingNumber: "011401533" }],
    ["C03", { routingNumber: "011401533", accountNumber: "55554444" }],
    ["C05", { accountType: "savings" }],
    ["C06", { accountNumber: "7777000", accountType: "savings" }],
    ["C07", { routingNumber: "011401533", accountNumber: "31415926", accountType: "savings" }],
  ];

  test.each(cases)("%s is applied once, told and written down", async (code, corrected) => {
    const { id: saleId, entry } = await sellOne(world);
    const [audits, events] = [(await auditsOf()).length, await eventsOf()];
    const before = await accountNow();
    await correct(entry, code, corrected);
    const after = await accountNow();
    const { holder, userId, routingNumber, accountNumber, accountType } = before;
    const same = { holder, userId, routingNumber, accountNumber, accountType };
    expect(after).toMatchObject({ ...same, ...corrected });
    expect(after.accountNumberLast4).toBe(after.accountNumber.slice(-4));
    const isOtherBank = corrected.routingNumber !== undefined;
    expect(after.bankUpdatedAt).toEqual(isOtherBank ? after.updatedAt : before.bankUpdatedAt);
    await correct(entry, code, corrected);
    expect(await accountNow()).toEqual(after);
    const written = (await auditsOf()).slice(audits);
    expect(written).toMatchObject([{ target: id }]);
    expect(JSON.parse(written[0]?.detail ?? "")).toMatchObject({
      ...{ payoutId: entry.payoutId, code, before: { accountNumber: "****6789" } },
    });
    expect(written[0]?.detail).not.toContain(original.accountNumber);
    expect(await eventsOf()).toBe(events + 1);
    // The payment itself was made.
    expect(await find(world, saleId)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  });

  test("reaches the next payout", async () => {
    const first = await sellOne(world);
    await correct(first.entry, "C01", { accountNumber: "24682468" });
    const second = await sellOne(world);
    const file = [...world.exchange.sent.values()].at(-1)?.toString("latin1") ?? "";
    expect(file).toContain("24682468");
    await leave(world, returnFile(world, [returnOf(second.entry, "R06")]));
    await expectSound(world);
  });

  test("of an account that has changed meanwhile changes nothing", async () => {
    const { entry } = await sellOne(world);
    await correct(entry, "C01", { accountNumber: "11112222" });
    await correct(entry, "C01", { accountNumber: "33334444" });
    expect(await accountNow()).toMatchObject({ accountNumber: "11112222" });
    expect(world.lines.join()).toContain("not registered as it was paid any more");
  });

  test("that leads to another account of the customer is only said", async () => {
    const { entry } = await sellOne(world);
    const { userId, bankAddress, bankName, holder } = await accountNow();
    const other = { routingNumber: "021000021", accountNumber: "99990000", holder };
    const now = new Date(world.clock.now());
    const rest = { userId, bankAddress, bankName, accountType: "checking", now } as const;
    await world.db.transact((tx) =>
      insertBankAccount(tx, world.context, { id: newId("bac", systemRandom), ...other, ...rest }),
    );
    await correct(entry, "C01", { accountNumber: "99990000" });
    expect(await accountNow()).toMatchObject(original);
    expect(world.lines.join()).toContain("has registered the right one as well");
  });

  test("of what is not kept, or to what cannot be, is only said", async () => {
    const { entry } = await sellOne(world);
    const before = await accountNow();
    for (const code of ["C04", "C13", "C99"]) {
      const name = await correct(entry, code, {});
      const [row] = await world.db.query<{ problem: string }>(sql`
        select problem from bank_files where name = ${name}`);
      expect(row?.problem).toContain(`${code} corrects something that is not kept here`);
    }
    const at = world.clock.now();
    const notice = { kind: "account_corrected", reference: entry.payoutId, at } as const;
    const impossible: Corrected[] = [{}, { accountNumber: "1" }, { routingNumber: "123456789" }];
    for (const corrected of impossible) {
      await world.db.transact((tx) =>
        takeCorrection(tx, world.context, { ...notice, code: "C01", corrected }),
      );
    }
    const foreign = { ...notice, reference: "pay-404", corrected: original } as const;
    await world.db.transact((tx) => takeCorrection(tx, world.context, { ...foreign, code: "C03" }));
    expect(await accountNow()).toEqual(before);
    await run(world);
  });
});
