import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Dated } from "../../lib/kept-answers.ts";
import type { ListedMarket } from "../market.ts";

/** Keeps the last list of markets that an exchange gave. */
export async function writeListing(
  db: Queryable,
  exchange: string,
  { value, at }: Dated<ListedMarket[]>,
): Promise<void> {
  await db.query(sql`
    insert into cex_listings (exchange, markets, at)
    values (${exchange}, ${JSON.stringify(value)}, ${at})
    on conflict (exchange) do update set markets = excluded.markets, at = excluded.at
    where cex_listings.at <= excluded.at`);
}

/** The last list of markets that an exchange gave; nothing when it never gave one. */
export async function readListing(
  db: Queryable,
  exchange: string,
): Promise<Dated<ListedMarket[]> | undefined> {
  const [row] = await db.query<Dated<ListedMarket[]>>(sql`
    select markets as value, at::float8 as at from cex_listings where exchange = ${exchange}`);
  return row;
}
