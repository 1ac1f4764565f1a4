import { expect, test } from "vitest";
import {
  entryOf,
  fileRow,
  leave,
  nextMessageId,
  noticesOf,
  type Sold,
  sellMany,
  sellOne,
  useBankWorld,
} from "../../../../test/bank-world.ts";
import { writePain002 } from "../../../../test/pain002.ts";
import { expectSound, find } from "../../../../test/ramp-world.ts";
import { sql } from "../../../database/sql.ts";
import { writePacs002 } from "../iso20022/pacs002.ts";
import type { WireStatus, WireStatusReport } from "../iso20022/wire-file.ts";
import { findBankFile } from "../store/bank-files.ts";

const world = useBankWorld();
const imad = "20260415MMQFMP3G000123";

function statusOf(
  { entry }: Sold,
  outcome: WireStatus["outcome"],
  changes: Partial<WireStatus> = {},
): WireStatus {
  const code = { settled: "ACSC", pending: "ACSP", rejected: "RJCT" }[outcome];
  const nothing = { reason: null, networkReference: null };
  return { endToEndId: entry.payoutId, outcome, code, ...nothing, ...changes };
}

/** Lets the bank report on the file of a wire. */
function report(
  { entry }: Sold,
  changes: Partial<WireStatusReport>,
  write: (report: WireStatusReport) => Buffer = writePacs002,
): Promise<string> {
  const createdAt = new Date(world.clock.now()).toISOString();
  const about = { messageId: nextMessageId(), originalMessageId: entry.fileId ?? "", createdAt };
  return leave(world, write({ ...about, statuses: [], ...changes }));
}

async function networkReferenceOf({ entry }: Sold): Promise<string | null> {
  const [row] = await world.db.query<{ reference: string | null }>(sql`
    select network_reference as reference from bank_entries where payout_id = ${entry.payoutId}`);
  return row?.reference ?? null;
}

const stateOf = async ({ entry }: Sold) =>
  (await findBankFile(world.db, entry.fileId ?? ""))?.state;

test("a wire that is on its way has a name in the network, and is delivered when it has gone out", async () => {
  const sold = await sellOne(world, "WIRE");
  await report(sold, { statuses: [statusOf(sold, "pending", { networkReference: imad })] });
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  expect([await networkReferenceOf(sold), await stateOf(sold)]).toEqual([imad, "accepted"]);
  const settled = statusOf(sold, "settled", { networkReference: imad });
  for (let times = 0; times < 2; times++) await report(sold, { statuses: [settled] });
  expect(await find(world, sold.id)).toMatchObject({ state: "COMPLETED", trace: imad });
  const told = (await noticesOf(world)).filter(({ kind }) => kind === "payout_settled");
  expect(told).toHaveLength(1);
  await expectSound(world);
});

test("a wire that is rejected says why, and is not paid by that file any more", async () => {
  const sold = await sellOne(world, "WIRE");
  await report(sold, { statuses: [statusOf(sold, "rejected", { reason: "AC04 closed" })] });
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_FAILED" });
  expect((await noticesOf(world)).at(-1)).toMatchObject({ why: "AC04 closed" });
  const late = await report(sold, { statuses: [statusOf(sold, "settled")] });
  expect((await fileRow(world, late))?.problem).toContain(
    `${sold.entry.payoutId} is said to be settled, but here it is failed`,
  );
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_FAILED" });
  await expectSound(world);
});

test("a file that is rejected fails all its wires but those of which more is said", async () => {
  const [one, other] = await sellMany(world, 2, "WIRE");
  if (!one || !other) throw new Error("two were sold");
  expect(one.entry.fileId).toBe(other.entry.fileId);
  const group = { outcome: "rejected", code: "RJCT", reason: "FF01 bad format" } as const;
  await report(one, { group, statuses: [statusOf(other, "settled")] });
  expect(await find(world, one.id)).toMatchObject({ state: "PAYOUT_FAILED" });
  expect(await entryOf(world, one.id)).toMatchObject({ state: "failed" });
  expect(await stateOf(one)).toBe("rejected");
  expect(await find(world, other.id)).toMatchObject({ state: "COMPLETED" });
});

test("a file of which all wires have gone out delivers them", async () => {
  const sold = await sellOne(world, "WIRE");
  await report(sold, { group: { outcome: "settled", code: "ACSC", reason: null } });
  expect(await find(world, sold.id)).toMatchObject({ state: "COMPLETED" });
});

test("a bank that answers with pain.002 says the same: accepted, gone out, rejected", async () => {
  const [one, other, third] = await sellMany(world, 3, "WIRE");
  if (!one || !other || !third) throw new Error("three were sold");
  const accepted = { outcome: "pending", code: "ACCP", reason: null } as const;
  const first = await report(one, { group: accepted }, writePain002);
  expect(await fileRow(world, first)).toEqual({
    ...{ format: "pain.002", state: "taken", problem: null },
  });
  expect(await stateOf(one)).toBe("accepted");
  expect(await find(world, one.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  const statuses = [
    statusOf(one, "settled", { networkReference: imad }),
    statusOf(other, "rejected", { reason: "AC04 closed" }),
  ];
  await report(one, { statuses }, writePain002);
  expect(await find(world, one.id)).toMatchObject({ state: "COMPLETED", trace: imad });
  expect(await find(world, other.id)).toMatchObject({ state: "PAYOUT_FAILED" });
  expect(await find(world, third.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  await expectSound(world);
});

test("a batch that is rejected in a pain.002 is the file, since there is no other in it", async () => {
  const sold = await sellOne(world, "WIRE");
  const group = { outcome: "rejected", code: "RJCT", reason: "FF01 bad format" } as const;
  await report(sold, { group }, (about) => writePain002(about, "batch"));
  expect(await find(world, sold.id)).toMatchObject({ state: "PAYOUT_FAILED" });
  expect(await stateOf(sold)).toBe("rejected");
  await expectSound(world);
});

test("what nobody knows is noted", async () => {
  const sold = await sellOne(world, "WIRE");
  const status = { ...statusOf(sold, "pending"), endToEndId: "pay-404" };
  const name = await report(sold, { originalMessageId: "fil-404", statuses: [status] });
  expect(await fileRow(world, name)).toMatchObject({
    state: "taken",
    problem: "pay-404 is no payment of ours; fil-404 is answered, but is no file of wires of ours",
  });
});
