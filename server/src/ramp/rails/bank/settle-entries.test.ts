import { expect, test } from "vitest";
import {
  entryOf,
  leave,
  noticesOf,
  type Sold,
  sellOne,
  settleAch,
  useBankWorld,
  work,
} from "../../../../test/bank-world.ts";
import { expectSound, find } from "../../../../test/ramp-world.ts";
import { assert } from "../../../lib/errors.ts";
import { findBankFile } from "../store/bank-files.ts";

const world = useBankWorld();

/** The bank's word that it does not pay what is in the file of a payment. */
async function rejectionOf({ entry }: Sold): Promise<[name: string, bytes: Buffer]> {
  const file = await findBankFile(world.db, entry.fileId ?? "");
  assert(file, "the payment is in a file");
  const lines = [`file: ${file.name}`, "status: rejected", "reason: the company is unknown"];
  return [`${file.name}.ack`, Buffer.from(lines.join("\n"))];
}

test("a payment is settled on its morning when the bank has nothing to say against it", async () => {
  const sold = await sellOne(world);
  await settleAch(world);
  expect(await entryOf(world, sold.id)).toMatchObject({ state: "settled" });
  await expectSound(world);
});

test("what the bank may have said against it is read first, however long that takes", async () => {
  const sold = await sellOne(world);
  world.exchange.waiting.set(...(await rejectionOf(sold)));
  world.exchange.fault = "the line is dead";
  await settleAch(world);
  expect(await entryOf(world, sold.id)).toMatchObject({ state: "filed" });
  expect(world.lines.join()).toContain("are not called settled before all files of the bank");
  world.exchange.fault = undefined;
  world.clock.advance(60_000);
  await work(world);
  expect((await noticesOf(world)).at(-1)).toMatchObject({
    ...{ kind: "payout_failed", reference: sold.entry.payoutId, why: "the company is unknown" },
  });
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_FAILED" });
  await expectSound(world);
});

test("a payment that the bank refuses after its morning is money that came back", async () => {
  const sold = await sellOne(world);
  await settleAch(world);
  const [name, bytes] = await rejectionOf(sold);
  await leave(world, bytes, name);
  expect(await entryOf(world, sold.id)).toMatchObject({ state: "returned" });
  expect(await find(world, sold.id)).toMatchObject({
    ...{ state: "PAYOUT_RETURNED", heldCents: sold.entry.cents },
  });
  const told = (await noticesOf(world)).length;
  await leave(world, bytes, name);
  expect(await noticesOf(world)).toHaveLength(told);
  await expectSound(world);
});
