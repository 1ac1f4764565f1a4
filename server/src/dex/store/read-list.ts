import { type Sql, sql } from "../../database/sql.ts";
import type { AsOf } from "../../http/freshness.ts";
import type { Direction, Page } from "../../http/list.ts";

/** An exchange on a blockchain, by the ids in paths. */
export type Place = { exchange: string; blockchain: string };

/** What the tables say, and up to which block they say it; no block: nothing has been indexed yet. */
export type Indexed<Found> = { asOf: AsOf | undefined; found: Found };

/** The columns of `dex_deployments d` that `asOfOf` reads. */
export const checkpoint = sql`d.block, d.block_time as time`;

/** A row that begins with `checkpoint`. */
export type CheckpointRow = { block: bigint | null; time: bigint | null };

/** The condition on `dex_deployments d` that everything else hangs on. */
export function isAt({ exchange, blockchain }: Place): Sql {
  return sql`d.exchange = ${exchange} and d.blockchain = ${blockchain}`;
}

/** Up to which block a row says what it says. */
export function asOfOf(row: CheckpointRow | undefined): AsOf | undefined {
  if (!row || row.block === null || row.time === null) return undefined;
  return { block: Number(row.block), time: Number(row.time) };
}

/**
 * The rows of a query as the text of one JSON array, in their order. Rows that come to us one by one and are written by
 * us cost five times the time of our thread, which is what all requests share.
 */
export function jsonArray(query: Sql): Sql {
  return sql`(
    select '[' || coalesce(string_agg(row_to_json(item)::text, ','), '') || ']'
    from (${query}) as item)`;
}

/** The clause that cuts a page out of what is in order. */
export function slice({ limit, skip }: Page<string>): Sql {
  return sql`limit ${limit} offset ${skip}`;
}

/** A term of an `order by`. */
export function inDirection(expression: Sql, direction: Direction): Sql {
  return direction === "asc" ? sql`${expression} asc` : sql`${expression} desc`;
}

/** Bytes as answers write them. */
export function hex(column: Sql): Sql {
  return sql`'0x' || encode(${column}, 'hex')`;
}

/** The names that a record's type gives its fields; for records that are written out in full. */
export function fieldsOf<Field extends string>(record: Record<Field, unknown>): Field[] {
  return Object.keys(record) as Field[];
}
