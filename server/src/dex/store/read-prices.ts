import type { Hex } from "../../chains/hex.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Deployment } from "../deployment.ts";
import { isAt } from "./read-list.ts";

/** Dollars for one token times 10^18, cut off, and the time of the block up to which it is known. */
type TokenPrice = { priceE18: bigint; blockTime: number };

/**
 * What a token whose price is believed costs in dollars. Nothing for stablecoins, which are worth one dollar here by
 * definition, and for tokens without a pool that can be believed.
 */
export async function findTokenPrice(
  db: Queryable,
  deployment: Deployment,
  symbol: string,
): Promise<TokenPrice | undefined> {
  const { wrappedNative, stablePool, stablecoins, whitelist } = deployment;
  const native = bytesOf(wrappedNative);
  const [row] = await db.query<{ price: string; time: string }>(sql`
    select trunc(
        t.derived_eth * case when n.address = ${native} then p.token1_price else p.token0_price end
        * 1000000000000000000::numeric
      )::text as price, d.block_time::text as time
    from dex_deployments d
    join dex_pools p on p.deployment = d.id and p.address = ${bytesOf(stablePool)}
    join dex_tokens n on n.deployment = d.id and n.token = p.token0
    join dex_tokens t on t.deployment = d.id and t.symbol = ${symbol}
      and t.address = any (${[native, ...whitelist.map(bytesOf)]})
      and not t.address = any (${stablecoins.map(bytesOf)})
    where ${isAt(deployment)} and d.block_time is not null and t.derived_eth > 0
    order by t.address = ${native} desc, t.total_value_locked_usd desc limit 1`);
  const priceE18 = BigInt(row?.price ?? 0);
  return row && priceE18 > 0n ? { priceE18, blockTime: Number(row.time) * 1_000 } : undefined;
}

function bytesOf(address: Hex): Buffer {
  return Buffer.from(address.slice(2), "hex");
}
