import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { ledgerAccounts } from "../ledger/accounts.ts";

/** Something that was booked on our account at the bank. What came in is positive. */
export type BankBooking = {
  journalId: bigint;
  kind: string;
  /** The wire or payout it is about, or what else the booked fact is called. */
  about: string;
  at: Date;
  cents: bigint;
};

/** A line of a statement, and when that statement ends. What came in is positive. */
export type ComparedLine = {
  statementId: string;
  statementEnd: Date;
  number: number;
  reference: string;
  endToEndId: string | null;
  cents: bigint;
  bookedAt: Date;
};

/** A wire that came in, by our id and by the bank's. */
export type KnownWire = { id: string; reference: string };

/** A payout as the bank may name it, and how far it is. */
export type KnownPayout = {
  id: string;
  rail: "ach" | "wire";
  cents: bigint;
  /** Waiting, filed, settled, failed or returned. */
  state: string;
  trace: string | null;
  /** The file in which the bank got it, by its name. */
  file: string | null;
};

type Raw<Row extends { cents: bigint }> = Omit<Row, "cents"> & { cents: string };

const bank = ledgerAccounts.bank();
const asBooking = sql`
  journals.id as "journalId", journals.kind, journals.at, -entries.amount as cents`;

/** What the books say that we have at the bank. */
export async function findBankBalance(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ owned: string }>(sql`
    select -balance as owned from ledger_accounts where name = ${bank}`);
  return BigInt(row?.owned ?? 0);
}

/** What was booked on our account at the bank after a time, except what it was opened with. */
export async function listBookings(
  db: Queryable,
  { since, until }: { since: Date; until: Date | null },
): Promise<BankBooking[]> {
  const first = await findFirstJournal(db, since);
  const rows = await db.query<Raw<BankBooking>>(sql`
    select ${asBooking},
      coalesce(step.data ->> 'wireId', step.data ->> 'payoutId', split_part(fact, '#', 1)) as about
    from entries join journals on journals.id = journal_id
    left join ramp_steps step on step.transaction_id = journals.transaction_id
      and fact = step.transaction_id || '#' || step.version
    where account = ${bank} and journal_id >= ${first} and journals.id >= ${first}
      and journals.at > ${since}
      and journals.at <= coalesce(${until}::timestamptz, 'infinity') and journals.kind <> 'opening'
    order by journals.id`);
  return rows.map(withBigint);
}

/**
 * The first journal on our account at the bank that was booked after a time. They are booked in the order of time, or
 * nearly so: halving finds it in a few steps, however long the books are.
 */
async function findFirstJournal(db: Queryable, since: Date): Promise<bigint> {
  const [last] = await db.query<{ id: bigint | null }>(sql`
    select max(journal_id) as id from entries where account = ${bank}`);
  let low = 0n;
  let high = (last?.id ?? 0n) + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [found] = await db.query<{ id: bigint; at: Date }>(sql`
      select journal_id as id, (select at from journals where id = journal_id) as at from entries
      where account = ${bank} and journal_id >= ${middle} order by journal_id limit 1`);
    if (found && found.at <= since) low = found.id + 1n;
    else high = middle;
  }
  return low;
}

/** Bookings by the ids of their journals. */
export async function findBookings(db: Queryable, ids: readonly bigint[]): Promise<BankBooking[]> {
  const rows = await db.query<Raw<BankBooking>>(sql`
    select ${asBooking}, split_part(fact, '#', 1) as about
    from entries join journals on journals.id = journal_id
    where account = ${bank} and journal_id = any(${ids.map(String)}::bigint[])
    order by journals.id`);
  return rows.map(withBigint);
}

/** Everything that was ever booked on our account at the bank about these wires and payouts. */
export async function listBookingsAbout(
  db: Queryable,
  { wires, payouts }: { wires: readonly string[]; payouts: readonly string[] },
): Promise<BankBooking[]> {
  const rows = await db.query<Raw<BankBooking>>(sql`
    with facts (fact, about) as (
      select id || '#' || what, id from unnest(${wires}::text[]) as id,
        unnest(array['received', 'claimed']) as what
      union all
      select id || '#' || what, id from unnest(${payouts}::text[]) as id,
        unnest(array['settled', 'returned']) as what
      union all
      select step.transaction_id || '#' || step.version, wire.id
      from incoming_wires wire join ramp_steps step on step.transaction_id = wire.transaction_id
      where wire.id = any(${wires}) and step.data ->> 'wireId' = wire.id
      union all
      select step.transaction_id || '#' || step.version, payout.id
      from payouts payout join ramp_steps step on step.transaction_id = payout.transaction_id
      where payout.id = any(${payouts}) and step.data ->> 'payoutId' = payout.id
    )
    select ${asBooking}, facts.about
    from facts join journals on journals.fact = facts.fact
    join entries on entries.journal_id = journals.id and entries.account = ${bank}
    order by journals.id`);
  return rows.map(withBigint);
}

/** Wires that came in, by the bank's references or by our ids. */
export function findWires(
  db: Queryable,
  wanted: { sources: readonly string[]; references: readonly string[]; ids: readonly string[] },
): Promise<KnownWire[]> {
  const { sources, references, ids } = wanted;
  return db.query<KnownWire>(sql`
    select id, bank_reference as reference from incoming_wires
    where source = any(${sources}) and bank_reference = any(${references})
    union
    select id, bank_reference from incoming_wires where id = any(${ids})`);
}

/** Payouts through the bank that it may call by these names: our id, a trace, or the file with all that is in it. */
export async function findPayouts(db: Queryable, names: readonly string[]): Promise<KnownPayout[]> {
  const rows = await db.query<Raw<KnownPayout>>(sql`
    with named (id) as (
      select id from payouts where id = any(${names}) and rail <> 'chain'
      union
      (select distinct on (trace) payout_id from bank_entries where trace = any(${names})
        order by trace, created_at desc)
      union
      select payout_id from bank_entries join bank_files on bank_files.id = file_id
      where direction = 'out' and name = any(${names})
    ), together (id) as (
      select id from named
      union
      select other.payout_id from named join bank_entries entry on entry.payout_id = named.id
      join bank_entries other on other.file_id = entry.file_id
      where entry.rail = 'ach'
    )
    select payouts.id, payouts.rail, payouts.amount as cents, entry.trace, file.name as file,
      coalesce(entry.state, case payouts.state when 'submitted' then 'filed' else payouts.state end)
        as state
    from together join payouts using (id)
    left join bank_entries entry on entry.payout_id = payouts.id
    left join bank_files file on file.id = entry.file_id
    order by payouts.created_at, payouts.id`);
  return rows.map(withBigint);
}

/** Lines of statements up to a time, by the bank's reference, by what we called the payment, or by their place. */
export async function findLines(
  db: Queryable,
  wanted: {
    upTo: Date;
    references: readonly string[];
    names: readonly string[];
    places: readonly { statementId: string; number: number }[];
  },
): Promise<ComparedLine[]> {
  const { upTo, references, names, places } = wanted;
  const lines = (condition: Sql) => sql`
    select statement_id as "statementId", to_at as "statementEnd", number, reference,
      end_to_end as "endToEndId", cents, booked_at as "bookedAt"
    from bank_lines join bank_statements on bank_statements.id = statement_id
    where to_at <= ${upTo} and ${condition}`;
  const rows = await db.query<Raw<ComparedLine>>(sql`
    ${lines(sql`reference = any(${references})`)}
    union ${lines(sql`end_to_end = any(${names})`)}
    union ${lines(sql`(statement_id, number) in (
      select * from unnest(${places.map(({ statementId }) => statementId)}::text[],
        ${places.map(({ number }) => number)}::int[]))`)}
    order by "statementEnd", number`);
  return rows.map(withBigint);
}

function withBigint<Row extends { cents: bigint }>(row: Raw<Row>): Row {
  return { ...row, cents: BigInt(row.cents) } as unknown as Row;
}
