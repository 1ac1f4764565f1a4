import type { PoolBurn, PoolMint, PoolSwap } from "@slipway/sdk";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Direction, Page, TimeWindow } from "../../http/list.ts";
import {
  asOfOf,
  type CheckpointRow,
  checkpoint,
  fieldsOf,
  hex,
  type Indexed,
  inDirection,
  isAt,
  jsonArray,
  type Place,
  slice,
} from "./read-list.ts";

/** What is stored of a pool event by event. */
export type TradeKind = "burn" | "mint" | "swap";

/** What a trade of one kind or another can be ordered by. */
export type TradeField = keyof (PoolBurn & PoolMint & PoolSwap);

/** A pool's trades by kind, each as a JSON array; null: not asked for. An origin that is not known is "". */
export type FoundTrades = Record<TradeKind, string | null>;

/** Which trades of which pool. */
export type TradeQuery = {
  pool: Buffer;
  kinds: readonly TradeKind[];
  window: TimeWindow;
  /** The last block whose trades count. */
  block: number | undefined;
  page: Page<TradeOrder>;
};

/** A field, or what happened last. */
export type TradeOrder = TradeField | "chain";

const origin = sql`(select o.origin from dex_origins o where o.transaction_hash = t.transaction_hash)`;

/** The order of the chain: time alone would leave open what happened first in a block. */
const chain: readonly Sql[] = [sql`t.time`, sql`t.block`, sql`t.log_index`];

/** An id is text, and so the number at its end is put in order as text. */
const id: readonly Sql[] = [sql`t.transaction_hash`, sql`t.log_index::text`];

/** By what a trade `t` is put in order. */
const orders: Record<TradeField, readonly Sql[]> = {
  id,
  amount0: [sql`t.amount0`],
  amount1: [sql`t.amount1`],
  amountUSD: [sql`t.amount_usd`],
  logIndex: [sql`t.log_index`],
  origin: [sql`coalesce(${origin}, '')`],
  timestamp: [sql`t.time`],
  amount: [sql`t.amount`],
  owner: [sql`t.owner`],
  sender: [sql`t.sender`],
  recipient: [sql`t.recipient`],
  sqrtPriceX96: [sql`t.sqrt_price`],
};

/** Trades can be ordered by any field that one of the kinds has. */
export const tradeFields = fieldsOf(orders);

/** What a kind does not have. */
const lacking: Record<TradeKind, readonly TradeField[]> = {
  burn: ["sender", "recipient", "sqrtPriceX96"],
  mint: ["recipient", "sqrtPriceX96"],
  swap: ["amount", "owner"],
};

const owned = sql`t.amount::text as amount, ${hex(sql`t.owner`)} as owner`;
const sent = sql`${hex(sql`t.sender`)} as sender`;
const ownColumns: Record<TradeKind, Sql> = {
  burn: owned,
  mint: sql`${owned}, ${sent}`,
  swap: sql`${sent}, ${hex(sql`t.recipient`)} as recipient, t.sqrt_price::text as "sqrtPriceX96"`,
};

/** A page of each kind of a pool's trades; nothing when there is no such pool. */
export async function listTrades(
  db: Queryable,
  place: Place,
  query: TradeQuery,
): Promise<Indexed<FoundTrades | undefined>> {
  const trades = (kind: TradeKind) =>
    query.kinds.includes(kind) ? jsonArray(tradesOf(kind, query)) : sql`null`;
  const [row] = await db.query<CheckpointRow & FoundTrades & { pool: number | null }>(sql`
    select ${checkpoint}, p.pool,
      ${trades("burn")} as burn, ${trades("mint")} as mint, ${trades("swap")} as swap
    from dex_deployments d left join dex_pools p on p.deployment = d.id and p.address = ${query.pool}
    where ${isAt(place)}`);
  return { asOf: asOfOf(row), found: row && row.pool !== null ? row : undefined };
}

/** What answers have of a trade `t`. */
export function tradeColumns(kind: TradeKind): Sql {
  return sql`
    ${hex(sql`t.transaction_hash`)} || '#' || t.log_index as id,
    t.amount0::text as amount0,
    t.amount1::text as amount1,
    t.amount_usd::text as "amountUSD",
    t.log_index::text as "logIndex",
    coalesce(${hex(origin)}, '') as origin,
    t.time::text as timestamp,
    ${ownColumns[kind]}`;
}

function tradesOf(kind: TradeKind, { window, block, page }: TradeQuery): Sql {
  return sql`
    select ${tradeColumns(kind)} from (
      select * from dex_trades t
      where t.deployment = d.id and t.pool = p.pool and t.kind = ${kind} ${within(window, block)}
      order by ${orderOf(kind, page)} ${slice(page)}
    ) as t`;
}

/** The time of a block's last trade bounds the search, because that is what the index is ordered by. */
function within({ from, to }: TimeWindow, block: number | undefined): Sql {
  const timeOfBlock = sql`(
    select b.time from dex_trades b where b.deployment = d.id and b.block <= ${block}::bigint
    order by b.block desc limit 1)`;
  return sql`
    ${from === undefined ? sql`` : sql`and t.time >= ${from}::bigint`}
    ${to === undefined ? sql`` : sql`and t.time <= ${to}::bigint`}
    ${block === undefined ? sql`` : sql`and t.block <= ${block}::bigint and t.time <= ${timeOfBlock}`}`;
}

/** Equal ones follow each other by id. A kind that lacks the field comes newest first. */
function orderOf(kind: TradeKind, { orderBy, direction }: Page<TradeOrder>): Sql {
  if (orderBy === "chain") return listed(chain, direction);
  if (lacking[kind].includes(orderBy)) return listed(chain, "desc");
  return sql`${listed(orders[orderBy], direction)}, ${listed(id, "asc")}`;
}

function listed(expressions: readonly Sql[], direction: Direction): Sql {
  return expressions
    .map((expression) => inDirection(expression, direction))
    .reduce((list, expression) => sql`${list}, ${expression}`);
}
