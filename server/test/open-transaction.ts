import type { Queryable } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";

let count = 0;

/** An open transaction with nothing inside, for tests of what it uses. Returns its id. */
export async function insertOpenTransaction(
  db: Queryable,
  { userId, walletId, bankAccountId }: { userId: string; walletId: string; bankAccountId: string },
): Promise<string> {
  const number = 900_000 + count++;
  const id = `txn-${number}`;
  const now = new Date(0);
  await db.query(sql`
    insert into ramp_transactions (id, user_id, type, settlement_method, state, version, is_open,
      source_order_id, destination_order_id, wallet_id, bank_account_id, blockchain, currency, deposit_address,
      ramp, created_at, updated_at)
    values (${id}, ${userId}, 'OFF_RAMP', 'ACH', 'AWAITING_DEPOSIT', 1, true,
      ${`ord-${number}1`}, ${`ord-${number}2`}, ${walletId}, ${bankAccountId}, 'ethereum', 'USDC', ${`0x${number}`},
      '{}', ${now}, ${now})`);
  return id;
}

/** Ends such a transaction. */
export async function closeTransaction(db: Queryable, id: string): Promise<void> {
  await db.query(sql`update ramp_transactions set is_open = false where id = ${id}`);
}
