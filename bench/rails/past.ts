import type { Address } from "../../server/src/database/address.ts";
import type { Database } from "../../server/src/database/database.ts";
import { sql } from "../../server/src/database/sql.ts";
import { fill, hot, monday } from "./scene.ts";
import { depositAddress } from "./synthetic-blocks.ts";

/** The newest block, whatever has happened before. */
export const pastBlocks = 1_000_000;

/** Payouts of the past have numbers from here on. */
const pastPayouts = 50_000_000_000_000n;
const entriesPerFile = 1_000;

/** An address is watched for some months, and each life takes days. */
const farAhead = new Date(monday + 3_650 * 86_400_000);
const longAgo = new Date(monday - 30 * 86_400_000);

/** A database in which so many payouts, entries, deposits and notices are over. What is new comes with `add`. */
export function fillPast(
  address: Address,
  count: number,
  add: (db: Database) => Promise<unknown>,
): Promise<void> {
  return fill(address, async (db) => {
    await fillPayouts(db, count);
    await fillChain(db, count);
    await fillBank(db, count);
    await db.query(sql`
      insert into rail_notices (source, sealed, at)
      select case n % 2 when 0 then 'bank' else 'chain:ethereum' end, decode(repeat('ab', 300), 'hex'), ${longAgo}
      from generate_series(1, ${count}::bigint) as n`);
    await add(db);
  });
}

async function fillPayouts(db: Database, count: number): Promise<void> {
  await db.query(sql`
    insert into payouts
      (id, purpose, wire_id, rail, asset, amount, state, is_accepted, created_at, updated_at)
    select 'pay-' || ${pastPayouts} + n, 'wire_return', 'wir-' || ${pastPayouts} + n,
      case n % 2 when 0 then 'ach' else 'chain' end,
      case n % 2 when 0 then 'USD' else 'USDC.ethereum' end, 25050, 'settled', true, ${longAgo}, ${longAgo}
    from generate_series(1, ${2 * count}::bigint) as n`);
}

async function fillChain(db: Database, count: number): Promise<void> {
  const sender = hot.address.toLowerCase();
  await db.query(sql`
    insert into chain_senders (blockchain, address, next_nonce)
    values ('ethereum', ${sender}, ${count})`);
  await db.query(sql`
    insert into chain_transactions (id, blockchain, sender, nonce, purpose, payout_id, currency,
      units, call, state, hash, block_number, block_hash, gas_paid, sent_at_block, created_at, updated_at)
    select 'ctx-' || n, 'ethereum', ${sender}, n - 1, 'payout', 'pay-' || ${pastPayouts} + 2 * n - 1, 'USDC',
      25050, '{"gasLimit":{"bigint":"72000"}}', 'final', '0x' || encode(sha256(n::text::bytea), 'hex'),
      n, '0x' || n, 1, n, ${longAgo}, ${longAgo}
    from generate_series(1, ${count}::bigint) as n`);
  await db.query(sql`
    insert into chain_attempts (hash, transaction_id, number, raw, max_fee, priority_fee, created_at)
    select hash, id, 0, '0x' || repeat('ab', 170), 1, 1, created_at from chain_transactions`);
  await db.query(sql`
    insert into chain_deposits (blockchain, transaction_hash, log_index, address, from_address,
      deposit_index, currency, units, block_number, block_hash, block_time, state, is_swept, updated_at)
    select 'ethereum', '0x' || encode(sha256((-n)::text::bytea), 'hex'), 0,
      '0x' || lpad(to_hex(n), 40, '0'), '0x' || lpad('1', 40, '0'), n, 'USDC', 25050, n, '0x' || n,
      ${longAgo}, 'final', true, ${longAgo}
    from generate_series(1, ${count}::bigint) as n`);
  await db.query(sql`
    insert into ramp_transactions (id, user_id, type, settlement_method, state, version, is_open,
      source_order_id, destination_order_id, wallet_id, bank_account_id, blockchain, currency,
      deposit_address, deposit_index, ramp, created_at, updated_at)
    values ('txn-1', 'usr-1', 'OFF_RAMP', 'ACH', 'AWAITING_DEPOSIT', 1, true, 'ord-1', 'ord-2', 'wal-1', 'bac-1',
      'ethereum', 'USDC', ${depositAddress(0)}, 0, '{}', ${farAhead}, ${farAhead})`);
}

async function fillBank(db: Database, count: number): Promise<void> {
  await db.query(sql`
    insert into bank_files (id, direction, format, name, sha256, bytes, sealed, state, entries, cents,
      created_at, delivered_at, updated_at)
    select 'fil-' || n, 'out', 'nacha', 'slipway-ach-' || n || '-A.ach', '', 94000,
      decode(repeat('ab', 94000), 'hex'), 'accepted', ${entriesPerFile}, 1, ${longAgo}, ${longAgo}, ${longAgo}
    from generate_series(1, ${Math.ceil(count / entriesPerFile)}::bigint) as n`);
  await db.query(sql`
    insert into bank_entries (payout_id, rail, trace, cents, sealed, state, file_id, created_at, updated_at)
    select 'pay-' || ${pastPayouts} + 2 * n, 'ach', '02100008' || lpad((5000000 + n)::text, 7, '0'), 25050,
      decode(repeat('ab', 300), 'hex'), 'settled', 'fil-' || (n - 1) / ${entriesPerFile} + 1, ${longAgo}, ${longAgo}
    from generate_series(1, ${count}::bigint) as n`);
}
