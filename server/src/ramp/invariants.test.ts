import { beforeAll, describe, expect, test } from "vitest";
import {
  createPurchase,
  createSale,
  expectSound,
  hour,
  pass,
  run,
  settleNewest,
  transferTo,
  useWorld,
  wireOf,
} from "../../test/ramp-world.ts";
import type { Transaction } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { checkInvariants } from "./invariants.ts";

const world = useWorld();

beforeAll(async () => {
  const done = await createPurchase(world);
  world.ports.tell(wireOf(world, [done.reference]));
  await run(world);
  await settleNewest(world, done.id);
  const underWay = await createPurchase(world);
  const sale = await createSale(world);
  world.ports.tell(wireOf(world, [underWay.reference]));
  world.ports.tell({ ...transferTo(world, sale), kind: "deposit_final" });
  await run(world);
});

class Undone extends Error {}

/** Which rules somebody breaks who can write around all guards; everything is undone afterwards. */
async function brokenBy(...damage: Sql[]): Promise<string[]> {
  let broken: string[] = [];
  const attempt = world.db.transact(async (tx: Transaction) => {
    await tx.query(sql`set local session_replication_role = replica`);
    for (const statement of damage) await tx.query(statement);
    const context = { ...world.context, db: { ...world.db, query: tx.query } };
    const { ok, checks } = await checkInvariants(context);
    broken = checks.filter((check) => !check.ok).map(({ id }) => id);
    expect(ok).toBe(broken.length === 0);
    throw new Undone();
  });
  await expect(attempt).rejects.toThrow(Undone);
  return broken;
}

test("sound books keep all twelve rules", async () => {
  await expectSound(world);
  expect(await brokenBy()).toEqual([]);
});

describe("what is broken is found:", () => {
  const completed = sql`state = 'COMPLETED'`;
  test.each<[rules: string[], what: string, damage: Sql[]]>([
    [
      ["I1", "I10"],
      "a journal with one side",
      [
        sql`insert into journals (fact, kind, at) values ('x', 'x', ${new Date(0)})`,
        sql`insert into entries select max(id), 'bank:main:USD', 1 from journals`,
        sql`update ledger_accounts set balance = balance + 1 where name = 'bank:main:USD'`,
      ],
    ],
    [
      ["I2"],
      "a trigger that is off",
      [sql`alter table entries disable trigger entries_append_only`],
    ],
    [
      ["I3"],
      "an account of a customer without its guard",
      [sql`update ledger_accounts set is_guarded = false where name like 'transaction:%'`],
    ],
    [
      ["I4", "I10"],
      "a cent too many in the bank",
      [sql`update ledger_accounts set balance = balance - 1 where name = 'bank:main:USD'`],
    ],
    [
      ["I4", "I5"],
      "money in a transaction that has ended",
      [
        sql`update ledger_accounts set balance = 1 from ramp_transactions
            where ${completed} and name = 'transaction:' || id || ':USD'`,
      ],
    ],
    [
      ["I6", "I12"],
      "two payouts under way",
      [
        sql`drop index payouts_one_live_per_transaction`,
        sql`insert into payouts (id, purpose, transaction_id, rail, asset, amount, state, created_at, updated_at)
            select id || '9', purpose, transaction_id, rail, asset, amount, state, created_at, updated_at
            from payouts where state = 'submitted'`,
      ],
    ],
    [
      ["I7"],
      "an end that is not flagged",
      [sql`update ramp_transactions set completed_at = null where ${completed}`],
    ],
    [
      ["I8", "I9"],
      "a wire of another amount at nobody",
      [
        sql`update incoming_wires set transaction_id = null, state = 'suspense' from ramp_transactions
            where ramp_transactions.state = 'COMPLETED'
              and incoming_wires.transaction_id = ramp_transactions.id`,
      ],
    ],
    [
      ["I9", "I11"],
      "a transaction that says it holds a cent",
      [
        sql`update ramp_transactions set ramp = jsonb_set(ramp, '{heldCents,bigint}', '"1"')
            where ${completed}`,
      ],
    ],
    [
      ["I9", "I11"],
      "another price",
      [
        sql`update ramp_transactions
            set ramp = jsonb_set(ramp, '{priceE18,bigint}', '"1000000000000000001"')
            where ${completed}`,
      ],
    ],
    [["I11"], "a step that is gone", [sql`delete from ramp_steps where kind = 'priced'`]],
    [
      ["I11"],
      "another state",
      [sql`update ramp_transactions set state = 'PRICED' where state = 'PAYOUT_SUBMITTED'`],
    ],
    [
      ["I12"],
      "a payout that is not confirmed",
      [sql`update payouts set overdue_since = updated_at where state = 'submitted'`],
    ],
  ])("%s by %s", async (rules, _, damage) => {
    expect(await brokenBy(...damage)).toEqual(rules);
  });
});

test("the outside is compared only when there is nothing to read, to the last unit", async () => {
  const bank = "bank:main:USD";
  const before = world.ports.balances.get(bank) ?? 0n;
  world.ports.balances.set(bank, before + 1n);
  const drifted = await checkInvariants(world.context);
  expect(drifted.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(["I10"]);
  expect(drifted.checks[9]?.detail).toContain(bank);
  world.ports.repeat(wireOf(world, ["unread"]));
  expect((await checkInvariants(world.context)).checks[9]).toMatchObject({ ok: true });
});

test("every hour somebody looks, and says what is wrong and what to do", async () => {
  await run(world);
  await pass(world, hour);
  const said = world.lines.filter((line) => line.includes("the books are not right"));
  expect(said.join()).toContain("I10");
  expect(said.join()).toContain("kill switch");
});
