import type { Hex } from "../../chains/hex.ts";
import type { Queryable } from "../../database/database.ts";
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

/** Notes supplies as of a block, except those that are what we knew already. */
export async function noteSupplies(
  db: Queryable,
  blockchain: string,
  block: number,
  supplies: readonly { address: Hex; supply: bigint }[],
): Promise<void> {
  await db.query(sql`
    insert into token_supplies (blockchain, address, block, supply)
    select ${blockchain}, seen.address, ${block}, seen.supply
    from unnest(
      ${supplies.map(({ address }) => bytesOf(address))}::bytea[],
      ${supplies.map(({ supply }) => String(supply))}::numeric[]
    ) as seen (address, supply)
    where seen.supply is distinct from (
      select known.supply from token_supplies known
      where known.blockchain = ${blockchain} and known.address = seen.address
      order by known.block desc limit 1)
    on conflict do nothing`);
}
