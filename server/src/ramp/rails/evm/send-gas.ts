import type { Transaction } from "../../../database/database.ts";
import { asUnits } from "../../../lib/money.ts";
import { lockSender, sumUnderWay } from "../store/chain-transactions.ts";
import type { EvmContext } from "./chain-rail.ts";
import type { DepositContext } from "./deposit-watch.ts";
import type { EvmCall } from "./evm-nodes.ts";
import { type OwnTransaction, reserveTransaction } from "./own-transactions.ts";
import { coinOf } from "./ramp-chain.ts";
import { newestBlock } from "./sign-transaction.ts";

/** Gas for a deposit address, and what the hot wallet had at a block when that was planned. */
export type GasPlan = {
  transaction: OwnTransaction;
  maxFee: bigint;
  hot: { block: number; coins: bigint };
};

/** A deposit worth less than so many times what it takes to carry it away stays where it is. */
const worthTimes = 3n;

/** What a transfer of the chain's own coin takes. */
export const coinGas = 21_000n;

/** Plans to send gas to a deposit address out of the hot wallet. */
export async function planGas(
  context: EvmContext,
  { address, depositIndex }: { address: string; depositIndex: number },
  units: bigint,
): Promise<GasPlan> {
  const { chain, nodes } = context;
  const coin = coinOf(chain);
  const { number: block } = await newestBlock(context);
  const coins = await nodes.balance(chain.hotWallet, coin, block);
  const call: EvmCall = { to: lowerCase(address), value: units, data: "0x" };
  const gasLimit = withRoom(await nodes.estimateGas(chain.hotWallet, call));
  const { maxFee } = await nodes.fees();
  const of = { purpose: "gas", sender: chain.hotWallet, address, depositIndex } as const;
  const transaction = { ...of, currency: coin.symbol, units, call, gasLimit };
  return { transaction, maxFee, hot: { block, coins } };
}

/**
 * Reserves the gas that was planned. Throws when the hot wallet, after all that is under way, could not send it and keep
 * its floor: payouts would wait behind it.
 */
export async function reserveGas(
  tx: Transaction,
  context: EvmContext,
  { transaction, maxFee, hot }: GasPlan,
): Promise<void> {
  const { chain } = context;
  const { sender, currency, units, gasLimit } = transaction;
  await lockSender(tx, chain.blockchain, sender);
  const underWay = await sumUnderWay(tx, chain.blockchain, sender, hot.block);
  const taken = underWay.unitsOf(currency) + (underWay.gas + gasLimit) * maxFee + units;
  if (hot.coins - taken < (chain.limits[currency]?.floor ?? 0n))
    throw new Error(`the hot wallet has too little ${currency} to send gas; put some in`);
  await reserveTransaction(tx, context, transaction);
}

/** Whether deposits are worth a fee. Without prices nobody knows, and they are carried away. */
export function isWorth(
  { chain, worthCents }: DepositContext,
  deposits: readonly { currency: string; units: bigint }[],
  fee: bigint,
): boolean {
  const cost = worthCents(coinOf(chain).symbol, asUnits(fee));
  const worths = deposits.map(({ currency, units }) => worthCents(currency, asUnits(units)));
  if (cost === undefined || worths.includes(undefined)) return true;
  return worths.reduce<bigint>((sum, worth) => sum + (worth ?? 0n), 0n) >= worthTimes * cost;
}

/** What is not used is not paid. A plain transfer always takes the same. */
export function withRoom(gas: bigint): bigint {
  return gas <= coinGas ? coinGas : (gas * 6n) / 5n;
}

function lowerCase(address: string): `0x${string}` {
  return `0x${address.slice(2).toLowerCase()}`;
}
