import type { Block } from "@slipway/sdk";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { AsOf } from "../../http/freshness.ts";
import type { Page, TimeWindow } from "../../http/list.ts";
import { fieldsOf, hex, inDirection, jsonArray, slice } from "./read-list.ts";

/** Which blocks of a blockchain. */
export type BlockQuery = {
  blockchain: string;
  window: TimeWindow;
  /** The last block that counts. */
  block: number | undefined;
  page: Page<keyof Block>;
};

/** A page of blocks as JSON, and the ends of what there is. */
export type FoundBlocks = { newest: AsOf; oldest: number; blocks: string };

/** By what a block `b` is put in order. */
const orders: Record<keyof Block, Sql> = {
  number: sql`b.number`,
  timestamp: sql`b.time`,
  size: sql`b.size`,
  gasLimit: sql`b.gas_limit`,
  gasUsed: sql`b.gas_used`,
  totalDifficulty: sql`b.total_difficulty`,
  author: sql`b.author`,
};

/** A list of blocks can be ordered by any of its fields. */
export const blockFields = fieldsOf(orders);

/** A page of a blockchain's blocks; nothing when there are none at all. */
export async function listBlocks(
  db: Queryable,
  { blockchain, window, block, page }: BlockQuery,
): Promise<FoundBlocks | undefined> {
  const [row] = await db.query<{
    newest: bigint;
    time: bigint;
    oldest: bigint;
    blocks: string;
  }>(sql`
    select newest.number as newest, newest.time, oldest.number as oldest,
      ${jsonArray(sql`
        select b.number::text as number,
          b.time::text as timestamp,
          b.size::text as size,
          b.gas_limit::text as "gasLimit",
          b.gas_used::text as "gasUsed",
          b.total_difficulty::text as "totalDifficulty",
          ${hex(sql`b.author`)} as author
        from (
          select * from blocks b
          where b.blockchain = ${blockchain} ${within(window, block)}
          order by ${orderOf(page, window)} ${slice(page)}
        ) as b`)} as blocks
    from
      (select number, time from blocks where blockchain = ${blockchain} order by number desc limit 1) newest,
      (select number from blocks where blockchain = ${blockchain} order by number limit 1) oldest`);
  if (!row) return undefined;
  const newest = { block: Number(row.newest), time: Number(row.time) };
  return { newest, oldest: Number(row.oldest), blocks: row.blocks };
}

function within({ from, to }: TimeWindow, block: number | undefined): Sql {
  return sql`
    ${from === undefined ? sql`` : sql`and b.time >= ${from}::bigint`}
    ${to === undefined ? sql`` : sql`and b.time <= ${to}::bigint`}
    ${block === undefined ? sql`` : sql`and b.number <= ${block}::bigint`}`;
}

/** Among equal ones the number decides. Time grows with it, so that a window of time is in order already. */
function orderOf({ orderBy, direction }: Page<keyof Block>, { from, to }: TimeWindow): Sql {
  const isWindow = from !== undefined || to !== undefined;
  const order = orders[isWindow && orderBy === "number" ? "timestamp" : orderBy];
  return sql`${inDirection(order, direction)}, ${inDirection(orders.number, direction)}`;
}
