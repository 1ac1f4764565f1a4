import type { Hex } from "../../../chains/hex.ts";
import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, sql } from "../../../database/sql.ts";
import { asUnits, type Units } from "../../../lib/money.ts";
import type { KnownBlock } from "./chain-blocks.ts";

/** A transfer to one of our addresses, as the chain has it. */
export type ChainDeposit = {
  transactionHash: Hex;
  logIndex: number;
  /** Ours, as it is shown. */
  address: string;
  fromAddress: string;
  depositIndex: number | null;
  currency: string;
  units: Units;
  blockNumber: number;
  blockHash: Hex;
  /** In the ramp's time. */
  blockTime: Date;
};

/** What is to be told of a deposit, and as of when. */
export type DepositNews = ChainDeposit & { toldAt: Date };

type Numbers = "depositIndex" | "units" | "blockNumber";
type DepositRow = Omit<ChainDeposit, Numbers> & {
  depositIndex: bigint | null;
  units: string;
  blockNumber: bigint;
};

const asDeposit = prepared`
  d.transaction_hash as "transactionHash", d.log_index as "logIndex", d.address,
  d.from_address as "fromAddress", d.deposit_index as "depositIndex", d.currency, d.units,
  d.block_number as "blockNumber", d.block_hash as "blockHash", d.block_time as "blockTime"`;

/** The next thing that is told of a deposit is later than the last one, even when no time has passed. */
const laterThan = (at: Date) => prepared`greatest(${at}, d.updated_at + interval '1 millisecond')`;

/** Which of these addresses are deposit addresses of ours that were given out since then. */
export async function listWatched(
  db: Queryable,
  blockchain: string,
  addresses: readonly string[],
  since: Date,
): Promise<{ address: string; depositIndex: number | null }[]> {
  const rows = await db.query<{ address: string; depositIndex: bigint | null }>(prepared`
    select deposit_address as address, deposit_index as "depositIndex" from ramp_transactions
    where blockchain = ${blockchain} and lower(deposit_address) = any(${addresses})
      and created_at >= ${since}`);
  return rows.map(({ address, depositIndex }) => ({
    address,
    depositIndex: depositIndex === null ? null : Number(depositIndex),
  }));
}

/** When the oldest deposit address that is still watched was given out. */
export async function findOldestWatched(
  db: Queryable,
  blockchain: string,
  since: Date,
): Promise<Date | undefined> {
  const [row] = await db.query<{ oldest: Date | null }>(sql`
    select min(created_at) as oldest from ramp_transactions
    where blockchain = ${blockchain} and type = 'OFF_RAMP' and created_at >= ${since}`);
  return row?.oldest ?? undefined;
}

/** Which of these transactions are ours and bring a deposit address gas. */
export async function listGasHashes(db: Queryable, hashes: readonly Hex[]): Promise<Set<Hex>> {
  const rows = await db.query<{ hash: Hex }>(sql`
    select a.hash from chain_attempts a join chain_transactions t on t.id = a.transaction_id
    where a.hash = any(${hashes}) and t.purpose = 'gas'`);
  return new Set(rows.map(({ hash }) => hash));
}

/**
 * Writes down that a block has a deposit. Nothing when that was known, or when it was final before its block was
 * replaced and is all the same in another one.
 */
export async function noteDeposit(
  tx: Transaction,
  blockchain: string,
  deposit: ChainDeposit,
  { at, dueAt }: { at: Date; dueAt: Date | null },
): Promise<DepositNews | undefined> {
  const [row] = await tx.query<{ state: string; toldAt: Date }>(prepared`
    insert into chain_deposits as d (blockchain, transaction_hash, log_index, address, from_address,
      deposit_index, currency, units, block_number, block_hash, block_time, state, updated_at, due_at)
    values (${blockchain}, ${deposit.transactionHash}, ${deposit.logIndex}, ${deposit.address},
      ${deposit.fromAddress}, ${deposit.depositIndex}, ${deposit.currency}, ${deposit.units},
      ${deposit.blockNumber}, ${deposit.blockHash}, ${deposit.blockTime}, 'seen', ${at}, ${dueAt})
    on conflict (blockchain, transaction_hash, log_index) do update set
      address = excluded.address, from_address = excluded.from_address,
      deposit_index = excluded.deposit_index, currency = excluded.currency, units = excluded.units,
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time,
      (state, due_at) = (
        select unmoved.state, case unmoved.state when 'final' then d.due_at else excluded.due_at end
        from (
          select case when d.state = 'final'
            and (d.address, d.currency, d.units) = (excluded.address, excluded.currency, excluded.units)
            then 'final' else 'seen' end as state
        ) as unmoved
      ),
      updated_at = ${laterThan(at)}
    where d.block_hash <> excluded.block_hash or d.state = 'gone'
    returning state, updated_at as "toldAt"`);
  return row?.state === "seen" ? { ...deposit, toldAt: row.toldAt } : undefined;
}

/**
 * Finds a deposit again that was called final in a block that is gone, and now has another number in a new block: it is
 * the same money. `present` are numbers of the same transaction that are not free. Returns the number it is known by.
 */
export async function adoptDeposit(
  tx: Transaction,
  blockchain: string,
  deposit: ChainDeposit,
  { present, at }: { present: readonly number[]; at: Date },
): Promise<number | undefined> {
  const { transactionHash, logIndex, address, currency, units, blockHash } = deposit;
  const [row] = await tx.query<{ logIndex: number }>(prepared`
    update chain_deposits d set state = 'final', block_number = ${deposit.blockNumber},
      block_hash = ${blockHash}, block_time = ${deposit.blockTime}, updated_at = ${laterThan(at)},
      due_at = case when d.is_swept then null else ${at}::timestamptz end
    where d.blockchain = ${blockchain} and d.transaction_hash = ${transactionHash}
      and not exists (
        select from chain_deposits k
        where k.blockchain = ${blockchain} and k.transaction_hash = ${transactionHash}
          and k.log_index = ${logIndex}
      )
      and d.log_index = (
        select o.log_index from chain_deposits o
        left join deposits b using (blockchain, transaction_hash, log_index)
        where o.blockchain = ${blockchain} and o.transaction_hash = ${transactionHash}
          and o.address = ${address} and o.currency = ${currency} and o.units = ${units}
          and (o.state = 'final' or b.state = 'final') and o.log_index <> all(${present})
          and (o.block_hash = ${blockHash} or not exists (
            select from chain_blocks c
            where c.blockchain = ${blockchain} and c.number = o.block_number
              and c.hash = o.block_hash
          ))
        order by o.log_index limit 1
      )
    returning d.log_index as "logIndex"`);
  return row?.logIndex;
}

/** Takes back the deposits whose blocks are not among those that the chain has; `wasFinal` were called final. */
export async function takeBackDeposits(
  tx: Transaction,
  blockchain: string,
  at: Date,
): Promise<(DepositNews & { wasFinal: boolean })[]> {
  const rows = await tx.query<DepositRow & { wasFinal: boolean; toldAt: Date }>(prepared`
    update chain_deposits d set state = 'gone', due_at = null, updated_at = ${laterThan(at)}
    from (
      select o.transaction_hash, o.log_index, o.state = 'final' as was_final
      from chain_deposits o join chain_cursors c using (blockchain)
      where blockchain = ${blockchain} and o.state in ('seen', 'final')
        and o.block_number > c.final_block and not exists (
          select from chain_blocks b
          where b.blockchain = ${blockchain} and b.number = o.block_number and b.hash = o.block_hash
        )
      order by o.block_number, o.log_index, o.transaction_hash for update of o
    ) as orphan
    where d.blockchain = ${blockchain} and d.transaction_hash = orphan.transaction_hash
      and d.log_index = orphan.log_index
    returning ${asDeposit}, orphan.was_final as "wasFinal", d.updated_at as "toldAt"`);
  return rows.map(({ wasFinal, toldAt, ...row }) => ({ ...depositOf(row), wasFinal, toldAt }));
}

/** Deposits that were seen and not called final, in blocks up to this one, oldest block first. */
export async function listSeen(
  db: Queryable,
  blockchain: string,
  upTo: number,
  most: number,
): Promise<ChainDeposit[]> {
  const rows = await db.query<DepositRow>(prepared`
    select ${asDeposit} from chain_deposits d
    where blockchain = ${blockchain} and state = 'seen' and block_number <= ${upTo}
    order by block_number, log_index, transaction_hash limit ${most}`);
  return rows.map(depositOf);
}

/** Calls a deposit final, from when on it can be swept. Nothing when it has moved to another block, or is final. */
export async function finishDeposit(
  tx: Transaction,
  blockchain: string,
  deposit: ChainDeposit,
  at: Date,
): Promise<DepositNews | undefined> {
  const [row] = await tx.query<{ toldAt: Date }>(prepared`
    update chain_deposits d set state = 'final', due_at = ${at}, updated_at = ${laterThan(at)}
    where blockchain = ${blockchain} and transaction_hash = ${deposit.transactionHash}
      and log_index = ${deposit.logIndex} and state = 'seen' and block_hash = ${deposit.blockHash}
    returning updated_at as "toldAt"`);
  return row && { ...deposit, toldAt: row.toldAt };
}

/** The newest block below this one with a deposit that we called final. */
export async function findFinalDepositBlock(
  db: Queryable,
  blockchain: string,
  below: number,
): Promise<KnownBlock | undefined> {
  const [row] = await db.query<{ number: bigint; hash: Hex }>(sql`
    select block_number as number, block_hash as hash from chain_deposits
    where blockchain = ${blockchain} and state = 'final' and block_number < ${below}
    order by block_number desc limit 1`);
  return row && { number: Number(row.number), hash: row.hash };
}

function depositOf({ depositIndex, units, blockNumber, ...rest }: DepositRow): ChainDeposit {
  return {
    ...rest,
    depositIndex: depositIndex === null ? null : Number(depositIndex),
    units: asUnits(BigInt(units)),
    blockNumber: Number(blockNumber),
  };
}
