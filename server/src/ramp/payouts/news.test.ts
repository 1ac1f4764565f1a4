import { expect, test } from "vitest";
import {
  newDay,
  nextMorning,
  openDayAt,
  paidSale,
  payoutOf,
  runBank,
  runBankAt,
  spend,
  useBankOutWorld,
} from "../../../test/bank-out-world.ts";
import { expectSound, find } from "../../../test/ramp-world.ts";
import { addOpenDays, bankCalendar, newYorkDay, newYorkTime } from "../../lib/calendar.ts";
import { approveBankFile } from "../rails/bank/held-files.ts";
import { findEntry } from "../rails/store/bank-entries.ts";

const world = useBankOutWorld();
const calendar = bankCalendar();

test.each([0, 1, 4])(
  "an ACH payment whose file leaves %i open days late can come back for two days from when it really settled",
  async (daysLate) => {
    world.bank.bank.approvals = 1;
    await newDay(world);
    const sale = await paidSale(world, 5_00n);
    await runBankAt(world, openDayAt(world, 17));
    await runBankAt(world, openDayAt(world, 17, 5));
    const entry = await findEntry(world.db, await payoutOf(world, sale));
    const planned = (await find(world, sale.id)).settlement;
    for (let count = 0; count < daysLate; count++) await newDay(world);
    await world.db.transact((tx) => approveBankFile(tx, world.bank, entry?.fileId ?? "", "first"));
    await runBank(world);
    await runBankAt(world, nextMorning(world));
    const settleOn = newYorkDay(world.clock.now());
    const windowEndsOn = addOpenDays(calendar, settleOn, 2);
    expect(settleOn).toBe(addOpenDays(calendar, planned?.settleOn ?? "", daysLate));
    const closesAt = newYorkTime(windowEndsOn, 24);
    expect(await find(world, sale.id)).toMatchObject({
      ...{ state: "PAYOUT_SUBMITTED", isSettled: true },
      settlement: { sendOn: planned?.sendOn, settleOn, windowEndsOn, windowClosesAt: closesAt },
    });
    await runBankAt(world, closesAt - 1);
    expect(await find(world, sale.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
    await runBankAt(world, closesAt);
    expect(await find(world, sale.id)).toMatchObject({ state: "COMPLETED", completedAt: closesAt });
    spend(world, 5_00n);
    await expectSound(world);
  },
);
