import { expect } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { assert } from "../../src/lib/errors.ts";
import { checkInvariants } from "../../src/ramp/invariants.ts";
import { findAnyRamp } from "../../src/ramp/store/transactions.ts";
import { balanceOf } from "../../src/sandbox/ramp/local-chain/local-rpc.ts";
import type { MovedClock } from "../ramp-crash/life.ts";
import { countPoints } from "../ramp-crash/points.ts";
import { chainKeys, customer, dollar, ether, headOf, listTransfers } from "./customer-chain.ts";
import { openService, type Place } from "./life.ts";

/** What there is to look at when a story is over. */
export type Witness = Place & { clock: MovedClock };

/** Where everything stood before a story began. */
export type Beginning = {
  at: Date;
  block: number;
  journal: bigint;
  balances: ReadonlyMap<string, bigint>;
};

const isGas = (account: string) => account.endsWith(":ETH.ethereum");

/** Balances of our books, without accounts of single transactions, which end empty, and without what gas costs. */
async function readBalances(outside: Database): Promise<ReadonlyMap<string, bigint>> {
  const rows = await outside.query<{ name: string; balance: string }>(sql`
    select name, balance from ledger_accounts where name not like 'transaction:%'`);
  return new Map(
    rows.filter(({ name }) => !isGas(name)).map(({ name, balance }) => [name, BigInt(balance)]),
  );
}

export async function readBeginning({ outside, rpc, clock }: Witness): Promise<Beginning> {
  const [last] = await outside.query<{ journal: string }>(
    sql`select coalesce(max(id), 0) as journal from journals`,
  );
  return {
    at: new Date(clock.now()),
    block: (await headOf(rpc)).number,
    journal: BigInt(last?.journal ?? 0),
    balances: await readBalances(outside),
  };
}

/**
 * Everything that a story leads to, in our books, in the bank's files and on the chain, without what differs each time it
 * is told: ids, times, and what the network takes for gas.
 */
export async function readEnd(witness: Witness, id: string, since: Beginning) {
  const { outside } = witness;
  const ramp = await findAnyRamp(outside, id);
  assert(ramp, `there is a transaction ${id}`);
  const { state, reason, heldUnits, heldCents, units, cents, priceE18, feeCents } = ramp;
  const { payoutCount, payoutAmount, isSettled, isLate } = ramp;
  const payouts = await outside.query<{ id: string; purpose: string }>(sql`
    select id, purpose, rail, asset, amount, state, trace is not null as is_traced
    from payouts where transaction_id = ${id} order by created_at, id`);
  const events = await outside.query<{ type: string }>(sql`
    select type from ramp_events where transaction_id = ${id} order by sequence`);
  const after = await readBalances(outside);
  const changes = [...after].map(([account, balance]) => [
    account,
    balance - (since.balances.get(account) ?? 0n),
  ]);
  return {
    ramp: { state, reason, heldUnits, heldCents, units, cents, priceE18, feeCents },
    paid: { payoutCount, payoutAmount, isSettled, isLate },
    payouts: payouts.map(({ id: _, ...payout }) => payout),
    events: events.map(({ type }) => type),
    journals: await readJournals(outside, id, since),
    changes: Object.fromEntries(changes.filter(([, change]) => change !== 0n)),
    bank: await readBank(witness, payouts, since),
    chain: await readChain(witness, since),
  };
}

/** All that was booked meanwhile, in no order: what the chain and the bank tell meets in different orders. */
async function readJournals(outside: Database, id: string, { journal }: Beginning) {
  const rows = await outside.query<{ kind: string; account: string; amount: string }>(sql`
    select kind, replace(account, ${id}, 'it') as account, amount
    from journals join entries on journal_id = journals.id where journals.id > ${journal}`);
  return rows
    .map(({ kind, account, amount }) => `${kind} ${account} ${isGas(account) ? "" : amount}`)
    .sort();
}

/** What the bank was told to pay, by what and how it was answered. */
async function readBank(
  { outside, bank }: Witness,
  payouts: readonly { id: string; purpose: string }[],
  { at }: Beginning,
) {
  const purposes = new Map(payouts.map(({ id, purpose }) => [id, purpose]));
  const files = await outside.query(sql`
    select direction, format, state, problem from bank_files where created_at >= ${at}
    order by direction, format, created_at, id`);
  const entries = await outside.query(sql`
    select rail, cents, state, network_reference is not null as is_named
    from bank_entries where payout_id = any(${[...purposes.keys()]}) order by created_at`);
  const stopped = await outside.query(
    sql`select id, stopped_code from bank_accounts where stopped_code is not null`,
  );
  const payments = bank
    .payments()
    .filter(({ payoutId }) => purposes.has(payoutId))
    .map(({ payoutId, cents, accountNumber }) => [purposes.get(payoutId), cents, accountNumber]);
  return { files, entries, stopped, payments };
}

/** Every dollar that moved on the chain to anybody of the story, and how much of it was our doing. */
async function readChain({ outside, rpc }: Witness, { at, block }: Beginning) {
  const deposits = await outside.query<{ address: string }>(sql`
    select deposit_address as address from ramp_transactions
    where created_at >= ${at} and deposit_address is not null`);
  const names = new Map([
    [chainKeys.hot.address.toLowerCase(), "hot"],
    [customer.toLowerCase(), "customer"],
    ...deposits.map(({ address }) => [address.toLowerCase(), "deposit"] as const),
  ]);
  const transfers: string[] = [];
  for (const address of names.keys()) {
    for (const { from, to, units } of await listTransfers(rpc, address, block + 1))
      transfers.push(`${names.get(from)} sends ${names.get(to)} ${units}`);
  }
  const sent = await outside.query(sql`
    select purpose, state, count(*)::int from chain_transactions where created_at >= ${at}
    group by purpose, state order by purpose, state`);
  const swept = await outside.query(sql`
    select chain_deposits.state, is_swept, chain_deposits.units from chain_deposits join ramp_transactions
      on address = deposit_address where created_at >= ${at}`);
  return { transfers: transfers.sort(), sent, swept };
}

/**
 * Every payment in the bank's files is one of our payouts and is there once; the chain has the transactions that we know
 * of and no others; and all rules of the books hold, compared with what the bank and the chain have.
 */
export async function expectSound(witness: Witness): Promise<void> {
  const { outside, rpc, bank, clock } = witness;
  const payments = bank.payments().map(({ payoutId, cents }) => `${payoutId} ${cents}`);
  const entries = await outside.query<{ payment: string }>(
    sql`select payout_id || ' ' || cents as payment from bank_entries`,
  );
  expect(payments.sort()).toEqual(entries.map(({ payment }) => payment).sort());
  const [hot] = await outside.query<{ next: string }>(sql`
    select next_nonce as next from chain_senders where address = ${chainKeys.hot.address}`);
  const used = Number(await rpc("eth_getTransactionCount", [chainKeys.hot.address, "latest"]));
  expect(Number(hot?.next ?? used), "nonces of the hot wallet").toBe(used);
  const gaps = await outside.query(sql`
    select user_id from ramp_events group by user_id
    having count(*) <> max(sequence) or min(sequence) <> 1`);
  expect(gaps).toEqual([]);
  const immortal = countPoints(undefined, () => expect.fail("nobody dies here"));
  const { context } = openService({ ...witness, db: outside }, immortal, clock);
  const { checks } = await checkInvariants(context, 3);
  expect(checks.filter(({ ok, detail }) => !ok || detail.includes("not compared"))).toEqual([]);
  expect(checks).toHaveLength(12);
}

/** The books have what lies at all addresses of ours, added up one by one. */
export async function expectAddedUp({ outside, rpc }: Witness): Promise<void> {
  const rows = await outside.query<{ address: string }>(sql`
    select deposit_address as address from ramp_transactions where deposit_address is not null`);
  const addresses = [chainKeys.hot.address, ...rows.map(({ address }) => address as `0x${string}`)];
  for (const token of [ether, dollar]) {
    let held = 0n;
    for (const address of addresses) held += await balanceOf(rpc, token, address);
    const asset = `${token.symbol}.ethereum`;
    const [booked] = await outside.query<{ sum: string }>(sql`
      select -sum(balance) as sum from ledger_accounts
      where name = any(${[`hot:${asset}`, `unswept:${asset}`]})`);
    expect(BigInt(booked?.sum ?? 0), asset).toBe(held);
  }
}
