import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { idOf, type MarketName } from "./markets.ts";

/** A span of time whose trades nobody could get: from the last trade before it to the first after it. */
export type Gap = {
  from: number;
  to: number;
  reason: string;
  /** Whether the exchange may still have them. */
  isOpen: boolean;
};

/** Which gaps of a market: those that reach into a span of time, in Unix milliseconds. */
export type GapQuery = MarketName & {
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
};

/** A market's gaps as the JSON of an array, newest first. */
export async function readGaps(
  db: Queryable,
  { limit, from, to, ...name }: GapQuery,
): Promise<string> {
  const [row] = await db.query<{ gaps: string }>(sql`
    select '[' || coalesce(string_agg(
      json_build_object('from', g.from_time::text, 'to', g.to_time::text, 'reason', g.reason)::text, ','), '')
      || ']' as gaps
    from (
      select * from cex_gaps g where g.market = ${idOf(name)}
        ${from === undefined ? sql`` : sql`and g.to_time >= ${from}::bigint`}
        ${to === undefined ? sql`` : sql`and g.from_time <= ${to}::bigint`}
      order by g.from_time desc, g.to_time desc limit ${limit}
    ) as g`);
  return row?.gaps ?? "[]";
}

/** Notes gaps of a market. One that is known already keeps its reason. */
export async function insertGaps(
  db: Queryable,
  market: number,
  gaps: readonly Gap[],
  now: Date,
): Promise<void> {
  for (const { from, to, reason, isOpen } of gaps) {
    await db.query(sql`
      insert into cex_gaps (market, from_time, to_time, reason, is_open, noted_at)
      values (${market}, ${from}, ${to}, ${reason}, ${isOpen}, ${now})
      on conflict do nothing`);
  }
}

/**
 * Makes a gap smaller from its beginning, when the trades from there on are stored; nothing is left without `from`.
 * What is left may be known as a gap already.
 */
export async function shrinkGap(
  db: Queryable,
  market: number,
  gap: Gap,
  from: number | undefined,
): Promise<void> {
  if (from === gap.from) return;
  const taken = sql`delete from cex_gaps where ${isGap(market, gap)}`;
  await db.query(
    from === undefined
      ? taken
      : sql`
        with old as (${taken} returning *)
        insert into cex_gaps (market, from_time, to_time, reason, noted_at, is_open, has_candles)
        select market, ${from}::bigint, to_time, reason, noted_at, is_open, has_candles from old
        on conflict do nothing`,
  );
}

/** Gaps whose trades the exchange may still have, newest first: what is newest is asked for most. */
export function listOpenGaps(db: Queryable, market: number): Promise<Gap[]> {
  return db.query<Gap>(sql`
    select ${gapColumns} from cex_gaps where market = ${market} and is_open order by from_time desc`);
}

/** Gaps that stay, and whose candles have not been fetched from the exchange, oldest first. */
export function listGapsWithoutCandles(db: Queryable, market: number): Promise<Gap[]> {
  return db.query<Gap>(sql`
    select ${gapColumns} from cex_gaps
    where market = ${market} and not is_open and not has_candles order by from_time`);
}

/** Notes that the candles of a gap have been fetched. */
export async function setHasCandles(db: Queryable, market: number, gap: Gap): Promise<void> {
  await db.query(sql`update cex_gaps set has_candles = true where ${isGap(market, gap)}`);
}

const gapColumns = sql`
  from_time::float8 as from, to_time::float8 as to, reason, is_open as "isOpen"`;

function isGap(market: number, { from, to }: Gap): Sql {
  return sql`market = ${market} and from_time = ${from}::bigint and to_time = ${to}::bigint`;
}
