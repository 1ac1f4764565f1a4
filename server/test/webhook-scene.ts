import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { systemRandom } from "../src/lib/random.ts";
import { tell } from "../src/ramp/events/tell.ts";

/** A transaction of an account, with no more to it than that it can be told about. */
export async function addTransaction(db: Database, userId: string, id: string): Promise<void> {
  const number = id.slice("txn-".length);
  const now = new Date(0);
  await db.query(sql`
    with wallet as (
      insert into wallets (id, user_id, blockchain, address, address_key, created_at, updated_at)
      values (${`wal-${number}`}, ${userId}, 'base', ${number}, ${number}, ${now}, ${now}) returning id
    ),
    bank_account as (
      insert into bank_accounts (id, user_id, routing_number, account_number_last4, account_type, sealed, digest,
        bank_name, bank_address, bank_updated_at, created_at, updated_at)
      values (${`bac-${number}`}, ${userId}, '021000021', '6789', 'checking', '', ${Buffer.from(number)},
        'A bank', '{}', ${now}, ${now}, ${now}) returning id
    )
    insert into ramp_transactions (id, user_id, type, settlement_method, state, version, is_open, source_order_id,
      destination_order_id, wallet_id, bank_account_id, blockchain, currency, reference, ramp, created_at, updated_at)
    select ${id}, ${userId}, 'ON_RAMP', 'WIRE', 'EXPIRED', 1, false, ${`ord-1${number}`}, ${`ord-2${number}`},
      wallet.id, bank_account.id, 'base', 'USDC', ${number}, '{}', ${now}, ${now}
    from wallet, bank_account`);
}

/** Tells an account of something about a transaction, or about none, and commits. */
export function tellNow(
  db: Database,
  at: number,
  news: { userId: string; type: string; transactionId?: string; object?: unknown },
): Promise<void> {
  const { userId, type, transactionId = null, object = {} } = news;
  return db.transact((tx) =>
    tell(tx, { random: systemRandom }, { userId, type, transactionId, object, at }),
  );
}
