import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, type Sql, sql } from "../../../database/sql.ts";
import { type ChainTransaction, findTransaction } from "./chain-transactions.ts";

/** Deposits of one token that lie at one address and can be carried to the hot wallet together. */
export type Sweepable = {
  address: string;
  depositIndex: number;
  currency: string;
  units: bigint;
  /** What else of the chain's own coin was deposited there, or may have been, and is not to be spent on gas. */
  untouchable: bigint;
};

/** What lies at an address: to be swept, to be left where it is for now, or still on its way through our books. */
export type Lying = Sweepable & { isFree: boolean };

/** A transaction that carries deposits and has not arrived after a while. */
export type LateSweep = ChainTransaction & { address: string; depositIndex: number };

type Place = { blockchain: string; address: string; currency: string };

const unswept = prepared`d.state = 'final' and not d.is_swept and d.sweep_id is null`;

/** What lies at an address and no transaction carries away. What was only seen may lie there, and may be taken back. */
const lies = prepared`(d.state = 'seen' or (${unswept}))`;

const isCarried = prepared`d.state = 'final' and not d.is_swept and d.sweep_id is not null`;

/** Whether a deposit is in our books and nobody in it is sanctioned: what is frozen stays where it is. */
const isClean = prepared`exists (
  select from deposits b join ramp_transactions r on r.id = b.transaction_id
  where b.blockchain = d.blockchain and b.transaction_hash = d.transaction_hash
    and b.log_index = d.log_index and b.state = 'final'
    and b.reason is distinct from 'sanctioned' and r.reason is distinct from 'sanctioned'
)`;

/** Whether no transaction of ours is under way that changes what lies at the address. */
const isQuiet = prepared`not exists (
  select from chain_transactions t
  where t.blockchain = d.blockchain and t.address = d.address
    and t.state in ('reserved', 'signed', 'mined')
)`;

/** Where deposits have been waiting longest to be swept. Nothing when none is due. */
export async function findDueSweep(
  db: Queryable,
  blockchain: string,
  coin: string,
  now: Date,
): Promise<Lying | undefined> {
  const [due] = await db.query<{ address: string; currency: string }>(prepared`
    select d.address, d.currency from chain_deposits d
    where d.blockchain = ${blockchain} and ${unswept} and d.deposit_index is not null
      and d.due_at <= ${now}
    order by d.due_at, d.currency = ${coin}, d.address limit 1`);
  return due && findLying(db, { blockchain, ...due }, coin);
}

async function findLying(db: Queryable, place: Place, coin: string): Promise<Lying> {
  const { blockchain, address, currency } = place;
  const isWanted = sql`d.currency = ${currency} and d.state = 'final' and ${isClean}`;
  const [row] = await db.query<{
    depositIndex: bigint;
    units: string | null;
    untouchable: string;
    isQuiet: boolean;
  }>(sql`
    select min(d.deposit_index) as "depositIndex",
      sum(d.units) filter (where ${isWanted}) as units,
      coalesce(sum(d.units) filter (where d.currency = ${coin} and not (${isWanted})), 0)
        as untouchable,
      bool_and(${isQuiet}) as "isQuiet"
    from chain_deposits d
    where d.blockchain = ${blockchain} and d.address = ${address} and ${lies}`);
  return {
    ...{ address, currency, depositIndex: Number(row?.depositIndex) },
    units: BigInt(row?.units ?? 0),
    untouchable: BigInt(row?.untouchable ?? 0),
    isFree: row?.units != null && row.isQuiet,
  };
}

/** Whether there is still as much to be swept as was found, which nobody else can change until `tx` ends. */
export async function lockSweepable(
  tx: Transaction,
  blockchain: string,
  { address, currency, units }: Sweepable,
): Promise<boolean> {
  const rows = await tx.query<{ units: string }>(sql`
    select d.units from chain_deposits d
    where d.blockchain = ${blockchain} and d.address = ${address} and d.currency = ${currency}
      and ${unswept} and ${isClean} for update`);
  const [live] = await tx.query<{ isQuiet: boolean }>(sql`
    select ${isQuiet} as "isQuiet"
    from (values (${blockchain}::text, ${address}::text)) as d (blockchain, address)`);
  return live?.isQuiet === true && rows.reduce((sum, row) => sum + BigInt(row.units), 0n) === units;
}

/** Says which transaction carries what `lockSweepable` has locked, and when to look whether it is stuck. */
export async function markSweep(
  tx: Transaction,
  blockchain: string,
  { address, currency }: Sweepable,
  { sweepId, lookAt }: { sweepId: string; lookAt: Date },
): Promise<void> {
  await tx.query(sql`
    update chain_deposits d set sweep_id = ${sweepId}, due_at = ${lookAt}
    where ${at(blockchain, address, currency)} and ${isClean}`);
}

/** Looks at what lies at an address again later. */
export async function postponeSweep(
  db: Queryable,
  blockchain: string,
  { address, currency }: Pick<Sweepable, "address" | "currency">,
  until: Date,
): Promise<void> {
  await db.query(sql`
    update chain_deposits d set due_at = ${until} where ${at(blockchain, address, currency)}`);
}

/** Notes which deposits have arrived at the hot wallet. Returns how many. */
export async function noteSwept(db: Queryable, blockchain: string): Promise<number> {
  const rows = await db.query(prepared`
    update chain_deposits d set is_swept = true, due_at = null from chain_transactions t
    where d.blockchain = ${blockchain} and d.state = 'final' and not d.is_swept
      and t.id = d.sweep_id and t.state = 'final'
    returning d.address`);
  return rows.length;
}

/** Lets deposits whose sweep came to nothing be swept again later. Returns where they lie. */
export async function resetFailedSweeps(
  db: Queryable,
  blockchain: string,
  until: Date,
): Promise<{ address: string; sweepId: string }[]> {
  return db.query<{ address: string; sweepId: string }>(prepared`
    update chain_deposits d set sweep_id = null, due_at = ${until} from chain_transactions t
    where d.blockchain = ${blockchain} and d.state = 'final' and not d.is_swept
      and t.id = d.sweep_id and t.state = 'failed'
    returning d.address, t.id as "sweepId"`);
}

/** The late sweep at which nobody has looked for the longest time. Nothing when none is due. */
export async function findLateSweep(
  db: Queryable,
  blockchain: string,
  now: Date,
): Promise<LateSweep | undefined> {
  const [due] = await db.query<{ id: string; address: string; depositIndex: bigint }>(prepared`
    select d.sweep_id as id, d.address, d.deposit_index as "depositIndex" from chain_deposits d
    where d.blockchain = ${blockchain} and ${isCarried} and d.due_at <= ${now}
    order by d.due_at, d.address, d.sweep_id limit 1`);
  if (!due) return undefined;
  const { id, address, depositIndex } = due;
  return { ...(await findTransaction(db, id)), address, depositIndex: Number(depositIndex) };
}

/** Looks at a sweep again later. */
export async function postponeLateSweep(
  db: Queryable,
  blockchain: string,
  { id, address }: LateSweep,
  until: Date,
): Promise<void> {
  await db.query(prepared`
    update chain_deposits d set due_at = ${until}
    where d.blockchain = ${blockchain} and d.address = ${address} and ${isCarried}
      and d.sweep_id = ${id}`);
}

/** What of the chain's own coin lies at an address to be carried away by others than the sweeps under way. */
export async function sumLying(
  db: Queryable,
  blockchain: string,
  address: string,
  coin: string,
): Promise<bigint> {
  const [row] = await db.query<{ units: string }>(prepared`
    select coalesce(sum(d.units), 0) as units from chain_deposits d
    where d.blockchain = ${blockchain} and d.address = ${address} and d.currency = ${coin}
      and ${lies}`);
  return BigInt(row?.units ?? 0);
}

/** Everything that waits at an address for its sweep to arrive, or for its turn after that. */
export async function listWaiting(
  db: Queryable,
  blockchain: string,
  address: string,
): Promise<{ currency: string; units: bigint }[]> {
  const rows = await db.query<{ currency: string; units: string }>(sql`
    select currency, sum(units) as units from chain_deposits
    where blockchain = ${blockchain} and address = ${address} and state = 'final' and not is_swept
    group by currency order by currency`);
  return rows.map(({ currency, units }) => ({ currency, units: BigInt(units) }));
}

/** Whether a sweep still waits for a block and no gas is on its way to it, which nobody else can change until `tx` ends. */
export async function lockWithoutGas(
  tx: Transaction,
  blockchain: string,
  { id, address }: LateSweep,
): Promise<boolean> {
  const waiting = await tx.query(sql`
    select from chain_transactions where id = ${id} and state = 'signed' for update`);
  const gas = await tx.query(sql`
    select from chain_transactions
    where blockchain = ${blockchain} and address = ${address} and purpose = 'gas'
      and state in ('reserved', 'signed', 'mined') limit 1`);
  return waiting.length > 0 && gas.length === 0;
}

function at(blockchain: string, address: string, currency: string): Sql {
  return sql`d.blockchain = ${blockchain} and d.address = ${address}
    and d.currency = ${currency} and ${unswept}`;
}
