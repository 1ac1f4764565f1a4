import type { DexToken } from "@slipway/sdk";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Page } from "../../http/list.ts";
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

/** What a token can be ordered by. */
export type TokenField = Exclude<keyof DexToken, "logo">;

/** Only tokens with exactly these. */
export type TokenFilter = { symbol?: string; name?: string; address?: Buffer };

/** Supplies of the token `t` on the blockchain of the deployment `d`. */
const supplies = sql`from token_supplies s where s.blockchain = d.blockchain and s.address = t.address`;
const newestSupply = sql`coalesce((select s.supply ${supplies} order by s.block desc limit 1), 0)`;

/** By what a token `t` is put in order: figures as numbers, text by its code points. */
const orders: Record<TokenField, Sql> = {
  id: sql`t.address`,
  name: sql`t.name collate "C"`,
  symbol: sql`t.symbol collate "C"`,
  decimals: sql`t.decimals`,
  supply: newestSupply,
  totalValueLocked: sql`t.total_value_locked`,
  totalValueLockedUSD: sql`t.total_value_locked_usd`,
  volume: sql`t.volume`,
  volumeUSD: sql`t.volume_usd`,
  untrackedVolumeUSD: sql`t.untracked_volume_usd`,
  txCount: sql`t.tx_count`,
  derivedETH: sql`t.derived_eth`,
  feesUSD: sql`t.fees_usd`,
  totalValueLockedUSDUntracked: sql`t.total_value_locked_usd_untracked`,
  poolCount: sql`t.pool_count`,
};

/** A list of tokens can be ordered by any of its fields. */
export const tokenFields = fieldsOf(orders);

const identity = sql`${hex(sql`t.address`)} as id, t.name, t.symbol, t.decimals::text as decimals`;

/** The figures of a token, which may also come from one of its versions. */
function figuresOf(source: Sql): Sql {
  return sql`
    ${source}.total_value_locked::text as "totalValueLocked",
    ${source}.total_value_locked_usd::text as "totalValueLockedUSD",
    ${source}.volume::text as volume,
    ${source}.volume_usd::text as "volumeUSD",
    ${source}.untracked_volume_usd::text as "untrackedVolumeUSD",
    ${source}.tx_count::text as "txCount",
    ${source}.derived_eth::text as "derivedETH",
    ${source}.fees_usd::text as "feesUSD",
    ${source}.total_value_locked_usd_untracked::text as "totalValueLockedUSDUntracked",
    ${source}.pool_count::text as "poolCount"`;
}

/** A page of tokens as JSON. */
export async function listTokens(
  db: Queryable,
  place: Place,
  filter: TokenFilter,
  page: Page<TokenField>,
): Promise<Indexed<string>> {
  const { orderBy, direction } = page;
  const [row] = await db.query<CheckpointRow & { tokens: string }>(sql`
    select ${checkpoint}, ${jsonArray(sql`
      select ${identity}, ${newestSupply}::text as supply, ${figuresOf(sql`t`)}
      from (
        select * from dex_tokens t where t.deployment = d.id ${matching(filter)}
        order by ${inDirection(orders[orderBy], direction)}, t.address ${slice(page)}
      ) as t`)} as tokens
    from dex_deployments d where ${isAt(place)}`);
  return { asOf: asOfOf(row), found: row?.tokens ?? "[]" };
}

function matching({ symbol, name, address }: TokenFilter): Sql {
  return sql`
    ${symbol === undefined ? sql`` : sql`and t.symbol = ${symbol}`}
    ${name === undefined ? sql`` : sql`and t.name = ${name}`}
    ${address === undefined ? sql`` : sql`and t.address = ${address}`}`;
}

/** One token as JSON, as of a block or as it is now. */
export async function findToken(
  db: Queryable,
  place: Place,
  address: Buffer,
  block: number | undefined,
): Promise<Indexed<string | null>> {
  const token = block === undefined ? tokenNow(address) : tokenAt(address, block);
  const [row] = await db.query<CheckpointRow & { token: string | null }>(sql`
    select ${checkpoint}, (select row_to_json(item)::text from (${token}) as item) as token
    from dex_deployments d where ${isAt(place)}`);
  return { asOf: asOfOf(row), found: row?.token ?? null };
}

function tokenNow(address: Buffer): Sql {
  return sql`
    select ${identity}, ${newestSupply}::text as supply, ${figuresOf(sql`t`)}
    from dex_tokens t where t.deployment = d.id and t.address = ${address}`;
}

/** The supply is the last that was observed by then; a token whose first observation is later has had that one. */
function tokenAt(address: Buffer, block: number): Sql {
  const until = sql`${block}::bigint`;
  return sql`
    select ${identity}, coalesce(
      (select s.supply ${supplies} and s.block <= ${until} order by s.block desc limit 1),
      (select s.supply ${supplies} order by s.block limit 1),
      0)::text as supply, ${figuresOf(sql`version`)}
    from dex_tokens t, lateral (
      select * from dex_token_versions v
      where v.deployment = d.id and v.token = t.token and v.block <= ${until}
      order by v.block desc limit 1
    ) as version
    where t.deployment = d.id and t.address = ${address}`;
}
