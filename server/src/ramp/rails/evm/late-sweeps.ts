import { messageOf } from "../../../lib/errors.ts";
import {
  findLateSweep,
  type LateSweep,
  listWaiting,
  lockWithoutGas,
  postponeLateSweep,
} from "../store/chain-sweeps.ts";
import { listAttempts } from "../store/chain-transactions.ts";
import type { DepositContext } from "./deposit-watch.ts";
import { bytesFee, coinsBeside } from "./gas-money.ts";
import { prepareSender } from "./own-transactions.ts";
import { coinGas, isWorth, planGas, reserveGas } from "./send-gas.ts";

/** After how long a sweep that has not arrived is looked at, and again after that. */
export const lateMs = 3_600_000;

/**
 * Looks at the sweep that is late longest. When its address cannot pay for it, because fees have risen or what was to
 * pay is gone, it is sent more gas: whatever else lies there would wait behind it for ever. Returns whether there was
 * such a sweep.
 */
export async function relieveNext(context: DepositContext): Promise<boolean> {
  const { chain, db, clock, log } = context;
  const sweep = await findLateSweep(db, chain.blockchain, new Date(clock.now()));
  if (!sweep) return false;
  await relieve(context, sweep).catch((error) =>
    log.warn(
      { blockchain: chain.blockchain, transaction: sweep.id, reason: messageOf(error) },
      "a sweep that waits for gas cannot be given any just now; it is tried again in an hour",
    ),
  );
  await postponeLateSweep(db, chain.blockchain, sweep, new Date(clock.now() + lateMs));
  return true;
}

async function relieve(context: DepositContext, sweep: LateSweep): Promise<void> {
  const { chain, db, nodes } = context;
  if (sweep.state !== "signed") return;
  const { maxFee } = await nodes.fees();
  const units = await missingGas(context, sweep, maxFee);
  if (units <= 0n) return;
  const waiting = await listWaiting(db, chain.blockchain, sweep.address);
  if (!isWorth(context, waiting, (sweep.call.gasLimit + coinGas) * maxFee)) return;
  const plan = await planGas(context, sweep, units);
  await prepareSender(context, chain.hotWallet);
  await db.transact(async (tx) => {
    if (await lockWithoutGas(tx, chain.blockchain, sweep)) await reserveGas(tx, context, plan);
  });
}

/**
 * What has to come to the address of a sweep, so that it can pay for a form that the network takes: the cheapest that
 * was signed, or one that is still to be signed.
 */
async function missingGas(
  context: DepositContext,
  sweep: LateSweep,
  networkFee: bigint,
): Promise<bigint> {
  const { gasLimit } = sweep.call;
  const coins = await coinsBeside(context, sweep);
  if (coins < 0n)
    throw new Error(`${sweep.address} has less than is to be carried away; find out why`);
  const offers = (await listAttempts(context.db, sweep.id)).map(({ maxFee }) => maxFee);
  const [enough] = offers.filter((fee) => fee >= networkFee).sort((a, b) => (a < b ? -1 : 1));
  if (coins >= (enough ?? networkFee) * gasLimit + bytesFee) return 0n;
  // Half as much again: fees may have to be raised before a block takes the transaction.
  return (enough ?? (networkFee * 3n) / 2n) * gasLimit + bytesFee - coins;
}
