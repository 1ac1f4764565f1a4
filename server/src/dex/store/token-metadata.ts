import type { Hex } from "../../chains/hex.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { bytesOf } from "./checkpoints.ts";

/** What a token's contract said. No decimals: it did not say. */
export type StoredMetadata = {
  address: Hex;
  name: string;
  symbol: string;
  decimals: number | null;
};

export function listMetadata(
  db: Queryable,
  blockchain: string,
  addresses: readonly Hex[],
): Promise<StoredMetadata[]> {
  return db.query<StoredMetadata>(sql`
    select '0x' || encode(address, 'hex') as address, name, symbol, decimals
    from token_metadata
    where blockchain = ${blockchain} and address = any(${addresses.map(bytesOf)})`);
}

export async function insertMetadata(
  db: Queryable,
  blockchain: string,
  { address, name, symbol, decimals }: StoredMetadata,
): Promise<void> {
  await db.query(sql`
    insert into token_metadata (blockchain, address, name, symbol, decimals)
    values (${blockchain}, ${bytesOf(address)}, ${name}, ${symbol}, ${decimals})
    on conflict do nothing`);
}

/** Notes a supply as of a block, unless it is what we knew already. */
export async function noteSupply(
  db: Queryable | Transaction,
  blockchain: string,
  { address, block, supply }: { address: Hex; block: number; supply: bigint },
): Promise<void> {
  await db.query(sql`
    insert into token_supplies (blockchain, address, block, supply)
    select ${blockchain}, ${bytesOf(address)}, ${block}, ${String(supply)}::numeric
    where ${String(supply)}::numeric is distinct from (
      select supply from token_supplies
      where blockchain = ${blockchain} and address = ${bytesOf(address)}
      order by block desc limit 1)
    on conflict do nothing`);
}
