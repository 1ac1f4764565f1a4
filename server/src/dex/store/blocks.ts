import type { Chain, Header } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** What ties a block to its neighbours. */
export type BlockLink = Pick<Header, "number" | "hash" | "parentHash" | "time">;

/** The stored blocks of a chain: every one from the oldest to the newest. */
export type StoredBlocks = { oldest: BlockLink; newest: BlockLink };

const asLink = sql`
  number::float8 as number, '0x' || encode(hash, 'hex') as hash, '0x' || encode(parent_hash, 'hex') as "parentHash",
  time::float8 as time`;

/** The ends of what is stored of a chain, or nothing. */
export async function findStoredBlocks(
  db: Queryable,
  blockchain: string,
): Promise<StoredBlocks | undefined> {
  const [newest, oldest] = await db.query<BlockLink>(sql`
    (select ${asLink} from blocks where blockchain = ${blockchain} order by blocks.number desc limit 1)
    union all
    (select ${asLink} from blocks where blockchain = ${blockchain} order by blocks.number limit 1)`);
  return newest && oldest && { oldest, newest };
}

/** The hashes of the stored blocks from one number to another. */
export async function findBlockHashes(
  db: Queryable,
  blockchain: string,
  from: number,
  to: number,
): Promise<Map<number, Hex>> {
  const rows = await db.query<BlockLink>(sql`
    select ${asLink} from blocks where blockchain = ${blockchain} and number between ${from} and ${to}`);
  return new Map(rows.map(({ number, hash }) => [number, hash]));
}

type Replacement = {
  /** The newest block, as the writer knows it. */
  newest: BlockLink | undefined;
  /** The block that stays and that the new ones build on; nothing: none stays. */
  base: BlockLink | undefined;
  blocks: readonly Header[];
};

/** Puts blocks in the place of all after the base. Says whether it did: somebody else may have been quicker. */
export function replaceBlocks(
  db: Database,
  chain: Chain,
  { newest, base, blocks }: Replacement,
): Promise<boolean> {
  return db.transact(async (tx) => {
    await takeTurn(tx, chain.id);
    const stored = await findStoredBlocks(tx, chain.id);
    if (stored?.newest.hash !== newest?.hash) return false;
    await tx.query(sql`
      delete from blocks where blockchain = ${chain.id} and number > ${base?.number ?? -1}`);
    await insertBlocks(tx, chain, blocks);
    return true;
  });
}

/** Puts blocks below the oldest, unless that is not the oldest any more. */
export async function insertOlderBlocks(
  db: Database,
  chain: Chain,
  oldest: BlockLink,
  blocks: readonly Header[],
): Promise<void> {
  await db.transact(async (tx) => {
    await takeTurn(tx, chain.id);
    const stored = await findStoredBlocks(tx, chain.id);
    if (stored?.oldest.hash === oldest.hash) await insertBlocks(tx, chain, blocks);
  });
}

/** Deletes at most `most` of the blocks after a number, newest first. Returns how many. */
export function deleteNewestBlocks(
  db: Database,
  blockchain: string,
  after: number,
  most: number,
): Promise<number> {
  return db.transact(async (tx) => {
    await takeTurn(tx, blockchain);
    const deleted = await tx.query(sql`
      delete from blocks where blockchain = ${blockchain} and number > ${after} and number > (
        select max(number) - ${most} from blocks where blockchain = ${blockchain})
      returning 1`);
    return deleted.length;
  });
}

/** Deletes at most `most` of the blocks before a number, oldest first. */
export async function deleteOldestBlocks(
  db: Database,
  blockchain: string,
  before: number,
  most: number,
): Promise<void> {
  await db.transact(async (tx) => {
    await takeTurn(tx, blockchain);
    await tx.query(sql`
      delete from blocks where blockchain = ${blockchain} and number < ${before} and number < (
        select min(number) + ${most} from blocks where blockchain = ${blockchain})`);
  });
}

/** Writers of a chain wait for each other, so that what one has seen is still true when it writes. */
async function takeTurn(tx: Transaction, blockchain: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`blocks of ${blockchain}`}, 0))`,
  );
}

async function insertBlocks(
  tx: Transaction,
  chain: Chain,
  blocks: readonly Header[],
): Promise<void> {
  await tx.copy({
    table: "blocks",
    columns: [
      "blockchain",
      "number",
      "hash",
      "parent_hash",
      "time",
      "size",
      "gas_limit",
      "gas_used",
      "total_difficulty",
      "author",
    ],
    rows: blocks.map((block) => [
      chain.id,
      block.number,
      bytesOf(block.hash),
      bytesOf(block.parentHash),
      block.time,
      block.size,
      block.gasLimit,
      block.gasUsed,
      block.totalDifficulty ?? chain.totalDifficulty,
      bytesOf(block.author),
    ]),
  });
}

function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}
