import type { Hex } from "../../../chains/hex.ts";
import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, sql } from "../../../database/sql.ts";

/** How far a chain was looked through: before `nextBlock`; for good up to `finalBlock`. */
export type ChainCursor = { nextBlock: number; finalBlock: number };

/** A block by its place and its name. */
export type KnownBlock = { number: number; hash: Hex };

type CursorRow = { nextBlock: bigint; finalBlock: bigint };
type BlockRow = { number: bigint; hash: Hex };

const asCursor = prepared`next_block as "nextBlock", final_block as "finalBlock"`;

/** Takes the watch of a chain for us alone until `until`, when it is due. */
export async function claimCursor(
  db: Queryable,
  blockchain: string,
  now: Date,
  until: Date,
): Promise<ChainCursor | undefined> {
  const [row] = await db.query<CursorRow>(prepared`
    update chain_cursors set leased_until = ${until}
    where blockchain = ${blockchain} and due_at <= ${now}
      and (leased_until is null or leased_until <= ${now})
    returning ${asCursor}`);
  return row && cursorOf(row);
}

export async function findChainCursor(
  db: Queryable,
  blockchain: string,
): Promise<ChainCursor | undefined> {
  const [row] = await db.query<CursorRow>(prepared`
    select ${asCursor} from chain_cursors where blockchain = ${blockchain}`);
  return row && cursorOf(row);
}

/** Leaves the watch of a chain to whoever comes at `dueAt`. */
export async function releaseCursor(db: Queryable, blockchain: string, dueAt: Date): Promise<void> {
  await db.query(prepared`
    update chain_cursors set due_at = ${dueAt}, leased_until = null
    where blockchain = ${blockchain}`);
}

/** Begins to watch a chain after a block. Whoever comes second changes nothing. */
export async function insertCursor(
  tx: Transaction,
  blockchain: string,
  { number, hash }: KnownBlock,
  dueAt: Date,
): Promise<void> {
  await tx.query(sql`
    with begun as (
      insert into chain_cursors (blockchain, next_block, final_block, due_at)
      values (${blockchain}, ${number + 1}, ${number}, ${dueAt})
      on conflict do nothing returning blockchain
    )
    insert into chain_blocks (blockchain, number, hash)
    select blockchain, ${number}::bigint, ${hash}::text from begun`);
}

/** The newest block that we keep up to this number. */
export async function findKeptBlock(
  db: Queryable,
  blockchain: string,
  upTo: number,
): Promise<KnownBlock | undefined> {
  const [row] = await db.query<BlockRow>(prepared`
    select number, hash from chain_blocks
    where blockchain = ${blockchain} and number <= ${upTo} order by number desc limit 1`);
  return row && { number: Number(row.number), hash: row.hash };
}

/** Goes past a block. Returns false when somebody else did so, or went back, before. */
export async function passBlock(
  tx: Transaction,
  blockchain: string,
  { number, hash }: KnownBlock,
): Promise<boolean> {
  const passed = await tx.query(prepared`
    with passed as (
      update chain_cursors set next_block = ${number}::bigint + 1
      where blockchain = ${blockchain} and next_block = ${number}
      returning blockchain
    )
    insert into chain_blocks (blockchain, number, hash)
    select blockchain, ${number}::bigint, ${hash}::text from passed
    returning number`);
  return passed.length > 0;
}

/** Forgets the blocks from `to` on, so that they are looked through again. Returns false when somebody moved before. */
export async function goBack(
  tx: Transaction,
  blockchain: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const moved = await tx.query(sql`
    update chain_cursors set next_block = ${to}, final_block = least(final_block, ${to}::bigint - 1)
    where blockchain = ${blockchain} and next_block = ${from}
    returning blockchain`);
  if (moved.length === 0) return false;
  await tx.query(sql`
    delete from chain_blocks where blockchain = ${blockchain} and number >= ${to}`);
  return true;
}

/** Says that a chain is for good up to a block, unless we looked through another one or a deposit has not been told so. */
export async function moveFinal(
  tx: Transaction,
  blockchain: string,
  { number, hash }: KnownBlock,
): Promise<void> {
  const moved = await tx.query(sql`
    update chain_cursors set final_block = ${number}
    where blockchain = ${blockchain} and final_block < ${number} and next_block > ${number}
      and exists (
        select from chain_blocks
        where blockchain = ${blockchain} and number = ${number} and hash = ${hash}
      )
      and not exists (
        select from chain_deposits
        where blockchain = ${blockchain} and state = 'seen' and block_number <= ${number}
      )
    returning blockchain`);
  if (moved.length === 0) return;
  await tx.query(sql`
    delete from chain_blocks where blockchain = ${blockchain} and number < ${number}`);
}

/** Senders of ours with transactions whose end has not been told: the first nonce and the first block of those. */
export async function listUntold(
  db: Queryable,
  blockchain: string,
): Promise<{ sender: Hex; nonce: number; block: number | null }[]> {
  const rows = await db.query<{ sender: Hex; nonce: bigint; block: bigint | null }>(prepared`
    select sender, min(nonce) as nonce, min(block_number) filter (where state = 'mined') as block
    from chain_transactions
    where blockchain = ${blockchain} and state in ('reserved', 'signed', 'mined')
    group by sender`);
  return rows.map(({ sender, nonce, block }) => ({
    sender,
    nonce: Number(nonce),
    block: block === null ? null : Number(block),
  }));
}

function cursorOf({ nextBlock, finalBlock }: CursorRow): ChainCursor {
  return { nextBlock: Number(nextBlock), finalBlock: Number(finalBlock) };
}
