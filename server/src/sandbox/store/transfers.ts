import type { Transaction } from "../../database/database.ts";
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
