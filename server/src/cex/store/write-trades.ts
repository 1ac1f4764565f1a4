import { copyText } from "../../database/copy.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Trade } from "../market.ts";
import { placeText } from "../trade-key.ts";
import { ensureMonths } from "./months.ts";

/** Trades of one market, by its number. */
export type MarketTrades = { market: number; trades: readonly Trade[] };

const columns = ["market", "time", "place", "id", "price", "size", "is_buy"] as const;

/** Writes trades of which none is stored yet; fails when one is. Their ids must be fit to be stored. */
export async function copyTrades(tx: Transaction, batch: readonly MarketTrades[]): Promise<void> {
  await ensureMonths(tx, timesOf(batch));
  await tx.copy({ table: "cex_trades", columns, lines: linesOf(batch) });
}

/** Writes those trades that are not stored yet, and returns them, each once. Half as fast. */
export async function insertTrades(
  tx: Transaction,
  batch: readonly MarketTrades[],
): Promise<MarketTrades[]> {
  await ensureMonths(tx, timesOf(batch));
  await tx.query(sql`create temporary table incoming (like cex_trades) on commit drop`);
  await tx.copy({ table: "incoming", columns, lines: linesOf(batch) });
  const rows = await tx.query<{ market: number; time: number; id: string }>(sql`
    insert into cex_trades select * from incoming on conflict do nothing
    returning market, time::float8 as time, id`);
  const isNew = new Set(rows.map(({ market, time, id }) => `${market} ${time} ${id}`));
  return batch.map(({ market, trades }) => ({
    market,
    trades: trades.filter(({ time, id }) => isNew.delete(`${market} ${time} ${id}`)),
  }));
}

function* timesOf(batch: readonly MarketTrades[]): Generator<number> {
  for (const { trades } of batch) for (const { time } of trades) yield time;
}

function* linesOf(batch: readonly MarketTrades[]): Generator<string> {
  for (const { market, trades } of batch) {
    for (const { time, id, price, size, side } of trades) {
      const place = placeText(id);
      const text = place === id ? id : copyText(id);
      const isBuy = side === "buy" ? "t" : "f";
      yield `${market}\t${time}\t${place}\t${text}\t${price}\t${size}\t${isBuy}\n`;
    }
  }
}

/** A market's last trades, oldest first. */
export async function listLastTrades(
  db: Queryable,
  market: number,
  limit: number,
): Promise<Trade[]> {
  const rows = await db.query<Trade>(sql`
    select id, time::float8 as time, price::text as price, size::text as size,
      case when is_buy then 'buy' else 'sell' end as side
    from cex_trades where market = ${market}
    order by time desc, place desc, id desc limit ${limit}`);
  return rows.reverse();
}

/** The ids of a market's trades in a span of time, both ends included. */
export async function findIds(
  db: Queryable,
  market: number,
  from: number,
  to: number,
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id from cex_trades
    where market = ${market} and time between ${from}::bigint and ${to}::bigint`);
  return new Set(rows.map(({ id }) => id));
}
