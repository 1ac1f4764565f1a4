import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";

/** A market of an exchange, by the ids in paths. */
export type MarketName = { exchange: string; market: string };

/** A market's row. Times are Unix milliseconds; null: there is nothing yet. */
export type StoredMarket = {
  /** Its number in the other tables. */
  id: number;
  /** Every trade from then on is stored, but for those in gaps. */
  tradesSince: number | null;
  /** Candles that start from then on are folded from all their trades, but for those in gaps. */
  foldedSince: number | null;
};

/** Finds a market's row, or makes it. */
export async function openMarket(db: Queryable, name: MarketName): Promise<StoredMarket> {
  await db.query(sql`
    insert into cex_markets (exchange, market) values (${name.exchange}, ${name.market})
    on conflict do nothing`);
  const market = await findMarket(db, name);
  assert(market, "a market's row was just made");
  return market;
}

/** A market's row; nothing when its history has never been kept. */
export async function findMarket(
  db: Queryable,
  { exchange, market }: MarketName,
): Promise<StoredMarket | undefined> {
  const [row] = await db.query<StoredMarket>(sql`
    select id, trades_since::float8 as "tradesSince", folded_since::float8 as "foldedSince" from cex_markets
    where exchange = ${exchange} and market = ${market}`);
  return row;
}

/** Notes since when trades are stored, if nothing was before. */
export async function setTradesSince(db: Queryable, id: number, time: number): Promise<void> {
  await db.query(sql`
    update cex_markets set trades_since = ${time}, folded_since = ${time}
    where id = ${id} and trades_since is null`);
}

/** The number of a market, for conditions of queries. */
export function idOf({ exchange, market }: MarketName): Sql {
  return sql`(select id from cex_markets where exchange = ${exchange} and market = ${market})`;
}
