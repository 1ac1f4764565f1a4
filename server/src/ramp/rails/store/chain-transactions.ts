import type { Hex } from "../../../chains/hex.ts";
import type { Queryable, Transaction } from "../../../database/database.ts";
import { prepared, sql } from "../../../database/sql.ts";
import { parseBigints, stringifyBigints } from "../../../lib/bigint-json.ts";
import { assert } from "../../../lib/errors.ts";
import type { PayoutId } from "../../transaction.ts";
import type { EvmCall, EvmReceipt } from "../evm/evm-nodes.ts";

/** What is signed, but for its nonce and fees. */
type GasCall = EvmCall & { gasLimit: bigint };

/** A transaction that we send. */
export type ChainTransaction = {
  id: string;
  sender: Hex;
  nonce: number;
  purpose: "payout" | "gas" | "sweep";
  payoutId: PayoutId | null;
  /** The deposit address that is emptied or given gas, and its index. */
  address: string | null;
  depositIndex: number | null;
  currency: string;
  units: bigint;
  call: GasCall;
  state: "reserved" | "signed" | "mined" | "final" | "failed";
  /** Of the form in which a block has it, else of the newest. */
  hash: Hex | null;
  sentAtBlock: number | null;
};

/** A form in which a transaction was signed. */
export type ChainAttempt = {
  hash: Hex;
  /** From 0. */
  number: number;
  raw: Hex;
  maxFee: bigint;
  priorityFee: bigint;
};

type Row = Omit<ChainTransaction, "nonce" | "depositIndex" | "units" | "call" | "sentAtBlock"> & {
  nonce: string;
  depositIndex: string | null;
  units: string;
  call: string;
  sentAtBlock: string | null;
};

type AttemptRow = Omit<ChainAttempt, "maxFee" | "priorityFee"> & {
  maxFee: string;
  priorityFee: string;
};

const asTransaction = sql`
  id, sender, nonce, purpose, payout_id as "payoutId", address,
  deposit_index as "depositIndex", currency, units, call::text as call, state, hash,
  sent_at_block as "sentAtBlock"`;

const asAttempt = sql`
  hash, number, raw, max_fee as "maxFee", priority_fee as "priorityFee"`;

type NewTransaction = Pick<ChainTransaction, "id" | "sender" | "purpose" | "currency" | "units"> & {
  blockchain: string;
  call: GasCall;
  of: { payoutId: PayoutId } | { address: string; depositIndex: number };
  at: Date;
  dueAt: Date;
};

/** Makes sure that a sender's next nonce is known, and at least what the chain says. Returns whether we were behind it. */
export async function raiseNonce(
  db: Queryable,
  blockchain: string,
  sender: Hex,
  chainNonce: number,
): Promise<boolean> {
  await db.query(prepared`
    insert into chain_senders (blockchain, address, next_nonce)
    values (${blockchain}, ${sender}, ${chainNonce}) on conflict do nothing`);
  const raised = await db.query(prepared`
    update chain_senders set next_nonce = ${chainNonce}
    where blockchain = ${blockchain} and address = ${sender} and next_nonce < ${chainNonce}
    returning next_nonce`);
  return raised.length > 0;
}

/** Makes those who send from an address take turns until `tx` ends. */
export async function lockSender(tx: Transaction, blockchain: string, sender: Hex): Promise<void> {
  const locked = await tx.query(prepared`
    select next_nonce from chain_senders
    where blockchain = ${blockchain} and address = ${sender} for update`);
  assert(locked.length > 0, `it is known which nonce ${sender} uses next`);
}

/** Takes the next nonce of the sender for a transaction. */
export async function insertTransaction(
  tx: Transaction,
  transaction: NewTransaction,
): Promise<ChainTransaction> {
  const { id, blockchain, sender, purpose, currency, units, call, of, at, dueAt } = transaction;
  const [row] = await tx.query<Row>(prepared`
    with taken as (
      update chain_senders set next_nonce = next_nonce + 1
      where blockchain = ${blockchain} and address = ${sender}
      returning next_nonce - 1 as nonce
    )
    insert into chain_transactions (id, blockchain, sender, nonce, purpose, payout_id, address,
      deposit_index, currency, units, call, state, created_at, updated_at, due_at)
    select ${id}, ${blockchain}, ${sender}, nonce, ${purpose},
      ${"payoutId" in of ? of.payoutId : null}, ${"address" in of ? of.address : null},
      ${"address" in of ? of.depositIndex : null}, ${currency}, ${units},
      ${stringifyBigints(call)}, 'reserved', ${at}, ${at}, ${dueAt}
    from taken
    returning ${asTransaction}`);
  assert(row, `it is known which nonce ${sender} uses next`);
  return transactionOf(row);
}

export async function findTransaction(db: Queryable, id: string): Promise<ChainTransaction> {
  const [row] = await db.query<Row>(prepared`
    select ${asTransaction} from chain_transactions where id = ${id}`);
  assert(row, `there is a transaction ${id}`);
  return transactionOf(row);
}

export async function findPayoutTransaction(
  db: Queryable,
  payoutId: string,
): Promise<ChainTransaction | undefined> {
  const [row] = await db.query<Row>(prepared`
    select ${asTransaction} from chain_transactions where payout_id = ${payoutId}`);
  return row && transactionOf(row);
}

/** What was paid out of a currency since a time, and not refused by the chain. */
export async function sumPaid(
  tx: Transaction,
  blockchain: string,
  currency: string,
  since: Date,
): Promise<bigint> {
  const [row] = await tx.query<{ sum: string }>(prepared`
    select coalesce(sum(units), 0) as sum from chain_transactions
    where blockchain = ${blockchain} and currency = ${currency} and purpose = 'payout'
      and created_at > ${since} and state <> 'failed'`);
  return BigInt(row?.sum ?? 0);
}

/** What a sender's transactions will take that no block up to this one has, and the gas they may use. */
export async function sumUnderWay(
  tx: Transaction,
  blockchain: string,
  sender: Hex,
  block: number,
): Promise<{ unitsOf(currency: string): bigint; gas: bigint }> {
  const rows = await tx.query<{ currency: string; units: string; gas: string }>(prepared`
    select currency, sum(units) as units,
      sum((call -> 'gasLimit' ->> 'bigint')::numeric) as gas
    from chain_transactions
    where blockchain = ${blockchain} and sender = ${sender}
      and (state in ('reserved', 'signed') or block_number > ${block})
    group by currency`);
  const units = new Map(rows.map((row) => [row.currency, BigInt(row.units)]));
  return {
    unitsOf: (currency) => units.get(currency) ?? 0n,
    gas: rows.reduce((sum, { gas }) => sum + BigInt(gas), 0n),
  };
}

/** Takes the transaction that is due longest for us alone until `until`; whoever dies with it leaves it to the others then. */
export async function claimTransaction(
  db: Queryable,
  blockchain: string,
  now: Date,
  until: Date,
): Promise<ChainTransaction | undefined> {
  const [row] = await db.query<Row>(prepared`
    update chain_transactions set leased_until = ${until}
    where id = (
      select id from chain_transactions
      where blockchain = ${blockchain} and due_at <= ${now}
        and (leased_until is null or leased_until <= ${now})
      order by due_at, nonce limit 1 for update skip locked
    )
    returning ${asTransaction}`);
  return row && transactionOf(row);
}

/** Looks at a transaction again at `dueAt`. */
export async function postponeTransaction(db: Queryable, id: string, dueAt: Date): Promise<void> {
  await db.query(prepared`
    update chain_transactions set due_at = ${dueAt}, leased_until = null
    where id = ${id} and state in ('reserved', 'signed', 'mined')`);
}

/** Every form in which a transaction was signed, the newest first. */
export async function listAttempts(db: Queryable, id: string): Promise<ChainAttempt[]> {
  const rows = await db.query<AttemptRow>(prepared`
    select ${asAttempt} from chain_attempts where transaction_id = ${id} order by number desc`);
  return rows.map(attemptOf);
}

/**
 * Keeps a signed form, before anybody is shown it. When somebody else was faster, or a block has the transaction, what is
 * there stays. Returns the newest form that is kept.
 */
export async function keepAttempt(
  tx: Transaction,
  id: string,
  attempt: ChainAttempt,
  { block, at, dueAt }: { block: number; at: Date; dueAt: Date },
): Promise<ChainAttempt> {
  const state = await lockTransaction(tx, id);
  const [newest] = await listAttempts(tx, id);
  const isNext = attempt.number === (newest?.number ?? -1) + 1;
  if (newest && (!isNext || state !== "signed")) return newest;
  assert(isNext, `${id} is signed for the first time`);
  const { hash, number, raw, maxFee, priorityFee } = attempt;
  await tx.query(prepared`
    with kept as (
      insert into chain_attempts
        (hash, transaction_id, number, raw, max_fee, priority_fee, created_at)
      values (${hash}, ${id}, ${number}, ${raw}, ${maxFee}, ${priorityFee}, ${at})
    )
    update chain_transactions set state = 'signed', hash = ${hash}, sent_at_block = ${block},
      updated_at = ${at}, due_at = ${dueAt}
    where id = ${id}`);
  return attempt;
}

/** Writes down which block has a transaction, and in which form. */
export async function markMined(
  db: Queryable,
  id: string,
  { hash, blockNumber, blockHash }: EvmReceipt,
  { at, dueAt }: { at: Date; dueAt: Date },
): Promise<void> {
  await db.query(prepared`
    update chain_transactions set state = 'mined', hash = ${hash}, block_number = ${blockNumber},
      block_hash = ${blockHash}, updated_at = ${at}, due_at = ${dueAt}, leased_until = null
    where id = ${id} and state in ('signed', 'mined')`);
}

/** The block that had a transaction is not in the chain any more. */
export async function markUnmined(db: Queryable, id: string, at: Date): Promise<void> {
  await db.query(prepared`
    update chain_transactions set state = 'signed', block_number = null, block_hash = null,
      updated_at = ${at}
    where id = ${id} and state = 'mined'`);
}

/** What a block did with a transaction is for good. Returns false when that has been written down before. */
export async function finishTransaction(
  tx: Transaction,
  id: string,
  { hash, blockNumber, blockHash, succeeded, gasPaid }: EvmReceipt,
  at: Date,
): Promise<boolean> {
  const finished = await tx.query(prepared`
    update chain_transactions set state = ${succeeded ? "final" : "failed"}, hash = ${hash},
      block_number = ${blockNumber}, block_hash = ${blockHash}, gas_paid = ${gasPaid},
      updated_at = ${at}, due_at = null, leased_until = null
    where id = ${id} and state in ('signed', 'mined')
    returning id`);
  return finished.length > 0;
}

async function lockTransaction(tx: Transaction, id: string): Promise<ChainTransaction["state"]> {
  const [row] = await tx.query<Pick<ChainTransaction, "state">>(prepared`
    select state from chain_transactions where id = ${id} for update`);
  assert(row, `there is a transaction ${id}`);
  return row.state;
}

function transactionOf({ nonce, depositIndex, units, call, sentAtBlock, ...rest }: Row) {
  return {
    ...rest,
    nonce: Number(nonce),
    depositIndex: depositIndex === null ? null : Number(depositIndex),
    units: BigInt(units),
    // Written by `insertTransaction`, and by nobody else.
    call: parseBigints(call) as GasCall,
    sentAtBlock: sentAtBlock === null ? null : Number(sentAtBlock),
  };
}

function attemptOf({ maxFee, priorityFee, ...rest }: AttemptRow): ChainAttempt {
  return { ...rest, maxFee: BigInt(maxFee), priorityFee: BigInt(priorityFee) };
}
