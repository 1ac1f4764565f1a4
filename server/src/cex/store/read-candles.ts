import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { idOf, type MarketName } from "./markets.ts";
import type { ReadPage } from "./read-trades.ts";

/** Which candles of which market. Times are Unix milliseconds. */
export type CandleQuery = MarketName & {
  seconds: number;
  limit: number;
  direction: "asc" | "desc";
  /** Only those that start in this span, both ends included. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only those newer than the candle that starts here; of these the nearest to it, in either direction. */
  before?: number | undefined;
  /** Only those older than the candle that starts here; of these the nearest to it, in either direction. */
  after?: number | undefined;
  /** Spans without trades get a candle that stays at the close before them. */
  isFilled: boolean;
  /** What time it is: it tells which candle is still growing. */
  now: number;
};

/** A span of candle starts, both ends included. */
type Span = { count: number; oldest: number; newest: number };

const chunkRows = 2_000;

/** A page of a market's candles; its keys are the times at which they start. */
export async function readCandles(db: Queryable, query: CandleQuery): Promise<ReadPage<number>> {
  const span = await (query.isFilled ? findFilledSpan(db, query) : findSpan(db, query));
  return {
    count: span?.count ?? 0,
    newest: span?.newest,
    oldest: span?.oldest,
    chunks: readChunks(db, query, span),
  };
}

/** How far back the exchange has been asked for candles; nothing when it never was. */
export async function findCandleReach(
  db: Queryable,
  { seconds, ...name }: MarketName & { seconds: number },
): Promise<number | undefined> {
  const [row] = await db.query<{ since: number }>(sql`
    select since::float8 as since from cex_candle_reach
    where market = ${idOf(name)} and seconds = ${seconds}`);
  return row?.since;
}

/** Whether the oldest that match are wanted, or the newest. */
function isFromOldest({ before, after, direction }: CandleQuery): boolean {
  if (before !== undefined) return true;
  return after === undefined && direction === "asc";
}

/** The first and the last moment at which a wanted candle may start. */
function boundsOf({ from, to, before, after, seconds, now }: CandleQuery): [number, number] {
  const step = seconds * 1_000;
  const least = Math.max(from ?? 0, before === undefined ? 0 : before + 1);
  const most = Math.min(to ?? now, after === undefined ? now : after - 1);
  return [Math.ceil(least / step) * step, Math.floor(most / step) * step];
}

async function findSpan(db: Queryable, query: CandleQuery): Promise<Span | undefined> {
  const [least, most] = boundsOf(query);
  const [row] = await db.query<Partial<Span>>(sql`
    select count(*)::int as count, min(time)::float8 as oldest, max(time)::float8 as newest
    from (
      select c.time from cex_candles c
      where c.market = ${idOf(query)} and c.seconds = ${query.seconds}
        and c.time between ${least}::bigint and ${most}::bigint
      order by c.time ${isFromOldest(query) ? sql`` : sql`desc`} limit ${query.limit}
    ) as c`);
  return row?.count ? (row as Span) : undefined;
}

/** With every span filled, the page is a matter of arithmetic from the first candle on. */
async function findFilledSpan(db: Queryable, query: CandleQuery): Promise<Span | undefined> {
  const [row] = await db.query<{ first: number }>(sql`
    select time::float8 as first from cex_candles
    where market = ${idOf(query)} and seconds = ${query.seconds} order by time limit 1`);
  if (!row) return undefined;
  const step = query.seconds * 1_000;
  const [from, newest] = boundsOf(query);
  const oldest = Math.max(from, row.first);
  if (oldest > newest) return undefined;
  const count = Math.min(query.limit, (newest - oldest) / step + 1);
  const length = (count - 1) * step;
  return isFromOldest(query)
    ? { count, oldest, newest: oldest + length }
    : { count, oldest: newest - length, newest };
}

async function* readChunks(
  db: Queryable,
  query: CandleQuery,
  span: Span | undefined,
): AsyncGenerator<string> {
  if (!span) return;
  let [low, high] = [span.oldest, span.newest];
  while (low <= high) {
    const [row] = await db.query<Partial<Span> & { text: string | null }>(chunk(query, low, high));
    if (!row?.text || row.newest === undefined || row.oldest === undefined) return;
    yield row.text;
    if (query.direction === "asc") low = row.newest + 1;
    else high = row.oldest - 1;
  }
}

/** A candle `c` as answers have it. No digit is lost or added on the way. */
function asJson({ seconds, now }: CandleQuery): Sql {
  return sql`
    '{"timestamp":"' || c.time || '","o":' || trim_scale(c.open) || ',"h":' || trim_scale(c.high)
    || ',"l":' || trim_scale(c.low) || ',"c":' || trim_scale(c.close) || ',"volume":' || trim_scale(c.volume)
    || coalesce(',"txCount":' || c.trades, '')
    || case when c.time + ${seconds * 1_000}::bigint <= ${now}::bigint
      then ',"closed":true}' else ',"closed":false}' end`;
}

/** The first candles from one end of a span. */
function chunk(query: CandleQuery, low: number, high: number): Sql {
  const { seconds, direction, isFilled } = query;
  const ofMarket = sql`c.market = ${idOf(query)} and c.seconds = ${seconds}`;
  return sql`
    select string_agg(${asJson(query)}, ',') as text,
      min(c.time)::float8 as oldest, max(c.time)::float8 as newest
    from (
      ${
        isFilled
          ? filled(ofMarket, spans(query, low, high))
          : sql`
            select * from cex_candles c
            where ${ofMarket} and c.time between ${low}::bigint and ${high}::bigint`
      }
      order by time ${direction === "asc" ? sql`` : sql`desc`} limit ${chunkRows}
    ) as c`;
}

/** As many starts of candles as make a chunk, from the end at which the answer begins. */
function spans({ seconds, direction }: CandleQuery, low: number, high: number): Sql {
  const step = seconds * 1_000;
  const length = (chunkRows - 1) * step;
  const first = direction === "asc" ? low : Math.max(low, Math.floor(high / step) * step - length);
  const start = Math.ceil(first / step) * step;
  return sql`generate_series(${start}::bigint, least(${high}::bigint, ${start + length}::bigint), ${step}::bigint)`;
}

/** Each span takes the last candle up to it; where that is an earlier one, nothing but its close is left. */
function filled(ofMarket: Sql, starts: Sql): Sql {
  const isOwn = sql`c.time = start`;
  return sql`
    select c.* from ${starts} as start,
      lateral (
        select start as time, c.close,
          case when ${isOwn} then c.open else c.close end as open,
          case when ${isOwn} then c.high else c.close end as high,
          case when ${isOwn} then c.low else c.close end as low,
          case when ${isOwn} then c.volume else 0 end as volume,
          case when ${isOwn} then c.trades else 0 end as trades
        from cex_candles c where ${ofMarket} and c.time <= start order by c.time desc limit 1
      ) as c`;
}
