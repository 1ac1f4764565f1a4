import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { TradeCandle } from "../candles.ts";
import type { Candle } from "../market.ts";
import { placeOf } from "../trade-key.ts";

/** Candles of trades that were just stored, for one market and one timeframe. */
export type CandleAdditions = { market: number; seconds: number; candles: readonly TradeCandle[] };

/** A candle as the exchange has it, with the trades up to a moment. */
export type ExchangeCandle = Candle & { until: number };

/**
 * Adds trades to the candles there are. The order in which trades come makes no difference; what the exchange has
 * counted already is not counted again.
 */
export async function addToCandles(
  db: Queryable,
  additions: readonly CandleAdditions[],
): Promise<void> {
  const rows = additions.flatMap(({ market, seconds, candles }) =>
    candles.map((candle) => ({ market, seconds, ...candle })),
  );
  if (rows.length === 0) return;
  await db.query(sql`
    insert into cex_candles as old (market, seconds, time, open, high, low, close, volume, trades,
      first_time, first_place, first_id, last_time, last_place, last_id)
    select * from unnest(
      ${rows.map(({ market }) => market)}::int[], ${rows.map(({ seconds }) => seconds)}::int[],
      ${rows.map(({ time }) => time)}::bigint[],
      ${rows.map(({ open }) => open)}::numeric[], ${rows.map(({ high }) => high)}::numeric[],
      ${rows.map(({ low }) => low)}::numeric[], ${rows.map(({ close }) => close)}::numeric[],
      ${rows.map(({ volume }) => volume)}::numeric[], ${rows.map(({ trades }) => trades)}::int[],
      ${rows.map(({ first }) => first.time)}::bigint[], ${rows.map(({ first }) => placeOf(first.id))}::bigint[],
      ${rows.map(({ first }) => first.id)}::text[],
      ${rows.map(({ last }) => last.time)}::bigint[], ${rows.map(({ last }) => placeOf(last.id))}::bigint[],
      ${rows.map(({ last }) => last.id)}::text[])
    on conflict (market, seconds, time) do update set
      open = case when ${isFirst} then excluded.open else old.open end,
      high = greatest(old.high, excluded.high),
      low = least(old.low, excluded.low),
      close = case when ${isLast} then excluded.close else old.close end,
      volume = old.volume + excluded.volume,
      trades = old.trades + excluded.trades,
      ${replace("first", isFirst)},
      ${replace("last", isLast)}
    where old.exchange_until is null or excluded.first_time > old.exchange_until`);
}

/** An exchange's open stays: what we add to its candle came later. */
const isFirst = sql`(old.first_time is not null and
  (excluded.first_time, excluded.first_place, excluded.first_id) < (old.first_time, old.first_place, old.first_id))`;
const isLast = sql`(old.last_time is null or
  (excluded.last_time, excluded.last_place, excluded.last_id) > (old.last_time, old.last_place, old.last_id))`;

function replace(end: "first" | "last", condition: Sql): Sql {
  return end === "first"
    ? sql`
      first_time = case when ${condition} then excluded.first_time else old.first_time end,
      first_place = case when ${condition} then excluded.first_place else old.first_place end,
      first_id = case when ${condition} then excluded.first_id else old.first_id end`
    : sql`
      last_time = case when ${condition} then excluded.last_time else old.last_time end,
      last_place = case when ${condition} then excluded.last_place else old.last_place end,
      last_id = case when ${condition} then excluded.last_id else old.last_id end`;
}

/** Puts an exchange's candles in the place of ours. */
export async function putExchangeCandles(
  db: Queryable,
  market: number,
  seconds: number,
  candles: readonly ExchangeCandle[],
): Promise<void> {
  await db.query(sql`
    insert into cex_candles (market, seconds, time, open, high, low, close, volume, exchange_until)
    select ${market}::int, ${seconds}::int, * from unnest(
      ${candles.map(({ time }) => time)}::bigint[],
      ${candles.map(({ open }) => open)}::numeric[], ${candles.map(({ high }) => high)}::numeric[],
      ${candles.map(({ low }) => low)}::numeric[], ${candles.map(({ close }) => close)}::numeric[],
      ${candles.map(({ volume }) => volume)}::numeric[], ${candles.map(({ until }) => until)}::bigint[])
    on conflict (market, seconds, time) do update set
      open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
      volume = excluded.volume, trades = null, exchange_until = excluded.exchange_until,
      first_time = null, first_place = null, first_id = null,
      last_time = null, last_place = null, last_id = null`);
}

/** A candle of the exchange that was still growing when it was fetched. */
export type UnfinishedCandle = { seconds: number; time: number; until: number };

/** Those of a market's candles from the exchange that lack what came after they were fetched. */
export async function listUnfinishedCandles(
  db: Queryable,
  market: number,
): Promise<UnfinishedCandle[]> {
  return db.query<UnfinishedCandle>(sql`
    select seconds, time::float8 as time, exchange_until::float8 as until from cex_candles
    where market = ${market} and exchange_until < time + seconds * 1000 - 1
    order by seconds, time`);
}

/** Notes how far back candles have been asked for. */
export async function setCandleReach(
  db: Queryable,
  market: number,
  seconds: number,
  since: number,
): Promise<void> {
  await db.query(sql`
    insert into cex_candle_reach (market, seconds, since) values (${market}, ${seconds}, ${since})
    on conflict (market, seconds) do update set since = least(cex_candle_reach.since, excluded.since)`);
}
