import type { Hex } from "../../chains/hex.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { asUnits } from "../../lib/money.ts";
import type { Notice } from "../../ramp/ports.ts";
import type { PayoutId } from "../../ramp/transaction.ts";

const treasuryLock = 5_210_009;

/** Makes whoever takes a chain over the only one until `tx` ends. Returns whether it is. */
export async function tryLockTreasury(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ isOurs: boolean }>(
    sql`select pg_try_advisory_xact_lock(${treasuryLock}) as "isOurs"`,
  );
  return row?.isOurs === true;
}

/** A block that the chain must still have. */
export async function findAnchor(
  db: Queryable,
  blockchain: string,
): Promise<{ number: number; hash: Hex } | undefined> {
  const [row] = await db.query<{ number: bigint; hash: Hex }>(sql`
    select number, hash from sandbox_blocks
    where number <= (select final_block from chain_cursors where blockchain = ${blockchain})
    order by number desc limit 1`);
  return row && { number: Number(row.number), hash: row.hash };
}

/**
 * When a block was made, as whoever saw it first says; not after one that stands above it. Blocks below one that is
 * final are forgotten; that one stays, and by it the chain is recognised.
 */
export async function rememberBlock(
  db: Queryable,
  blockchain: string,
  { hash, number, at }: { hash: Hex; number: number; at: Date },
): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`
    with forgotten as (
      delete from sandbox_blocks where number < (
        select max(number) from sandbox_blocks
        where number <= (select final_block from chain_cursors where blockchain = ${blockchain}))
    )
    insert into sandbox_blocks (hash, number, at)
    select ${hash}, ${number}, least(
      ${at}::timestamptz, (select min(at) from sandbox_blocks where number > ${number}))
    on conflict (hash) do update set at = sandbox_blocks.at
    returning at`);
  return row?.at ?? at;
}

/** Forgets the blocks above a number, which are no longer in the chain. */
export async function forgetBlocksAbove(db: Queryable, number: number): Promise<void> {
  await db.query(sql`delete from sandbox_blocks where number > ${number}`);
}

/** Whether a chain's news wait to be read, or its twin has something under way that is money. */
export async function isBusy(db: Queryable, blockchain: string): Promise<boolean> {
  const [row] = await db.query<{ isBusy: boolean }>(sql`
    select exists (
        select from sandbox_payments
        where account like ${`%.${blockchain}`} and rail = 'chain' and due_at is not null)
      or exists (
        select from sandbox_transfers where blockchain = ${blockchain} and due_at is not null)
      or (select max(id) from sandbox_notices where source = 'sandbox-chain')
        > coalesce((select cursor from news_cursors where source = 'sandbox-chain'), '0')::bigint
      or (select max(id) from rail_notices where source = ${`chain:${blockchain}`})
        > coalesce((select cursor from news_cursors where source = ${`chain:${blockchain}`}), '0')::bigint
      as "isBusy"`);
  return row?.isBusy === true;
}

/** Lets everything that is under way on a chain's twin come to its end now. */
export async function hurryTwin(db: Queryable, blockchain: string, now: Date): Promise<void> {
  await db.query(sql`
    update sandbox_payments set due_at = ${now}
    where account like ${`%.${blockchain}`} and rail = 'chain' and due_at > ${now}`);
  await db.query(sql`
    update sandbox_transfers set due_at = ${now}
    where blockchain = ${blockchain} and due_at > ${now}`);
}

/**
 * Forgets everything about a chain that is no longer there. Returns what is to be told: deposits that were not final are
 * gone, and what was sent and not final has failed. What was final stays in the books.
 */
export async function forgetChain(
  tx: Transaction,
  blockchain: string,
  at: number,
): Promise<Notice[]> {
  const notices = [
    ...(await loseDeposits(tx, blockchain, at)),
    ...(await losePayouts(tx, blockchain, at)),
  ];
  await tx.query(sql`delete from chain_deposits where blockchain = ${blockchain}`);
  await tx.query(sql`
    delete from chain_attempts where transaction_id in (
      select id from chain_transactions where blockchain = ${blockchain})`);
  await tx.query(sql`delete from chain_transactions where blockchain = ${blockchain}`);
  await tx.query(sql`delete from chain_senders where blockchain = ${blockchain}`);
  await tx.query(sql`delete from chain_blocks where blockchain = ${blockchain}`);
  await tx.query(sql`delete from sandbox_blocks`);
  return notices;
}

/** Says that the ramp does not look at a chain any more. */
export async function endTakeOver(tx: Transaction, blockchain: string): Promise<void> {
  await tx.query(sql`delete from chain_cursors where blockchain = ${blockchain}`);
}

/** Lets the ramp look at a chain now, and not only when it would by itself. */
export async function lookNow(db: Queryable, blockchain: string, now: Date): Promise<void> {
  await db.query(sql`
    update chain_cursors set due_at = ${now} where blockchain = ${blockchain} and due_at > ${now}`);
}

/** Whether the ramp takes any of these transfers for one that is in the chain and not final. */
export async function isAnySeen(
  db: Queryable,
  blockchain: string,
  hashes: readonly string[],
): Promise<boolean> {
  const rows = await db.query(sql`
    select from chain_deposits
    where blockchain = ${blockchain} and transaction_hash = any(${hashes}) and state = 'seen'
    limit 1`);
  return rows.length > 0;
}

/** Whether an address is one that deposits are sent to. */
export async function isDepositAddress(
  db: Queryable,
  blockchain: string,
  address: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from ramp_transactions
    where blockchain = ${blockchain} and lower(deposit_address) = ${address.toLowerCase()}`);
  return rows.length > 0;
}

async function loseDeposits(tx: Transaction, blockchain: string, at: number): Promise<Notice[]> {
  const lost = await tx.query<{
    transactionHash: string;
    logIndex: number;
    address: string;
    fromAddress: string;
    currency: string;
    units: string;
    blockTime: Date;
  }>(sql`
    select transaction_hash as "transactionHash", log_index as "logIndex", address,
      from_address as "fromAddress", currency, units, block_time as "blockTime"
    from chain_deposits where blockchain = ${blockchain} and state = 'seen'
    order by block_number, log_index for update`);
  return lost.map(({ units, blockTime, ...deposit }) => ({
    kind: "deposit_gone",
    blockchain,
    ...deposit,
    units: asUnits(BigInt(units)),
    blockTime: blockTime.getTime(),
    at,
  }));
}

async function losePayouts(tx: Transaction, blockchain: string, at: number): Promise<Notice[]> {
  const lost = await tx.query<{ reference: PayoutId }>(sql`
    select payout_id as reference from chain_transactions
    where blockchain = ${blockchain} and payout_id is not null
      and state in ('reserved', 'signed', 'mined')
    order by id for update`);
  const why = "the sandbox's chain is another one than before";
  return lost.map(({ reference }) => ({ kind: "payout_failed", reference, why, at }));
}
