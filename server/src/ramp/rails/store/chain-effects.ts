import type { Queryable } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** What has been told of our money at one address of a chain. */
export type ToldChange = {
  /** A deposit address; null is the hot wallet. */
  address: string | null;
  currency: string;
  /** The sum of all that was told, and of that what happened after the block that is for good. */
  units: bigint;
  later: bigint;
  /** Whether deposits lie there that have not been carried away. */
  isUnswept: boolean;
};

/** The block up to which everything is for good and told, and all changes that were told, as of one moment. */
export async function listTold(
  db: Queryable,
  blockchain: string,
  coin: string,
): Promise<{ finalBlock: number; changes: ToldChange[] } | undefined> {
  const rows = await db.query<{
    finalBlock: bigint;
    address: string | null;
    currency: string | null;
    units: string;
    later: string;
    isUnswept: boolean;
  }>(sql`
    with ended as (
      select *, state = 'final' as succeeded from chain_transactions
      where blockchain = ${blockchain} and state in ('final', 'failed')
    ), changes (address, currency, units, block_number) as (
      select address, currency, units, block_number from chain_deposits
      where blockchain = ${blockchain} and state = 'final'
      union all
      select null, currency, -units, block_number from ended
      where succeeded and purpose in ('payout', 'gas')
      union all
      select address, currency, units, block_number from ended where succeeded and purpose = 'gas'
      union all
      select address, currency, -units, block_number from ended where succeeded and purpose = 'sweep'
      union all
      select null, currency, units, block_number from ended where succeeded and purpose = 'sweep'
      union all
      select case purpose when 'sweep' then address end, ${coin}::text, -gas_paid, block_number
      from ended where gas_paid > 0
    )
    select c.final_block as "finalBlock", told.* from chain_cursors c left join (
      select address, currency, sum(units) as units,
        coalesce(sum(units) filter (where block_number > f.final_block), 0) as later,
        coalesce(address in (
          select d.address from chain_deposits d
          where d.blockchain = ${blockchain} and d.state = 'final' and not d.is_swept
        ), false) as "isUnswept"
      from changes cross join (
        select final_block from chain_cursors where blockchain = ${blockchain}
      ) as f
      group by address, currency
    ) as told on true
    where c.blockchain = ${blockchain}`);
  const [first] = rows;
  if (!first) return undefined;
  const changes = rows.flatMap(({ address, currency, units, later, isUnswept }) =>
    currency === null
      ? []
      : [{ address, currency, units: BigInt(units), later: BigInt(later), isUnswept }],
  );
  return { finalBlock: Number(first.finalBlock), changes };
}
