import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { parseBigints } from "../../lib/bigint-json.ts";
import type { Step } from "../step.ts";
import type { Ramp } from "../transaction.ts";
import { rampOfRow } from "./transactions.ts";

/** More examples than these say nothing more about what is wrong. */
const examplesMost = 5;

/** What breaks a rule, in a few words each: nothing when the rule holds. */
export async function findOffenders(db: Queryable, rule: Sql): Promise<string[]> {
  const rows = await db.query<{ offender: string }>(sql`
    select offender from (${rule}) as found (offender) order by offender limit ${examplesMost}`);
  return rows.map(({ offender }) => offender);
}

/** Rules of the books that SQL can check. Each selects what breaks it. */
export const bookRules = {
  I1: sql`
    select 'journal ' || entries.journal_id || ' in ' || accounts.asset
    from entries join ledger_accounts accounts on accounts.name = entries.account
    group by entries.journal_id, accounts.asset having sum(entries.amount) <> 0`,
  I2: sql`
    select guarded.name from (values ('journals'), ('entries'), ('ramp_steps')) as guarded (name)
    where not exists (
      select from pg_trigger
      where tgrelid = guarded.name::regclass and tgname = guarded.name || '_append_only'
        and tgenabled in ('O', 'A'))`,
  I3: sql`
    select name from ledger_accounts
    where (is_guarded and balance < 0) or is_guarded <> (name like 'transaction:%')`,
  I4: sql`
    select name from ledger_accounts
    left join (select account, sum(amount) as booked from entries group by account) as sums
      on sums.account = name
    where balance <> coalesce(booked, 0)`,
  I5: sql`
    select ramp_transactions.id || ' is ' || state || ' with ' || balance || ' in ' || asset
    from ledger_accounts
    join ramp_transactions on ramp_transactions.id = split_part(name, ':', 2)
    where is_guarded and balance <> 0 and not is_open`,
  I6: sql`
    select transaction_id from payouts
    where transaction_id is not null and state in ('queued', 'submitted')
    group by transaction_id having count(*) > 1`,
  I7: sql`
    select id || ' is completed without a confirmed payout' from ramp_transactions
    where completed_at is not null and not exists (
      select from journals where transaction_id = ramp_transactions.id and kind = 'payout_settled')
    union all
    select id || ' is completed before its return window closed' from ramp_transactions
    where completed_at is not null and settlement_method = 'ACH' and not exists (
      select from ramp_steps where transaction_id = ramp_transactions.id and kind = 'window_closed')
    union all
    select id || ' is ' || state || ' and not flagged' from ramp_transactions
    where not is_open and completed_at is null and flagged_at is null`,
  I8: sql`
    with wires as (
      select transaction_id, data ->> 'wireId' as id from ramp_steps where kind = 'wire_matched'
    ), finals as (
      select transaction_id, data ->> 'depositId' as id from ramp_steps where kind = 'deposit_final'
    ), credited as (
      select id, transaction_id from deposits where use = 'credited' and state = 'final'
    ), matched as (
      select id, transaction_id from incoming_wires where state = 'matched'
    )
    select id || ' is used twice' from wires group by id having count(*) > 1
    union all
    select id || ' is used twice' from finals group by id having count(*) > 1
    union all
    select coalesce(wires.id, matched.id) || ' and its transaction do not agree'
    from wires full join matched using (id, transaction_id)
    where wires.id is null or matched.id is null
    union all
    select coalesce(finals.id, credited.id) || ' and its transaction do not agree'
    from finals full join credited using (id, transaction_id)
    where finals.id is null or credited.id is null`,
  I9: sql`
    with moved as (
      select journals.transaction_id, accounts.asset, journals.kind,
        split_part(entries.account, ':', 1) as place, sum(entries.amount) as amount
      from journals
      join entries on entries.journal_id = journals.id
      join ledger_accounts accounts on accounts.name = entries.account
      where journals.transaction_id is not null
      group by 1, 2, 3, 4
    ), ramps as (
      select id, type, currency || '.' || blockchain as asset,
        (ramp -> 'heldCents' ->> 'bigint')::numeric as held_cents,
        (ramp -> 'heldUnits' ->> 'bigint')::numeric as held_units,
        (ramp -> 'priceE18' ->> 'bigint')::numeric as price,
        power(10::numeric, (ramp -> 'token' ->> 'decimals')::int + 16) as scale
      from ramp_transactions
    ), inside as (
      select transaction_id, asset, sum(amount) as amount from moved
      where place = 'transaction' group by 1, 2
    ), came as (
      select transaction_id, 'USD' as asset, sum(cents) as amount from incoming_wires
      where state = 'matched' group by 1
      union all
      select transaction_id, currency || '.' || blockchain, sum(units) from deposits
      where state = 'final' and use = 'credited' group by 1, 2
    ), booked_in as (
      select transaction_id, asset, -sum(amount) as amount from moved
      where kind in ('wire_matched', 'deposit_final') and place in ('bank', 'unswept') group by 1, 2
    ), went as (
      select transaction_id, asset, sum(amount) as amount from payouts
      where state = 'settled' and transaction_id is not null group by 1, 2
    ), booked_out as (
      select transaction_id, asset, sum(amount) as amount from moved
      where kind in ('payout_settled', 'payout_returned', 'refund_settled', 'refund_returned')
        and place in ('bank', 'hot') group by 1, 2 having sum(amount) <> 0
    ), exchanged as (
      select dollars.transaction_id, abs(dollars.amount) as cents, abs(tokens.amount) as units
      from moved dollars join moved tokens using (transaction_id, kind, place)
      where kind = 'priced' and place = 'exchange' and dollars.asset = 'USD' and tokens.asset <> 'USD'
    )
    select ramps.id || ' holds something else than its books' from ramps
    left join inside dollars on dollars.transaction_id = ramps.id and dollars.asset = 'USD'
    left join inside tokens on tokens.transaction_id = ramps.id and tokens.asset = ramps.asset
    where coalesce(dollars.amount, 0) <> held_cents or coalesce(tokens.amount, 0) <> held_units
    union all
    select transaction_id || ' got something else than was booked in ' || asset
    from came full join booked_in using (transaction_id, asset)
    where coalesce(came.amount, 0) <> coalesce(booked_in.amount, 0)
    union all
    select transaction_id || ' paid something else than was booked in ' || asset
    from went full join booked_out using (transaction_id, asset)
    where coalesce(went.amount, 0) <> coalesce(booked_out.amount, 0)
    union all
    select ramps.id || ' was exchanged at another price than its own' from exchanged
    join ramps on ramps.id = exchanged.transaction_id
    where not case type
      when 'ON_RAMP' then cents * scale - units * price >= 0 and cents * scale - units * price < scale
      else units * price - cents * scale >= 0 and units * price - cents * scale < price end`,
  I11: sql`
    select id || ' is not where its steps lead' from ramp_transactions
    left join lateral (
      select count(*) as steps, (array_agg(state order by version desc))[1] as last_state
      from ramp_steps where transaction_id = ramp_transactions.id
    ) as told on true
    where version <> steps or state <> last_state or version <> (ramp ->> 'version')::int
      or state <> ramp ->> 'state'`,
  I12: sql`
    select payouts.id || ' is not confirmed since ' || overdue_since from payouts
    left join ramp_transactions on ramp_transactions.id = transaction_id
    where overdue_since is not null and flagged_at is null
    union all
    select name || ' holds something else than what is under way' from ledger_accounts
    left join (
      select 'out:' || rail || ':' || asset as name, sum(amount) as amount from payouts
      where state = 'submitted' group by 1
    ) as under_way using (name)
    where name like 'out:%' and balance <> coalesce(amount, 0)`,
} as const satisfies Record<string, Sql>;

/** What the books say that we own, by ledger account: positive is ours. */
export async function listOwned(db: Queryable): Promise<{ account: string; balance: bigint }[]> {
  const rows = await db.query<{ name: string; balance: string }>(sql`
    select name, -balance as balance from ledger_accounts
    where name like 'bank:%' or name like 'hot:%' or name like 'unswept:%'`);
  return rows.map(({ name, balance }) => ({ account: name, balance: BigInt(balance) }));
}

/** A transaction as its row says, and everything that happened to it. */
export type Told = { ramp: Ramp; steps: { step: Step; at: number }[] };

/** The transactions that changed last, with their steps. */
export async function listLately(db: Queryable, count: number): Promise<Told[]> {
  const rows = await db.query<{ ramp: string; steps: string[]; times: Date[] }>(sql`
    with lately as (
      select id, ramp, updated_at from ramp_transactions order by updated_at desc, id limit ${count}
    )
    select lately.ramp::text as ramp, array_agg(data::text order by version) as steps,
      array_agg(at order by version) as times
    from lately join ramp_steps on transaction_id = lately.id
    group by lately.id, lately.ramp`);
  return rows.map(({ ramp, steps, times }) => ({
    ramp: rampOfRow({ ramp }),
    steps: steps.map((step, index) => ({
      step: parseBigints(step) as Step,
      at: times[index]?.getTime() ?? 0,
    })),
  }));
}
