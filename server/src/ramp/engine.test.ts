import { beforeEach, describe, expect, test } from "vitest";
import {
  balancesOf,
  createPurchase,
  createSale,
  day,
  expectSound,
  find,
  hour,
  minute,
  pass,
  payoutsOf,
  run,
  settleNewest,
  step,
  transferTo,
  useWorld,
  wireOf,
} from "../../test/ramp-world.ts";
import { sql } from "../database/sql.ts";
import { asCents, asUnits } from "../lib/money.ts";

const world = useWorld();

beforeEach(() => {
  world.ports.sanctioned = new Set();
  world.ports.refusal = undefined;
});

describe("a purchase", () => {
  test("is paid for by wire, bought, sent and confirmed", async () => {
    const { id, reference } = await createPurchase(world);
    world.ports.tell(wireOf(world, [`invoice ${reference}`]));
    await run(world);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED", flaggedAt: null });
    await expectSound(world);
    await settleNewest(world, id);
    const ramp = await find(world, id);
    expect(ramp).toMatchObject({ state: "COMPLETED", completedAt: world.clock.now() });
    expect([...world.ports.payments.values()].at(-1)).toMatchObject({
      rail: "chain",
      units: 100_000_000n,
      to: ramp.walletAddress,
    });
    await expectSound(world);
  });

  test("tells its customer every step, as GET would show it then", async () => {
    const { id, reference } = await createPurchase(world);
    world.ports.tell(wireOf(world, [reference]));
    await run(world);
    await settleNewest(world, id);
    const events = await world.db.query<{ type: string; payload: string }>(sql`
      select type, payload from ramp_events where transaction_id = ${id} order by sequence`);
    expect(events.map(({ type }) => type.slice("ramp.transaction.".length))).toEqual([
      "created",
      "funds_received",
      "priced",
      "payout_submitted",
      "completed",
    ]);
    const last = JSON.parse(events.at(-1)?.payload ?? "{}");
    expect(last.data.object).toMatchObject({ id, completedAt: expect.any(String) });
  });

  test("of somebody on a list is frozen, and of nobody who can be asked waits", async () => {
    const one = await createPurchase(world);
    world.ports.sanctioned = undefined;
    world.ports.tell(wireOf(world, [one.reference]));
    await run(world);
    expect(await find(world, one.id)).toMatchObject({ reason: "screening_unavailable" });
    world.ports.sanctioned = new Set([one.walletAddress]);
    await pass(world, minute);
    expect(await find(world, one.id)).toMatchObject({ state: "IN_REVIEW", reason: "sanctioned" });
    await pass(world, 30 * day);
    expect(await payoutsOf(world, one.id)).toEqual([]);
    world.ports.sanctioned = new Set();
    const by = { by: "operator:1", note: "another person of that name" } as const;
    await step(world, one.id, { kind: "released", ...by });
    await run(world);
    await settleNewest(world, one.id);
    expect(await find(world, one.id)).toMatchObject({ state: "COMPLETED", flaggedAt: null });
    await expectSound(world);
  });

  test("waits for a price, for the peg, and for tokens that we do not have", async () => {
    const { id, reference } = await createPurchase(world, { mostUnits: null });
    const { ports } = world;
    ports.priceUsd.delete("USDC");
    ports.tell(wireOf(world, [reference], { cents: asCents(5_000_000_00n) }));
    await run(world);
    expect(await find(world, id)).toMatchObject({ reason: "price_unavailable" });
    ports.priceUsd.set("USDC", 0.97);
    await pass(world, minute);
    expect(await find(world, id)).toMatchObject({ reason: "peg_guard" });
    ports.priceUsd.set("USDC", 1);
    await pass(world, minute);
    expect(await find(world, id)).toMatchObject({ state: "PRICED", reason: "liquidity" });
    await expectSound(world);
    const refund = { priceE18: null, gasUnits: asUnits(0n), by: "operator:1", note: null } as const;
    await step(world, id, { kind: "refund_ordered", ...refund });
    await pass(world, minute);
    await settleNewest(world, id);
    expect(await find(world, id)).toMatchObject({ state: "REFUNDED" });
    expect([...ports.payments.values()].at(-1)).toMatchObject({
      returns: { bankReference: expect.any(String) },
      cents: 5_000_000_00n,
    });
    await expectSound(world);
  });

  test("expires by itself", async () => {
    const { id } = await createPurchase(world);
    await pass(world, 7 * day);
    expect(await find(world, id)).toMatchObject({ state: "EXPIRED" });
  });

  test("refuses what cannot happen, and takes what happened before for granted", async () => {
    const { id } = await createPurchase(world);
    await step(world, id, { kind: "canceled" });
    const { version } = await step(world, id, { kind: "canceled" });
    expect(version).toBe(2);
    const expiring = step(world, id, { kind: "window_closed" });
    await expect(expiring).rejects.toMatchObject({ fault: "conflict" });
    const unknown = step(world, "txn-404", { kind: "canceled" });
    await expect(unknown).rejects.toMatchObject({ fault: "not_found" });
  });
});

describe("a sale", () => {
  test("by ACH is delivered when nobody sent it back in time", async () => {
    const sale = await createSale(world);
    const transfer = transferTo(world, sale);
    world.ports.tell(transfer);
    await run(world);
    expect(await find(world, sale.id)).toMatchObject({ state: "DEPOSIT_SEEN" });
    world.ports.tell({ ...transfer, kind: "deposit_final" });
    await run(world);
    expect(await find(world, sale.id)).toMatchObject({ state: "PAYOUT_QUEUED" });
    await pass(world, 6 * hour);
    expect(await find(world, sale.id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
    await pass(world, day);
    await settleNewest(world, sale.id);
    expect(await find(world, sale.id)).toMatchObject({
      state: "PAYOUT_SUBMITTED",
      isSettled: true,
    });
    await expectSound(world);
    await pass(world, 7 * day);
    expect(await find(world, sale.id)).toMatchObject({ state: "COMPLETED", flaggedAt: null });
    await expectSound(world);
  });

  test("that the bank sends back stops the account, and goes back in crypto if nobody names another", async () => {
    const sale = await createSale(world);
    world.ports.tell({ ...transferTo(world, sale), kind: "deposit_final" });
    await run(world);
    await pass(world, 2 * day);
    await settleNewest(world, sale.id);
    const [payout] = await payoutsOf(world, sale.id);
    const reference = payout?.id ?? "pay-0";
    const returned = { kind: "payout_returned", reference, code: "R03" } as const;
    world.ports.tell({ ...returned, at: world.clock.now() });
    world.ports.repeat({ ...returned, at: world.clock.now() });
    await run(world);
    expect(await find(world, sale.id)).toMatchObject({ state: "PAYOUT_RETURNED" });
    const [account] = await world.db.query<{ code: string }>(sql`
      select stopped_code as code from bank_accounts where id = ${sale.bankAccountId}`);
    expect(account?.code).toBe("R03");
    await expectSound(world);
    await pass(world, 20 * day);
    expect(await find(world, sale.id)).toMatchObject({ state: "REFUND_SUBMITTED" });
    await settleNewest(world, sale.id);
    expect(await find(world, sale.id)).toMatchObject({ state: "REFUNDED" });
    await expectSound(world);
  });
});

test("a transaction that was put off by somebody who did not know how far it is falls due at its time", async () => {
  const { id, reference } = await createPurchase(world);
  world.ports.tell(wireOf(world, [reference], { senderName: "SOMEBODY ELSE" }));
  await run(world);
  const { deadlineAt } = await find(world, id);
  world.lines.length = 0;
  const dueAt = new Date(world.clock.now());
  await world.db.query(sql`update ramp_transactions set due_at = ${dueAt} where id = ${id}`);
  await run(world);
  const [row] = await world.db.query<{ dueAt: Date }>(sql`
    select due_at as "dueAt" from ramp_transactions where id = ${id}`);
  expect(row?.dueAt.getTime()).toBe(deadlineAt);
  expect(world.lines.join()).not.toContain("cannot go on by itself");
  await pass(world, 20 * day);
  await settleNewest(world, id);
  expect(await find(world, id)).toMatchObject({ state: "REFUNDED" });
});

test("in the end nothing is left but what is ours", async () => {
  const left = await balancesOf(world);
  expect(Object.keys(left).filter((name) => /^(transaction|out|suspense)/.test(name))).toEqual([]);
});
