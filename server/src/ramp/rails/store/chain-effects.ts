import type { Queryable } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** An amount of a currency; below zero when more went than came. */
type Change = { currency: string; units: bigint };

/** What has been told of our money on a chain, as of one moment. */
export type Told = {
  /** The block up to which everything is for good and told. */
  finalBlock: number;
  /** What came to the hot wallet after that block, and went from it. */
  hotLater: readonly Change[];
  /** The same at deposit addresses with deposits that have not been carried away; also when there is nothing later. */
  unsweptLater: readonly (Change & { address: string })[];
  /** What came to all other deposit addresses and went from them since they were given out. */
  swept: readonly Change[];
};

type Row = {
  finalBlock: bigint;
  place: "hot" | "unswept" | "swept" | null;
  address: string;
  currency: string;
  units: string;
};

/** Everything that was told of a chain. What is over and done is not read again: the database keeps its sum. */
export async function findTold(
  db: Queryable,
  blockchain: string,
  coin: string,
): Promise<Told | undefined> {
  const rows = await db.query<Row>(sql`
    with cursor as (
      select final_block from chain_cursors where blockchain = ${blockchain}
    ), ended as not materialized (
      select *, block_number > final_block as is_later, state = 'final' as succeeded
      from chain_transactions cross join cursor
      where blockchain = ${blockchain} and state in ('final', 'failed')
    ), unswept as (
      select distinct address from chain_deposits
      where blockchain = ${blockchain} and state = 'final' and not is_swept
    ), at_unswept (address, currency, units, is_later) as (
      select address, currency, units, block_number > final_block
      from chain_deposits join unswept using (address) cross join cursor
      where blockchain = ${blockchain} and state = 'final'
      union all
      select address, currency, case purpose when 'gas' then units else -units end, is_later
      from ended join unswept using (address) where succeeded
      union all
      select address, ${coin}::text, -gas_paid, is_later
      from ended join unswept using (address) where purpose = 'sweep' and gas_paid > 0
    ), at_hot (currency, units) as (
      select currency, case purpose when 'sweep' then units else -units end
      from ended where is_later and succeeded
      union all
      select ${coin}::text, -gas_paid from ended where is_later and purpose <> 'sweep' and gas_paid > 0
    ), at_swept (currency, units) as (
      select case what when 'gas' then ${coin}::text else currency end, units
      from chain_told where blockchain = ${blockchain}
      union all
      select currency, -units from at_unswept
    )
    select final_block as "finalBlock", told.* from cursor left join (
      select 'hot' as place, '' as address, currency, sum(units) as units
      from at_hot group by currency
      union all
      select 'unswept', address, currency, coalesce(sum(units) filter (where is_later), 0)
      from at_unswept group by address, currency
      union all
      select 'swept', '', currency, sum(units) from at_swept group by currency
    ) as told on true`);
  const [first] = rows;
  if (!first) return undefined;
  const changes = rows.map(({ units, ...row }) => ({ ...row, units: BigInt(units ?? 0) }));
  const at = (place: Row["place"]) => changes.filter((one) => one.place === place);
  return {
    finalBlock: Number(first.finalBlock),
    ...{ hotLater: at("hot"), unsweptLater: at("unswept"), swept: at("swept") },
  };
}
