import { getAddress } from "viem";
import { addressWatchMs } from "../../policy.ts";
import { type ChainDeposit, listGasHashes, listWatched } from "../store/chain-deposits.ts";
import type { DepositContext } from "./deposit-watch.ts";
import type { EvmBlock, EvmTransfer } from "./evm-nodes.ts";
import { finalityFor } from "./final-deposits.ts";

/** A deposit that a block has, and when it is for good if its rule says so beforehand. */
export type FoundDeposit = ChainDeposit & { dueAt: Date | null };

/** The transfers of a block to our deposit addresses. */
export async function depositsIn(
  context: DepositContext,
  block: EvmBlock,
): Promise<FoundDeposit[]> {
  // Anybody can send nothing to anybody.
  const transfers = (await context.nodes.transfers(block)).filter(({ units }) => units > 0n);
  if (transfers.length === 0) return [];
  const blockTime = context.blockTime(block.time);
  const watched = await listWatched(
    context.db,
    context.chain.blockchain,
    [...new Set(transfers.map(({ to }) => to))],
    new Date(blockTime - addressWatchMs),
  );
  const ours = new Map(watched.map((one) => [one.address.toLowerCase(), one]));
  const coming = await withoutGas(
    context,
    transfers.filter(({ to }) => ours.has(to)),
  );
  return coming.flatMap(({ transactionHash, logIndex, token, from, to, units }) => {
    const known = ours.get(to);
    if (!known) return [];
    const finality = finalityFor(context, token.symbol, units);
    return {
      ...{ ...known, transactionHash, logIndex, currency: token.symbol, units },
      ...{ fromAddress: getAddress(from), blockNumber: block.number, blockHash: block.hash },
      blockTime: new Date(blockTime),
      dueAt: finality.rule === "age" ? new Date(blockTime + finality.ms) : null,
    };
  });
}

/** Without the gas that our hot wallet sends to deposit addresses. What it pays out to one is a deposit like any other. */
async function withoutGas(
  { chain, db }: DepositContext,
  transfers: readonly EvmTransfer[],
): Promise<readonly EvmTransfer[]> {
  const sent = transfers.filter(({ from }) => from === chain.hotWallet.toLowerCase());
  if (sent.length === 0) return transfers;
  const gas = await listGasHashes(
    db,
    sent.map(({ transactionHash }) => transactionHash),
  );
  return transfers.filter(({ transactionHash }) => !gas.has(transactionHash));
}
