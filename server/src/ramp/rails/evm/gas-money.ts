import { assert } from "../../../lib/errors.ts";
import { sumLying } from "../store/chain-sweeps.ts";
import type { ChainTransaction } from "../store/chain-transactions.ts";
import type { EvmContext } from "./chain-rail.ts";
import { coinOf } from "./ramp-chain.ts";

/** A few cents. Some chains charge for a transaction's bytes as well, apart from its gas. */
export const bytesFee = 2n * 10n ** 13n;

/**
 * What a transaction can offer for a unit of gas at most. A sweep has only what lies at its address and is neither
 * carried away nor deposited there; the hot wallet can be filled, and has no such limit.
 */
export async function feeMost(
  context: EvmContext,
  transaction: ChainTransaction,
): Promise<bigint | undefined> {
  const { purpose, sender, address, call } = transaction;
  if (purpose !== "sweep") return undefined;
  assert(address, `${transaction.id} empties a deposit address`);
  const money = (await coinsBeside(context, { sender, address, call })) - bytesFee;
  return money > 0n ? money / call.gasLimit : 0n;
}

/** What a deposit address has of the chain's own coin beside what a sweep carries and what else was deposited there. */
export async function coinsBeside(
  { chain, db, nodes }: EvmContext,
  { sender, address, call }: Pick<ChainTransaction, "sender" | "call"> & { address: string },
): Promise<bigint> {
  const coin = coinOf(chain);
  const coins = await nodes.balance(sender, coin, "latest");
  return coins - call.value - (await sumLying(db, chain.blockchain, address, coin.symbol));
}
