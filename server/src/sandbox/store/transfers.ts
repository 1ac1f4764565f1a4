import type { Queryable, Transaction } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { asUnits, type Units } from "../../lib/money.ts";

/** A transfer on one of the sandbox's chains to an address of ours. */
export type Transfer = {
  transactionHash: string;
  blockchain: string;
  address: string;
  fromAddress: string;
  currency: string;
  units: Units;
  blockTime: Date;
};

/** A row as it comes, with the time when it is final. */
export type TransferRow = Omit<Transfer, "units"> & { units: string; dueAt: Date };

const asTransfer = sql`
  transaction_hash as "transactionHash", blockchain, address, from_address as "fromAddress",
  currency, units, block_time as "blockTime", due_at as "dueAt"`;

/** Puts a transfer into a block that is final later. */
export async function insertTransfer(
  tx: Transaction,
  transfer: Transfer,
  finalAt: Date,
): Promise<void> {
  const { transactionHash, blockchain, address, fromAddress, currency, units, blockTime } =
    transfer;
  await tx.query(sql`
    insert into sandbox_transfers (transaction_hash, blockchain, address, from_address, currency,
      units, block_time, state, due_at)
    values (${transactionHash}, ${blockchain}, ${address}, ${fromAddress}, ${currency},
      ${String(units)}, ${blockTime}, 'seen', ${finalAt})`);
}

const localTurn = 5_210_010;

/** Makes those who change the sandbox's Ethereum for a deposit take turns until `tx` ends. */
export async function takeLocalTurn(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${localTurn})`);
}

/**
 * Writes down a transfer that a real chain has, and where the chain stood before. What becomes of it the ramp sees for
 * itself, so it never falls due here. One that was taken back may be sent again, with the same hash.
 */
export async function insertLocalTransfer(
  tx: Transaction,
  transfer: Transfer,
  snapshot: string,
): Promise<void> {
  const { transactionHash, blockchain, address, fromAddress, currency, units, blockTime } =
    transfer;
  await tx.query(sql`
    insert into sandbox_transfers (transaction_hash, blockchain, address, from_address, currency,
      units, block_time, state, snapshot)
    values (${transactionHash}, ${blockchain}, ${address}, ${fromAddress}, ${currency},
      ${String(units)}, ${blockTime}, 'seen', ${snapshot})
    on conflict (transaction_hash) do update
    set state = 'seen', block_time = excluded.block_time, snapshot = excluded.snapshot`);
}

/** Transfers on a real chain to an address that are not final, the first one first. */
export function listLocalTransfers(
  db: Queryable,
  blockchain: string,
  address: string,
): Promise<{ transactionHash: string; snapshot: string | null }[]> {
  return db.query(sql`
    select transaction_hash as "transactionHash", snapshot from sandbox_transfers transfers
    where blockchain = ${blockchain} and address = ${address} and state = 'seen'
      and not exists (
        select from chain_deposits deposits
        where deposits.blockchain = transfers.blockchain and deposits.state = 'final'
          and deposits.transaction_hash = transfers.transaction_hash)
    order by snapshot collate "C"`);
}

/** Says that all transfers are gone that a real chain took in since it stood here. */
export async function loseLocalTransfers(tx: Transaction, snapshot: string): Promise<void> {
  const [instance = ""] = snapshot.split(":");
  await tx.query(sql`
    update sandbox_transfers set state = 'gone', snapshot = null
    where state = 'seen' and starts_with(snapshot, ${instance})
      and snapshot collate "C" >= ${snapshot}`);
}

/** Says that a transfer is final, or is in no block any more. */
export async function endTransfer(
  tx: Transaction,
  transactionHash: string,
  state: "final" | "gone",
): Promise<void> {
  await tx.query(sql`
    update sandbox_transfers set state = ${state}, due_at = null
    where transaction_hash = ${transactionHash}`);
}

/** Locks the transfer that should have become final longest ago. */
export function takeDueTransfer(now: Date): Sql {
  return sql`
    select ${asTransfer} from sandbox_transfers where due_at <= ${now}
    order by due_at, id limit 1 for update skip locked`;
}

/** Puts off when a transfer is final. */
export function postponeTransfer(transactionHash: string, until: Date): Sql {
  return sql`
    update sandbox_transfers set due_at = ${until} where transaction_hash = ${transactionHash}`;
}

/** Locks the transfers to an address that are in a block and not final. */
export async function lockSeenTransfers(
  tx: Transaction,
  blockchain: string,
  address: string,
): Promise<Transfer[]> {
  const rows = await tx.query<TransferRow>(sql`
    select ${asTransfer} from sandbox_transfers
    where blockchain = ${blockchain} and address = ${address} and state = 'seen'
    order by id for update`);
  return rows.map(transferOfRow);
}

/** Reads a row. */
export function transferOfRow({ dueAt: _, units, ...transfer }: TransferRow): Transfer {
  return { ...transfer, units: asUnits(BigInt(units)) };
}
