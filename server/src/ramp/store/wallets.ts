import type { Wallet } from "@slipway/sdk";
import type { Queryable, Transaction } from "../../database/database.ts";
import { prepared, sql } from "../../database/sql.ts";
import { assert } from "../../lib/errors.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { addressKey } from "../addresses/address-key.ts";
import type { UserId, WalletId } from "../transaction.ts";

/** A wallet as it is shown, with ids that the compiler tells apart. */
export type StoredWallet = Omit<Wallet, "id" | "userId"> & { id: WalletId; userId: UserId };

type WalletRow = Pick<StoredWallet, "id" | "userId" | "address" | "blockchain"> & {
  createdAt: Date;
  updatedAt: Date;
};

const asRow = sql`
  id, user_id as "userId", address, blockchain, created_at as "createdAt", updated_at as "updatedAt"`;

export type NewWalletRow = {
  id: WalletId;
  userId: string;
  blockchain: string;
  address: string;
  now: Date;
};

/** Registers an address. The answer has another id when the user had registered it already. */
export async function insertWallet(tx: Transaction, wallet: NewWalletRow): Promise<StoredWallet> {
  const { id, userId, blockchain, address, now } = wallet;
  // A row that is there already is touched to be returned, and locked until the transaction ends.
  const [row] = await tx.query<WalletRow>(sql`
    insert into wallets (id, user_id, blockchain, address, address_key, created_at, updated_at)
    values (${id}, ${userId}, ${blockchain}, ${address}, ${addressKey(blockchain, address)}, ${now}, ${now})
    on conflict (user_id, blockchain, address_key) where deleted_at is null
    do update set updated_at = wallets.updated_at
    returning ${asRow}`);
  assert(row, "a wallet is inserted or found");
  return toWallet(row);
}

/** A user's wallets, newest first; all of them when there is no limit. */
export async function listWallets(
  db: Queryable,
  userId: string,
  { limit, skip }: { limit: number | null; skip: number },
): Promise<StoredWallet[]> {
  const rows = await db.query<WalletRow>(sql`
    select ${asRow} from wallets where user_id = ${userId} and deleted_at is null
    order by created_at desc, id limit ${limit} offset ${skip}`);
  return rows.map(toWallet);
}

/** One wallet of one user, to be shown. Somebody else's is the same as none. */
export async function readWallet(
  db: Queryable,
  userId: string,
  id: string,
): Promise<StoredWallet | undefined> {
  const [row] = await db.query<WalletRow>(sql`
    select ${asRow} from wallets where user_id = ${userId} and id = ${id} and deleted_at is null`);
  return row && toWallet(row);
}

/** One wallet of one user, to be used: nobody deletes it before the transaction ends. */
export async function findWallet(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<StoredWallet | undefined> {
  const [row] = await tx.query<WalletRow>(prepared`
    select ${asRow} from wallets where user_id = ${userId} and id = ${id} and deleted_at is null
    for key share`);
  return row && toWallet(row);
}

/** Takes a wallet out of lists. What refers to it goes on doing so. */
export async function deleteWallet(
  tx: Transaction,
  userId: string,
  id: string,
  now: Date,
): Promise<StoredWallet | "unknown" | "in_use"> {
  // Whoever uses the wallet holds a lock on it until the use can be seen.
  const found = await tx.query(sql`
    select from wallets where user_id = ${userId} and id = ${id} and deleted_at is null for update`);
  if (found.length === 0) return "unknown";
  const uses = await tx.query(sql`
    select from ramp_transactions
    where user_id = ${userId} and wallet_id = ${id} and is_open limit 1`);
  if (uses.length > 0) return "in_use";
  const [row] = await tx.query<WalletRow>(sql`
    update wallets set deleted_at = ${now}, updated_at = ${now}
    where user_id = ${userId} and id = ${id}
    returning ${asRow}`);
  return row ? toWallet(row) : "unknown";
}

function toWallet(row: WalletRow): StoredWallet {
  return { ...row, createdAt: timestamp(row.createdAt), updatedAt: timestamp(row.updatedAt) };
}
