import type { Queryable, Transaction } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { entriesOf } from "../ledger/entries.ts";
import type { Move } from "../step.ts";

/** A booking: `fact` names what happened, and can be booked once. */
export type Journal = {
  fact: string;
  kind: string;
  transactionId: string | null;
  at: Date;
  moves: readonly Move[];
};

/** Books a fact unless it has been booked before. Returns whether it was new. */
export async function bookOnce(tx: Transaction, journal: Journal): Promise<boolean> {
  const [booked] = await tx.query(sql`
    with ${journalParts(journal, sql`on conflict (fact) do nothing`)}
    select id from journal`);
  return booked !== undefined;
}

/** The pieces of a `with` that book a journal: accounts are made on first use, and the trigger keeps the balances. */
export function journalParts(
  { fact, kind, transactionId, at, moves }: Journal,
  ifBooked: Sql = sql``,
): Sql {
  const entries = entriesOf(moves);
  const accounts = entries.map(({ account }) => account);
  const assets = entries.map(({ asset }) => asset);
  const amounts = entries.map(({ amount }) => String(amount));
  return sql`
    accounts as (
      insert into ledger_accounts (name, asset, is_guarded)
      select name, asset, name like 'transaction:%'
      from unnest(${accounts}::text[], ${assets}::text[]) as used (name, asset)
      on conflict do nothing
    ), journal as (
      insert into journals (fact, kind, transaction_id, at)
      values (${fact}, ${kind}, ${transactionId}, ${at}) ${ifBooked}
      returning id
    ), booked as (
      insert into entries (journal_id, account, amount)
      select journal.id, entry.account, entry.amount
      from journal, unnest(${accounts}::text[], ${amounts}::numeric[]) as entry (account, amount)
    )`;
}

/** Balances of ledger accounts; one that has never been used has none. */
export async function findBalances(
  db: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ name: string; balance: string }>(sql`
    select name, balance from ledger_accounts where name = any(${names})`);
  return new Map(rows.map(({ name, balance }) => [name, BigInt(balance)]));
}
