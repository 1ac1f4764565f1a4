import { expect } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { assert } from "../../src/lib/errors.ts";
import { checkInvariants } from "../../src/ramp/invariants.ts";
import { findAnyRamp } from "../../src/ramp/store/transactions.ts";
import { openSandboxPorts } from "../../src/sandbox/ramp/ports.ts";
import { movedClock, sandboxOf } from "./life.ts";

type Balances = ReadonlyMap<string, bigint>;

/** What our books and those outside say, by account. Accounts of single transactions are left out: they end empty. */
export async function readBalances(outside: Database): Promise<Balances> {
  const rows = await outside.query<{ account: string; balance: string }>(sql`
    select 'ours ' || name as account, balance from ledger_accounts where name not like 'transaction:%'
    union all select 'theirs ' || account, balance from sandbox_balances`);
  return new Map(rows.map(({ account, balance }) => [account, BigInt(balance)]));
}

/**
 * Everything that a story leads to, without what differs each time it is told: ids and times, and whether a rail was
 * heard to accept before it was heard to have paid.
 */
export async function readEnd(outside: Database, id: string, before: Balances) {
  const ramp = await findAnyRamp(outside, id);
  assert(ramp, `there is a transaction ${id}`);
  const { state, reason, heldUnits, heldCents, units, cents, priceE18, feeCents } = ramp;
  const { payoutCount, payoutAmount, isSettled, isLate } = ramp;
  const payouts = await outside.query(sql`
    select purpose, rail, asset, amount, state, trace is not null as is_traced
    from payouts where transaction_id = ${id} order by created_at, id`);
  const payments = await outside.query(sql`
    select payments.rail, payments.amount, payments.state, payouts.purpose
    from sandbox_payments payments join payouts on payouts.id = payments.reference
    where payouts.transaction_id = ${id} order by payments.number`);
  const journals = await outside.query<{ kind: string; account: string; amount: string }>(sql`
    select kind, replace(account, ${id}, 'it') as account, amount
    from journals join entries on journal_id = journals.id
    where transaction_id = ${id} order by journals.id, account`);
  const events = await outside.query<{ type: string }>(sql`
    select type from ramp_events where transaction_id = ${id} order by sequence`);
  const stopped = await outside.query(
    sql`select id, stopped_code from bank_accounts where stopped_code is not null`,
  );
  const after = await readBalances(outside);
  const changes = [...after].map(([account, balance]) => [
    account,
    balance - (before.get(account) ?? 0n),
  ]);
  return {
    ramp: { state, reason, heldUnits, heldCents, units, cents, priceE18, feeCents },
    paid: { payoutCount, payoutAmount, isSettled, isLate },
    payouts,
    payments,
    journals,
    events: events.map(({ type }) => type),
    stopped,
    changes: Object.fromEntries(changes.filter(([, change]) => change !== 0n)),
  };
}

/** No rail was told twice, every payment outside is one of our payouts, all rules of the books hold, and no number of an event is missing. */
export async function expectSound(outside: Database, at: number): Promise<void> {
  const strangers = await outside.query(sql`
    select reference from sandbox_payments where reference not in (select id from payouts)`);
  expect(strangers).toEqual([]);
  expect(await outside.query(sql`select reference from told_twice`)).toEqual([]);
  const gaps = await outside.query(sql`
    select user_id from ramp_events group by user_id
    having count(*) <> max(sequence) or min(sequence) <> 1`);
  expect(gaps).toEqual([]);
  const ports = openSandboxPorts(sandboxOf(outside, movedClock(at)));
  const { checks } = await checkInvariants({ db: outside, ports }, 10_000);
  expect(checks.filter(({ ok, detail }) => !ok || detail.includes("not compared"))).toEqual([]);
  expect(checks).toHaveLength(12);
}
