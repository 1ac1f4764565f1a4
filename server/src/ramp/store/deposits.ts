import type { Queryable, Transaction } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { asUnits, type Units } from "../../lib/money.ts";
import type { DepositId, TransactionId } from "../transaction.ts";

export type DepositState = "seen" | "final" | "gone";
export type DepositUse = "credited" | "suspense" | "returning" | "returned";

/** A transfer to one of our deposit addresses. */
export type Deposit = {
  id: DepositId;
  blockchain: string;
  transactionHash: string;
  logIndex: number;
  address: string;
  fromAddress: string;
  currency: string;
  units: Units;
  state: DepositState;
  use: DepositUse;
  reason: string | null;
  transactionId: TransactionId;
  toldAt: Date;
};

type DepositRow = Omit<Deposit, "units"> & { units: string };

/** Which transfer it is, for everybody who looks at the chain. */
export type TransferKey = Pick<Deposit, "blockchain" | "transactionHash" | "logIndex">;

const asDeposit = sql`
  id, blockchain, transaction_hash as "transactionHash", log_index as "logIndex", address,
  from_address as "fromAddress", currency, units, state, use, reason,
  transaction_id as "transactionId", told_at as "toldAt"`;

type NewDeposit = Omit<Deposit, "reason"> & { blockTime: Date; at: Date };

export async function insertDeposit(tx: Transaction, deposit: NewDeposit): Promise<void> {
  await tx.query(sql`
    insert into deposits (id, blockchain, transaction_hash, log_index, address, from_address,
      currency, units, state, use, transaction_id, block_time, told_at, created_at, updated_at)
    values (${deposit.id}, ${deposit.blockchain}, ${deposit.transactionHash}, ${deposit.logIndex},
      ${deposit.address}, ${deposit.fromAddress}, ${deposit.currency}, ${deposit.units},
      ${deposit.state}, ${deposit.use}, ${deposit.transactionId}, ${deposit.blockTime},
      ${deposit.toldAt}, ${deposit.at}, ${deposit.at})`);
}

/** What we know of a transfer. Its transaction has to be locked, so that nobody adds it meanwhile. */
export async function findTransfer(
  tx: Transaction,
  { blockchain, transactionHash, logIndex }: TransferKey,
): Promise<Deposit | undefined> {
  const [row] = await tx.query<DepositRow>(sql`
    select ${asDeposit} from deposits
    where blockchain = ${blockchain} and transaction_hash = ${transactionHash}
      and log_index = ${logIndex}`);
  return row && depositOf(row);
}

export async function findDeposit(db: Queryable, id: string): Promise<Deposit | undefined> {
  const [row] = await db.query<DepositRow>(sql`select ${asDeposit} from deposits where id = ${id}`);
  return row && depositOf(row);
}

export async function lockDeposit(tx: Transaction, id: string): Promise<Deposit | undefined> {
  const [row] = await tx.query<DepositRow>(sql`
    select ${asDeposit} from deposits where id = ${id} for update`);
  return row && depositOf(row);
}

/** Takes over what newer news say of a transfer. */
export async function noteTransfer(
  tx: Transaction,
  id: string,
  news: { state: DepositState; units: Units; blockTime: Date; toldAt: Date; at: Date },
): Promise<void> {
  await tx.query(sql`
    update deposits set state = ${news.state}, units = ${news.units}, updated_at = ${news.at},
      block_time = ${news.blockTime}, told_at = greatest(told_at, ${news.toldAt})
    where id = ${id}`);
}

/** Says what is done with a deposit. */
export async function changeDeposit(
  tx: Transaction,
  id: string,
  change: { use: DepositUse; reason: string | null; dueAt: Date | null; at: Date },
): Promise<void> {
  await tx.query(sql`
    update deposits set use = ${change.use}, reason = ${change.reason}, due_at = ${change.dueAt},
      leased_until = null, updated_at = ${change.at}
    where id = ${id}`);
}

/** Takes the deposit in suspense that is due longest, for us alone until `until`. */
export async function claimUnclaimedDeposit(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<Deposit | undefined> {
  const [row] = await db.query<DepositRow>(sql`
    update deposits set leased_until = ${until}
    where id = (
      select id from deposits
      where due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at limit 1 for update skip locked
    )
    returning ${asDeposit}`);
  return row && depositOf(row);
}

/** Looks at a deposit in suspense again later. */
export async function postponeDeposit(db: Queryable, id: string, until: Date): Promise<void> {
  await db.query(sql`update deposits set due_at = ${until}, leased_until = null where id = ${id}`);
}

/** From where money came for a transaction. */
export async function listSenders(db: Queryable, transactionId: string): Promise<string[]> {
  const rows = await db.query<{ sender: string }>(sql`
    select distinct from_address as sender from deposits
    where transaction_id = ${transactionId} and use = 'credited' and state <> 'gone'
    order by sender`);
  return rows.map(({ sender }) => sender);
}

function depositOf({ units, ...rest }: DepositRow): Deposit {
  return { ...rest, units: asUnits(BigInt(units)) };
}
