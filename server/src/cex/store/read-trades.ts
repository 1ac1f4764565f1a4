import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { placeOf, type TradeKey } from "../trade-key.ts";
import { idOf, type MarketName } from "./markets.ts";

/** Which trades of which market, in the words of the parameters of requests. */
export type TradeQuery = MarketName & {
  limit: number;
  /** Only those newer than this one; of these the nearest to it. */
  before?: TradeKey | undefined;
  /** Only those older than this one. */
  after?: TradeKey | undefined;
  /** Only those from this moment on, in Unix milliseconds. */
  since?: number | undefined;
};

/** A page of a list that is answered as JSON. */
export type ReadPage<Key> = {
  count: number;
  /** The two ends of the page; nothing when it is empty. */
  newest: Key | undefined;
  oldest: Key | undefined;
  /** The items as JSON, with commas within a chunk but none between two. No chunk is empty. */
  chunks: AsyncIterable<string>;
};

/** So few that neither our thread nor a client waits long for them. */
const chunkRows = 2_000;

/** A trade `t` as answers have it. No digit is lost or added on the way. */
export const tradeJson = sql`
  '{"id":' || to_json(t.id)::text || ',"timestamp":"' || t.time || '","price":' || trim_scale(t.price)
  || ',"size":' || trim_scale(t.size) || ',"cost":' || trim_scale(t.price * t.size)
  || case when t.is_buy then ',"side":"buy"}' else ',"side":"sell"}' end`;

/**
 * A page of a market's trades, newest first. With `before` it holds the trades that follow the cursor, so that who
 * goes on from page to page misses none; they too come newest first.
 */
export async function readTrades(db: Queryable, query: TradeQuery): Promise<ReadPage<TradeKey>> {
  const { limit, before } = query;
  if (limit <= chunkRows && !before) {
    const { text, ...page } = await readChunk(db, query, withinQuery(query), limit);
    return { ...page, chunks: only(text) };
  }
  const page = await findPage(db, query);
  return { ...page, chunks: readChunks(db, query, page) };
}

async function* only(text: string | null): AsyncGenerator<string> {
  if (text !== null) yield text;
}

/** Reads from the newest trade of a page to its oldest. One that comes in between is part of the page. */
async function* readChunks(
  db: Queryable,
  name: MarketName,
  { newest, oldest }: { newest: TradeKey | undefined; oldest: TradeKey | undefined },
): AsyncGenerator<string> {
  if (!newest || !oldest) return;
  const downTo = isAtLeast(oldest);
  let within = sql`${isAtMost(newest)} ${downTo}`;
  for (;;) {
    const { text, count, oldest: reached } = await readChunk(db, name, within, chunkRows);
    if (text !== null) yield text;
    if (!reached || count < chunkRows) return;
    within = sql`${isOlder(reached)} ${downTo}`;
  }
}

type Ends = {
  count: number;
  newestTime: number | null;
  newestId: string | null;
  oldestTime: number | null;
  oldestId: string | null;
};

/** The two ends of rows that are in order, newest first. */
const ends = sql`
  count(*)::int as count,
  (array_agg(time))[1]::float8 as "newestTime", (array_agg(id))[1] as "newestId",
  (array_agg(time))[count(*)]::float8 as "oldestTime", (array_agg(id))[count(*)] as "oldestId"`;

type FoundPage = Omit<ReadPage<TradeKey>, "chunks">;

function pageOf(row: Ends | undefined): FoundPage {
  const key = (time: number | null | undefined, id: string | null | undefined) =>
    typeof time === "number" && typeof id === "string" ? { time, id } : undefined;
  return {
    count: row?.count ?? 0,
    newest: key(row?.newestTime, row?.newestId),
    oldest: key(row?.oldestTime, row?.oldestId),
  };
}

async function readChunk(
  db: Queryable,
  name: MarketName,
  within: Sql,
  limit: number,
): Promise<FoundPage & { text: string | null }> {
  const [row] = await db.query<Ends & { text: string | null }>(sql`
    select ${ends}, string_agg(json, ',') as text
    from (
      select t.time, t.id, ${tradeJson} as json from cex_trades t
      where t.market = ${idOf(name)} ${within}
      order by t.time desc, t.place desc, t.id desc limit ${limit}
    ) as t`);
  return { ...pageOf(row), text: row?.text ?? null };
}

/** Finds where a page ends before it is read, in the index alone: its cursors go ahead of its rows. */
async function findPage(db: Queryable, query: TradeQuery): Promise<FoundPage> {
  const keys = sql`
    select t.time, t.place, t.id from cex_trades t
    where t.market = ${idOf(query)} ${withinQuery(query)}`;
  const [row] = await db.query<Ends>(
    query.before
      ? sql`
        select ${ends} from (
          select time, id from (${keys} order by t.time, t.place, t.id limit ${query.limit}) as nearest
          order by time desc, place desc, id desc
        ) as t`
      : sql`
        select ${ends} from (
          ${keys} order by t.time desc, t.place desc, t.id desc limit ${query.limit}
        ) as t`,
  );
  return pageOf(row);
}

function withinQuery({ before, after, since }: TradeQuery): Sql {
  return sql`
    ${before ? isNewer(before) : sql``}
    ${after ? isOlder(after) : sql``}
    ${since === undefined ? sql`` : sql`and t.time >= ${since}::bigint`}`;
}

// The time stands by itself as well: that is what tells which months need not be looked at.

/** The condition that a trade `t` comes after another. */
export function isNewer(key: TradeKey): Sql {
  return sql`and t.time >= ${key.time}::bigint and ${place} > ${placed(key)}`;
}

function isOlder(key: TradeKey): Sql {
  return sql`and t.time <= ${key.time}::bigint and ${place} < ${placed(key)}`;
}

function isAtLeast(key: TradeKey): Sql {
  return sql`and t.time >= ${key.time}::bigint and ${place} >= ${placed(key)}`;
}

function isAtMost(key: TradeKey): Sql {
  return sql`and t.time <= ${key.time}::bigint and ${place} <= ${placed(key)}`;
}

const place = sql`(t.time, t.place, t.id)`;

function placed({ time, id }: TradeKey): Sql {
  return sql`(${time}::bigint, ${placeOf(id)}::bigint, ${id}::text)`;
}
