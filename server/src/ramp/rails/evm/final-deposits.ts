import type { Units } from "../../../lib/money.ts";
import { findChainCursor, listUntold, moveFinal } from "../store/chain-blocks.ts";
import { type ChainDeposit, finishDeposit, listSeen } from "../store/chain-deposits.ts";
import { tellDeposits } from "./deposit-notices.ts";
import type { DepositContext } from "./deposit-watch.ts";
import type { EvmTransfer } from "./evm-nodes.ts";
import { finalBlock } from "./final-block.ts";
import type { Finality } from "./ramp-chain.ts";

/** How many deposits are called final in one run. */
const depositsMost = 1_000;

/** Tells which deposits are there for good, and up to where the whole chain is. `nextBlock` was not looked at yet. */
export async function tellFinal(context: DepositContext, nextBlock: number): Promise<number> {
  const { chain, db } = context;
  const final = await finalNumber(context, chain.finality);
  const small = chain.smallDeposits?.finality;
  const smallFinal = small ? await finalNumber(context, small) : final;
  const seen = await listSeen(db, chain.blockchain, Math.max(final, smallFinal), depositsMost);
  const due = seen.filter(({ currency, units, blockNumber }) => {
    const isSmall = finalityFor(context, currency, units) === small;
    return blockNumber <= (isSmall ? smallFinal : final);
  });
  let handled = 0;
  for (const deposits of byBlock(due)) handled += await finishBlock(context, deposits);
  await advance(context, Math.min(final, nextBlock - 1));
  return handled;
}

/** When a deposit is for good: a small one may be earlier. What has no price is not small. */
export function finalityFor(
  { chain, worthCents }: DepositContext,
  currency: string,
  units: Units,
): Finality {
  if (!chain.smallDeposits) return chain.finality;
  const worth = worthCents(currency, units);
  const isSmall = worth !== undefined && worth < chain.smallDeposits.belowCents;
  return isSmall ? chain.smallDeposits.finality : chain.finality;
}

async function finalNumber(context: DepositContext, finality: Finality): Promise<number> {
  return (await finalBlock(context, finality))?.number ?? -1;
}

function byBlock(deposits: readonly ChainDeposit[]): ChainDeposit[][] {
  const blocks = new Map<string, ChainDeposit[]>();
  for (const deposit of deposits)
    blocks.set(deposit.blockHash, [...(blocks.get(deposit.blockHash) ?? []), deposit]);
  return [...blocks.values()];
}

/** Calls the deposits of one block final, after the chain was asked for them once more. */
async function finishBlock(
  context: DepositContext,
  deposits: readonly ChainDeposit[],
): Promise<number> {
  const { chain, nodes, db, clock, log } = context;
  const [first] = deposits;
  const block = first && (await nodes.block(first.blockNumber));
  // Another block stands there: the next run finds out where the chain parted.
  if (!block || block.hash !== first.blockHash) return 0;
  const transfers = await nodes.transfers(block);
  const isThere = (deposit: ChainDeposit) => transfers.some((one) => isSame(one, deposit));
  for (const { transactionHash, logIndex } of deposits.filter((one) => !isThere(one))) {
    log.error(
      { blockchain: chain.blockchain, transactionHash, logIndex, block: block.number },
      "the nodes no longer tell of a deposit that they told of in the same block; ask what is wrong with them",
    );
  }
  return db.transact(async (tx) => {
    let handled = 0;
    for (const deposit of deposits.filter(isThere)) {
      const at = new Date(clock.now());
      const finished = await finishDeposit(tx, chain.blockchain, deposit, at);
      if (!finished) continue;
      await tellDeposits(tx, context, "deposit_final", [finished]);
      handled++;
    }
    return handled;
  });
}

function isSame(transfer: EvmTransfer, deposit: ChainDeposit): boolean {
  return (
    transfer.transactionHash === deposit.transactionHash &&
    transfer.logIndex === deposit.logIndex &&
    transfer.token.symbol === deposit.currency &&
    transfer.to === deposit.address.toLowerCase() &&
    transfer.units === deposit.units
  );
}

/**
 * Moves on up to where everything is for good and has been told. A transaction of ours that a block has and that has
 * not been told stops it: by its block when we know that, else by its nonce, which was used there. So does a block that
 * was replaced after we looked through it: what stands there now has not been told.
 */
async function advance(context: DepositContext, wanted: number): Promise<void> {
  const { chain, nodes, db } = context;
  const untold = await listUntold(db, chain.blockchain);
  const to = Math.min(wanted, ...untold.map(({ block }) => (block ?? Number.MAX_SAFE_INTEGER) - 1));
  const cursor = await findChainCursor(db, chain.blockchain);
  if (!cursor || to <= cursor.finalBlock) return;
  for (const { sender, nonce } of untold) if ((await nodes.nonce(sender, to)) > nonce) return;
  const block = await nodes.block(to);
  if (block) await db.transact((tx) => moveFinal(tx, chain.blockchain, block));
}
