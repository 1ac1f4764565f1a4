import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** Changes what the bank or a chain holds for us. */
export async function addToBalance(
  tx: Transaction,
  account: string,
  amount: bigint,
): Promise<void> {
  await tx.query(sql`
    insert into sandbox_balances (account, balance) values (${account}, ${String(amount)})
    on conflict (account) do update set balance = sandbox_balances.balance + excluded.balance`);
}

/** Says what a chain holds for us. */
export async function setBalance(tx: Transaction, account: string, balance: bigint): Promise<void> {
  await tx.query(sql`
    insert into sandbox_balances (account, balance) values (${account}, ${String(balance)})
    on conflict (account) do update set balance = excluded.balance`);
}

/** Opens an account with this balance, unless it is there already. Returns whether it was opened. */
export async function openBalance(
  tx: Transaction,
  account: string,
  balance: bigint,
): Promise<boolean> {
  const opened = await tx.query(sql`
    insert into sandbox_balances (account, balance) values (${account}, ${String(balance)})
    on conflict (account) do nothing returning account`);
  return opened.length > 0;
}

/** What the bank and the chains hold for us, by account. */
type HeldBalances = {
  balances: { account: string; balance: bigint }[];
  /**
   * Whether something has happened at the bank, or is happening, that our own books cannot know of: a file waits to be
   * taken, something is due there, or payments settled there in a morning and not yet here.
   */
  isBankAtWork: boolean;
};

/** What the bank and the chains hold for us, all at the same moment. */
export async function listBalances(db: Queryable, now: Date): Promise<HeldBalances> {
  const rows = await db.query<{ account: string; balance: string; isBankAtWork: boolean }>(sql`
    select account, balance,
      exists (select from sandbox_bank_files where due_at is not null)
      or exists (select from sandbox_sent_files where due_at <= ${now})
      or exists (select from sandbox_payments where due_at <= ${now} and rail <> 'chain')
      or exists (
        select from bank_entries join sandbox_payments payments on reference = payout_id
        where bank_entries.due_at is not null and bank_entries.state = 'filed'
          and payments.state = 'settled'
      ) as "isBankAtWork"
    from sandbox_balances order by account`);
  return {
    balances: rows.map(({ account, balance }) => ({ account, balance: BigInt(balance) })),
    isBankAtWork: rows.some(({ isBankAtWork }) => isBankAtWork),
  };
}
