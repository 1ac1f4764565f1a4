import { idOf, type MarketName } from "../../cex/store/markets.ts";
import { isNewer, tradeJson } from "../../cex/store/read-trades.ts";
import type { TradeKey } from "../../cex/trade-key.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** Trades as the JSON of an array without its brackets, oldest first, with their ids and the last of them. */
export type TradeRun = { ids: string[]; json: string; last: TradeKey };

/** The trades that follow one, up to `limit`; nothing when there are none. */
export async function readTradesAfter(
  db: Queryable,
  name: MarketName,
  after: TradeKey,
  limit: number,
): Promise<TradeRun | undefined> {
  const [row] = await db.query<{ ids: string[] | null; json: string; time: number }>(sql`
    select array_agg(id) as ids, string_agg(json, ',') as json, max(time)::float8 as time
    from (
      select t.time, t.id, ${tradeJson} as json from cex_trades t
      where t.market = ${idOf(name)} ${isNewer(after)}
      order by t.time, t.place, t.id limit ${limit}
    ) as t`);
  const id = row?.ids?.at(-1);
  if (!row?.ids || id === undefined) return undefined;
  return { ids: row.ids, json: row.json, last: { time: row.time, id } };
}

/** The newest of a market's trades, or, with `skip`, the one so many before it among those after a trade. */
export async function findNewestTrade(
  db: Queryable,
  name: MarketName,
  { after, skip = 0 }: { after?: TradeKey; skip?: number } = {},
): Promise<TradeKey | undefined> {
  const [row] = await db.query<TradeKey>(sql`
    select t.time::float8 as time, t.id from cex_trades t
    where t.market = ${idOf(name)} ${after ? isNewer(after) : sql``}
    order by t.time desc, t.place desc, t.id desc limit 1 offset ${skip}`);
  return row;
}

/** The ids of the newest trades. */
export async function listNewestIds(
  db: Queryable,
  name: MarketName,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select t.id from cex_trades t where t.market = ${idOf(name)}
    order by t.time desc, t.place desc, t.id desc limit ${limit}`);
  return rows.map(({ id }) => id).reverse();
}

/** Some trades by what names them, oldest first, as JSON like the others; nothing when they are not stored. */
export async function readTradesByKey(
  db: Queryable,
  name: MarketName,
  keys: readonly TradeKey[],
): Promise<string | undefined> {
  const [row] = await db.query<{ json: string | null }>(sql`
    select string_agg(${tradeJson}, ',' order by t.time, t.place, t.id) as json
    from cex_trades t
    join unnest(${keys.map(({ time }) => time)}::bigint[], ${keys.map(({ id }) => id)}::text[]) as key (time, id)
      on t.time = key.time and t.id = key.id
    where t.market = ${idOf(name)}`);
  return row?.json ?? undefined;
}
