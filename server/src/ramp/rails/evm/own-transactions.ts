import type { Hex } from "../../../chains/hex.ts";
import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { assert, messageOf } from "../../../lib/errors.ts";
import { newId } from "../../../lib/ids.ts";
import {
  type ChainAttempt,
  type ChainTransaction,
  claimTransaction,
  finishTransaction,
  insertTransaction,
  listAttempts,
  lockSender,
  markMined,
  markUnmined,
  postponeTransaction,
  raiseNonce,
} from "../store/chain-transactions.ts";
import { tellNotices } from "../store/notices.ts";
import type { EvmContext } from "./chain-rail.ts";
import type { EvmBlock, EvmCall, EvmNodes, EvmReceipt } from "./evm-nodes.ts";
import { raisedFees } from "./fees.ts";
import { finalBlock } from "./final-block.ts";
import { feeMost } from "./gas-money.ts";
import { noticesOf } from "./own-notices.ts";
import { newestBlock, sendForms, signFirst, signForm } from "./sign-transaction.ts";

/** A transaction that moves money between addresses of ours. */
export type OwnTransaction = {
  purpose: "gas" | "sweep";
  sender: Hex;
  /** The deposit address that is emptied or given gas, and its index. */
  address: string;
  depositIndex: number;
  currency: string;
  units: bigint;
  call: EvmCall;
  gasLimit: bigint;
};

/** For how long a transaction is left to whoever looks at it. */
const leaseMs = 60_000;

const hourMs = 3_600_000;

/** Brings our own transactions into blocks, and tells when they are there for good. */
export function ownTransactionsWatch(context: EvmContext): DueRunner {
  const { chain } = context;
  return {
    name: `own transactions on ${chain.blockchain}`,
    async run(signal) {
      const findFinal = finalBlockOnce(context);
      let handled = 0;
      while (!signal?.aborted && (await lookAtNext(context, findFinal))) handled++;
      return handled;
    },
  };
}

/** Asks for the final block when it is first needed: to whoever looks at many transactions, an older one does as well. */
type FindFinal = () => Promise<EvmBlock | undefined>;

function finalBlockOnce(context: EvmContext): FindFinal {
  let asked: ReturnType<FindFinal> | undefined;
  return () => {
    asked ??= finalBlock(context, context.chain.finality).catch((error) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** Finds out which nonce a sender uses next. To be called before `reserveTransaction`, outside of its transaction. */
export async function prepareSender(
  { db, nodes, chain, log }: EvmContext,
  address: Hex,
  at: "latest" | number = "latest",
): Promise<void> {
  const sender = lowerCase(address);
  const nonce = await nodes.nonce(sender, at);
  if (!(await raiseNonce(db, chain.blockchain, sender, nonce))) return;
  log.error(
    { blockchain: chain.blockchain, address: sender, nonce },
    "the chain has more transactions of an address of ours than we sent; nobody else may use its key",
  );
}

/** Takes a nonce for a transaction; the watch signs and sends it. Returns its id. */
export async function reserveTransaction(
  tx: Transaction,
  { chain, clock, random }: EvmContext,
  wanted: OwnTransaction,
): Promise<string> {
  const { purpose, address, depositIndex, currency, units, call, gasLimit } = wanted;
  const sender = lowerCase(wanted.sender);
  const at = new Date(clock.now());
  await lockSender(tx, chain.blockchain, sender);
  const { id } = await insertTransaction(tx, {
    id: newId("ctx", random),
    ...{ blockchain: chain.blockchain, sender, purpose, currency, units },
    call: { ...call, gasLimit },
    of: { address, depositIndex },
    at,
    dueAt: at,
  });
  return id;
}

async function lookAtNext(context: EvmContext, findFinal: FindFinal): Promise<boolean> {
  const { db, clock, chain, log } = context;
  const now = clock.now();
  const until = new Date(now + leaseMs);
  const transaction = await claimTransaction(db, chain.blockchain, new Date(now), until);
  if (!transaction) return false;
  await look(context, transaction, findFinal).catch(async (error) => {
    log.warn(
      { blockchain: chain.blockchain, transaction: transaction.id, reason: messageOf(error) },
      "a transaction of ours could not be looked after; it is tried again",
    );
    await lookAgain(context, transaction);
  });
  return true;
}

/** Finds out what became of a transaction, and does what it needs. */
async function look(
  context: EvmContext,
  transaction: ChainTransaction,
  findFinal: FindFinal,
): Promise<void> {
  const { nodes } = context;
  if (transaction.state === "reserved") {
    await sendForms(context, transaction, [await signFirst(context, transaction)]);
    return lookAgain(context, transaction);
  }
  const final = await findFinal();
  const attempts = await listAttempts(context.db, transaction.id);
  const receipt = await receiptOfAny(nodes, attempts);
  if (!receipt) return bringIn(context, transaction, attempts, final);
  const block = await nodes.block(receipt.blockNumber);
  if (block?.hash !== receipt.blockHash) return lookAgain(context, transaction);
  if (final && block.number <= final.number) return finish(context, transaction, receipt);
  await noteMined(context, transaction, receipt, block);
}

/** Any of the forms may be the one that a block has. */
async function receiptOfAny(
  nodes: EvmNodes,
  attempts: readonly ChainAttempt[],
): Promise<EvmReceipt | undefined> {
  for (const { hash } of attempts) {
    const receipt = await nodes.receipt(hash);
    if (receipt) return receipt;
  }
  return undefined;
}

async function finish(
  context: EvmContext,
  transaction: ChainTransaction,
  receipt: EvmReceipt,
): Promise<void> {
  const { db, clock, chain } = context;
  const now = clock.now();
  await db.transact(async (tx) => {
    const isNew = await finishTransaction(tx, transaction.id, receipt, new Date(now));
    if (!isNew) return;
    const notices = noticesOf(chain, transaction, receipt, now);
    await tellNotices(tx, context, `chain:${chain.blockchain}`, notices);
  });
}

async function noteMined(
  { db, clock, chain, blockTime }: EvmContext,
  { id }: ChainTransaction,
  receipt: EvmReceipt,
  block: EvmBlock,
): Promise<void> {
  const now = clock.now();
  const soon = now + chain.pollMs;
  const { finality } = chain;
  // A block that only has to grow old needs no looking at before.
  const dueAt =
    finality.rule === "age" ? Math.max(soon, blockTime(block.time) + finality.ms) : soon;
  await markMined(db, id, receipt, { at: new Date(now), dueAt: new Date(dueAt) });
}

/** Does what helps a transaction that no block has. */
async function bringIn(
  context: EvmContext,
  transaction: ChainTransaction,
  attempts: readonly ChainAttempt[],
  final: EvmBlock | undefined,
): Promise<void> {
  const { db, nodes, clock, chain, log } = context;
  const { id, sender, nonce, state } = transaction;
  if (state === "mined") {
    await markUnmined(db, id, new Date(clock.now()));
    log.warn(
      { blockchain: chain.blockchain, transaction: id },
      "a block with a transaction of ours is not in the chain any more; the transaction is sent again",
    );
  }
  const head = await newestBlock(context);
  const used = await nodes.nonce(sender, head.number);
  if (used > nonce) return suspectOther(context, transaction, attempts, final);
  const isNext = used === nonce;
  const dearer = isNext ? await raise(context, transaction, attempts, head) : undefined;
  await sendForms(context, transaction, dearer ? [dearer, ...attempts] : attempts);
  await lookAgain(context, transaction);
}

/** The same with higher fees; nothing when it has not waited long enough, cannot pay them, or they are not the reason. */
async function raise(
  context: EvmContext,
  transaction: ChainTransaction,
  [newest]: readonly ChainAttempt[],
  head: EvmBlock,
): Promise<ChainAttempt | undefined> {
  const { nodes, chain, log } = context;
  assert(newest, `${transaction.id} was signed`);
  const sentAt = transaction.sentAtBlock ?? head.number;
  if (head.number < sentAt + chain.bumpAfterBlocks) return undefined;
  const fees = raisedFees(newest, await nodes.fees(), await feeMost(context, transaction));
  if (!fees) return undefined;
  const form = await signForm(context, transaction, { number: newest.number + 1, fees, head });
  log.info(
    { blockchain: chain.blockchain, transaction: transaction.id, hash: form.hash },
    "a transaction waits too long and is sent with higher fees",
  );
  return form;
}

/** The nonce is used, and not by a form that we signed, as far as the nodes tell. It gets no other: that could pay twice. */
async function suspectOther(
  context: EvmContext,
  transaction: ChainTransaction,
  attempts: readonly ChainAttempt[],
  final: EvmBlock | undefined,
): Promise<void> {
  const { nodes, chain, log } = context;
  const { id, sender, nonce, payoutId } = transaction;
  const isForGood = final && (await nodes.nonce(sender, final.number)) > nonce;
  if (!isForGood || (await receiptOfAny(nodes, attempts))) return lookAgain(context, transaction);
  log.error(
    { blockchain: chain.blockchain, transaction: id, payout: payoutId, address: sender, nonce },
    "the hot wallet is used by somebody else: the nonce of a transaction of ours was taken, so it can never be made; find out who has the key, and move the money to another",
  );
  await lookAgain(context, transaction, hourMs);
}

function lookAgain(
  { db, clock, chain }: EvmContext,
  { id }: ChainTransaction,
  ms = chain.pollMs,
): Promise<void> {
  return postponeTransaction(db, id, new Date(clock.now() + ms));
}

function lowerCase(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase()}`;
}
