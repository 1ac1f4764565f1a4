import { beforeEach, describe, expect, test } from "vitest";
import {
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
  transferTo,
  useWorld,
  wireOf,
} from "../../../test/ramp-world.ts";
import { sql } from "../../database/sql.ts";
import { dueTransactions } from "../due-transactions.ts";
import { rampRunners } from "../run-ramp.ts";
import { clearKillSwitch, setKillSwitch } from "../store/kill-switches.ts";
import { payoutSender } from "./send.ts";

const world = useWorld(12);

beforeEach(() => {
  world.ports.faults = [];
  world.ports.refusal = undefined;
});

/** A purchase whose wire came. */
async function paidPurchase(): Promise<string> {
  const { id, reference } = await createPurchase(world);
  world.ports.tell(wireOf(world, [reference]));
  await run(world);
  return id;
}

const submissionsOf = async (id: string) => {
  const ids = new Set((await payoutsOf(world, id)).map((payout) => payout.id));
  return world.ports.submissions.filter((reference) => ids.has(reference)).length;
};

/** Whether somebody has taken the payout of a transaction for himself. */
const claimed = async (id: string) => {
  const rows = await world.db.query(sql`
    select from payouts where transaction_id = ${id} and leased_until is not null`);
  return rows.length > 0;
};

describe("a rail", () => {
  test("that took the money without saying so is asked, and not told again", async () => {
    world.ports.faults = ["silent"];
    const id = await paidPurchase();
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED", trace: null });
    await expectSound(world);
    await pass(world, minute);
    expect(await find(world, id)).toMatchObject({
      trace: expect.stringContaining("trace of pay-"),
    });
    expect(await submissionsOf(id)).toBe(1);
    await settleNewest(world, id);
    expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
    await expectSound(world);
  });

  test("is asked also by a sender that was held up while another told it", async () => {
    const { id, reference } = await createPurchase(world);
    world.ports.tell(wireOf(world, [reference]));
    let goOn = () => {};
    const whileHeldUp = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { db } = world;
    const slowly: typeof db.transact = async (work) => {
      await whileHeldUp;
      return db.transact(work);
    };
    const heldUp = payoutSender({ ...world.context, db: { ...db, transact: slowly } });
    for (const runner of rampRunners(world.context).filter(({ name }) => name !== "payouts")) {
      await runner.run();
    }
    const late = heldUp.run();
    await expect.poll(() => claimed(id)).toBe(true);
    world.ports.faults = ["silent"];
    await pass(world, minute);
    expect(await submissionsOf(id)).toBe(1);
    goOn();
    await late;
    expect(await submissionsOf(id)).toBe(1);
    await settleNewest(world, id);
    await expectSound(world);
  });

  test("that cannot be reached is tried again with growing pauses, and pays once", async () => {
    world.ports.faults = ["unreachable", "unreachable", "unreachable"];
    const id = await paidPurchase();
    for (let tries = 0; tries < 6; tries++) await pass(world, minute);
    expect(await submissionsOf(id)).toBe(4);
    expect(await payoutsOf(world, id)).toMatchObject([{ state: "submitted", attempts: 4 }]);
    await settleNewest(world, id);
    await expectSound(world);
  });

  test("that confirms before it answers is believed", async () => {
    world.ports.faults = ["silent"];
    const id = await paidPurchase();
    await settleNewest(world, id);
    expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
    await pass(world, hour);
    expect(await submissionsOf(id)).toBe(1);
    await expectSound(world);
  });

  test("that refuses is tried with new payouts, then an operator decides", async () => {
    world.ports.refusal = "address not allowed";
    const id = await paidPurchase();
    for (let tries = 0; tries < 5; tries++) await pass(world, 10 * minute);
    const payouts = await payoutsOf(world, id);
    expect(payouts.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
    expect(await find(world, id)).toMatchObject({
      state: "PAYOUT_FAILED",
      reason: "payout_refused",
    });
    await expectSound(world);
    await pass(world, 2 * day);
    expect(world.lines.join()).toContain("stands where it is for too long");
  });

  test("that fails what it took, and contradicts itself, changes the books once", async () => {
    const id = await paidPurchase();
    const [payout] = await payoutsOf(world, id);
    const reference = payout?.id ?? "pay-0";
    const at = world.clock.now();
    world.ports.repeat({ kind: "payout_failed", reference, why: "dropped", at });
    world.ports.repeat({ kind: "payout_failed", reference, why: "dropped", at });
    world.ports.repeat({ kind: "payout_settled", reference, trace: null, at });
    world.ports.repeat({ kind: "payout_settled", reference: "pay-404", trace: null, at });
    await run(world);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_FAILED" });
    expect(world.lines.join()).toContain("contradicts what it said before");
    expect(world.lines.join()).toContain("a payout that is not ours");
    await expectSound(world);
    await pass(world, 10 * minute);
    await settleNewest(world, id);
    expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
  });

  test("that does not confirm in time is reported, and the books say so until it does", async () => {
    const id = await paidPurchase();
    await pass(world, 3 * hour);
    expect(world.lines.join()).toContain("has not been confirmed");
    await expect(expectSound(world)).rejects.toThrow("I12");
    await settleNewest(world, id);
    await expectSound(world);
  });
});

describe("whoever dies", () => {
  /** A sender that gets no further than so many database transactions into its work. */
  async function dieAfter(transactions: number): Promise<void> {
    let left = transactions;
    const db = {
      ...world.db,
      transact: ((work) => {
        if (left-- > 0) return world.db.transact(work);
        throw new Error("killed");
      }) as typeof world.db.transact,
    };
    await payoutSender({ ...world.context, db }).run();
  }

  test.each([0, 1])(
    "after %i transactions leaves the payout to others, and it is paid once",
    async (count) => {
      const set = { reason: "drill", setBy: "operator", setAt: new Date(world.clock.now()) };
      await setKillSwitch(world.db, { name: "payouts", ...set });
      const id = await paidPurchase();
      await clearKillSwitch(world.db, "payouts");
      world.clock.advance(minute);
      await dieAfter(count);
      await run(world);
      expect(await find(world, id)).toMatchObject({ trace: null });
      await expectSound(world);
      await pass(world, minute);
      expect(await find(world, id)).toMatchObject({ trace: expect.any(String) });
      expect(await submissionsOf(id)).toBe(1);
      await settleNewest(world, id);
      await expectSound(world);
    },
  );
});

describe("a switch", () => {
  test.each(["payouts", "rail:chain", "token:USDC", "blockchain:base"])(
    "%s that is off holds payouts back until it is on again",
    async (name) => {
      const set = { reason: "drill", setBy: "operator", setAt: new Date(world.clock.now()) };
      await setKillSwitch(world.db, { name, ...set });
      const id = await paidPurchase();
      await pass(world, hour);
      expect(await find(world, id)).toMatchObject({ state: "PAYOUT_QUEUED" });
      expect(await submissionsOf(id)).toBe(0);
      expect(await clearKillSwitch(world.db, name)).toBe(true);
      expect(await clearKillSwitch(world.db, name)).toBe(false);
      await pass(world, minute);
      await settleNewest(world, id);
      expect(await find(world, id)).toMatchObject({ state: "COMPLETED" });
    },
  );
});

test("an ACH payout that comes back before it is confirmed never left the bank", async () => {
  const sale = await createSale(world);
  world.ports.tell({ ...transferTo(world, sale), kind: "deposit_final" });
  await run(world);
  await pass(world, 4 * day);
  const [payout] = await payoutsOf(world, sale.id);
  const reference = payout?.id ?? "pay-0";
  const at = world.clock.now();
  world.ports.repeat({ kind: "payout_returned", reference, code: "R24", at });
  world.ports.repeat({ kind: "payout_settled", reference, trace: null, at });
  await run(world);
  expect(await find(world, sale.id)).toMatchObject({ state: "PAYOUT_RETURNED" });
  expect(world.lines.join()).toContain("payment file was wrong or a duplicate");
  await expectSound(world);
});

test("many workers hand each payout over once", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 8; index++) {
    const { id, reference } = await createPurchase(world);
    world.ports.tell(wireOf(world, [reference]));
    ids.push(id);
  }
  const workers = Array.from({ length: 6 }, async () => {
    for (let round = 0; round < 4; round++) {
      await run(world);
      await dueTransactions(world.context).run();
      await payoutSender(world.context).run();
    }
  });
  await Promise.all(workers);
  for (const id of ids) {
    expect(await submissionsOf(id)).toBe(1);
    expect(await payoutsOf(world, id)).toHaveLength(1);
    expect(await find(world, id)).toMatchObject({ state: "PAYOUT_SUBMITTED" });
  }
  const [steps] = await world.db.query<{ most: number }>(sql`
    select max(count)::int as most from (
      select count(*) from ramp_steps where transaction_id = any(${ids})
      group by transaction_id, kind) as counts`);
  expect(steps?.most).toBe(1);
  await expectSound(world);
});
