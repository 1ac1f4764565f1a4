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
export async function listBalances(db: Queryable): Promise<{ account: string; balance: bigint }[]> {
  const rows = await db.query<{ account: string; balance: string }>(
    sql`select account, balance from sandbox_balances order by account`,
  );
  return rows.map(({ account, balance }) => ({ account, balance: BigInt(balance) }));
}
