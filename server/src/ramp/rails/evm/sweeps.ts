import { encodeFunctionData, erc20Abi } from "viem";
import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { assert, messageOf } from "../../../lib/errors.ts";
import { findKillSwitches } from "../../store/kill-switches.ts";
import {
  findDueSweep,
  lockSweepable,
  markSweep,
  noteSwept,
  postponeSweep,
  resetFailedSweeps,
  type Sweepable,
} from "../store/chain-sweeps.ts";
import type { EvmContext } from "./chain-rail.ts";
import type { DepositContext } from "./deposit-watch.ts";
import type { EvmCall } from "./evm-nodes.ts";
import { bytesFee } from "./gas-money.ts";
import { lateMs, relieveNext } from "./late-sweeps.ts";
import { type OwnTransaction, prepareSender, reserveTransaction } from "./own-transactions.ts";
import { type ChainToken, coinOf } from "./ramp-chain.ts";
import { coinGas, type GasPlan, isWorth, planGas, reserveGas, withRoom } from "./send-gas.ts";
import type { Signer } from "./signer.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How many addresses are seen to in one run. */
const sweepsMost = 20;

/** What a transfer of a token is given at least. */
const tokenGasLeast = 65_000n;

/** Carries what lies at deposit addresses to the hot wallet: gas first where a token needs it, then the deposits. */
export function sweeper(context: DepositContext): DueRunner {
  const { chain, db } = context;
  return {
    name: `sweeps on ${chain.blockchain}`,
    async run(signal) {
      const arrived = await noteSwept(db, chain.blockchain);
      await resetFailed(context);
      // Whoever has no keys to the deposit addresses leaves them to those who do.
      if (!context.keys?.deposit(0) || (await isSwitchedOff(context))) return arrived;
      let handled = 0;
      while (handled < sweepsMost && !signal?.aborted && (await seeToNext(context))) handled++;
      while (handled < sweepsMost && !signal?.aborted && (await relieveNext(context))) handled++;
      return arrived + handled;
    },
  };
}

/** Sees to the address that has waited longest. Returns whether there was one. */
async function seeToNext(context: DepositContext): Promise<boolean> {
  const { chain, db, clock } = context;
  const { symbol } = coinOf(chain);
  const due = await findDueSweep(db, chain.blockchain, symbol, new Date(clock.now()));
  if (due?.isFree) await sweepOrWait(context, due);
  else if (due) await wait(context, due, minuteMs);
  return due !== undefined;
}

/** Whoever stops the money that leaves a chain does not want more of it in the hot wallet either. */
async function isSwitchedOff({ chain, db }: DepositContext): Promise<boolean> {
  const names = ["payouts", "rail:chain", `blockchain:${chain.blockchain}`];
  return (await findKillSwitches(db, names)).length > 0;
}

async function resetFailed({ chain, db, clock, log }: DepositContext): Promise<void> {
  const until = new Date(clock.now() + hourMs);
  for (const { address, sweepId } of await resetFailedSweeps(db, chain.blockchain, until)) {
    log.error(
      { blockchain: chain.blockchain, address, transaction: sweepId },
      "a deposit could not be carried to the hot wallet; it is tried again in an hour, look at the transaction meanwhile",
    );
  }
}

async function sweepOrWait(context: DepositContext, lying: Sweepable): Promise<void> {
  try {
    const waitMs = await sweep(context, lying);
    if (waitMs > 0) await wait(context, lying, waitMs);
  } catch (error) {
    const { address, currency } = lying;
    context.log.warn(
      { blockchain: context.chain.blockchain, address, currency, reason: messageOf(error) },
      "a deposit cannot be carried to the hot wallet just now; it is tried again in an hour",
    );
    await wait(context, lying, hourMs);
  }
}

function wait({ chain, db, clock }: DepositContext, lying: Sweepable, ms: number): Promise<void> {
  return postponeSweep(db, chain.blockchain, lying, new Date(clock.now() + ms));
}

/** The next transaction that a sweep takes. */
type Plan = GasPlan | { transaction: OwnTransaction };

/** Reserves the next transaction that a sweep takes. Returns for how long to leave it after that. */
async function sweep(context: DepositContext, lying: Sweepable): Promise<number> {
  const plan = await planSweep(context, lying, signerOf(context, lying));
  if (!plan) return dayMs;
  const { purpose, sender } = plan.transaction;
  await prepareSender(context, sender);
  const isReserved = await context.db.transact((tx) => reserve(tx, context, lying, plan));
  return isReserved && purpose === "sweep" ? 0 : minuteMs;
}

async function reserve(
  tx: Transaction,
  context: DepositContext,
  lying: Sweepable,
  plan: Plan,
): Promise<boolean> {
  const { chain, clock } = context;
  if (!(await lockSweepable(tx, chain.blockchain, lying))) return false;
  if ("hot" in plan) {
    await reserveGas(tx, context, plan);
    return true;
  }
  const sweepId = await reserveTransaction(tx, context, plan.transaction);
  const lookAt = new Date(clock.now() + lateMs);
  await markSweep(tx, chain.blockchain, lying, { sweepId, lookAt });
  return true;
}

/** The transaction to send: the deposits themselves, or gas for them. Nothing when they are not worth it. */
async function planSweep(
  context: DepositContext,
  lying: Sweepable,
  signer: Signer,
): Promise<Plan | undefined> {
  const { chain, nodes } = context;
  const { address, depositIndex, currency, untouchable } = lying;
  const coin = coinOf(chain);
  const token = chain.tokens.find(({ symbol }) => symbol === currency);
  assert(token, `${currency} is a token of ${chain.blockchain}`);
  const { maxFee } = await nodes.fees();
  const gasLimit = await gasFor(context, signer, carry(context, token, lying.units));
  const fee = gasLimit * maxFee;
  if (!isWorth(context, [lying], token === coin ? fee : fee + coinGas * maxFee)) return undefined;
  // Half as much again: fees may have to be raised before a block takes the transaction.
  const needed = (fee * 3n) / 2n + bytesFee;
  const held = await nodes.balance(signer.address, coin, "latest");
  // What was seen in a block that is gone since is not there.
  const there = max(held - untouchable, 0n);
  if (token !== coin && there < needed) return planGas(context, lying, needed - there);
  const units = token === coin ? min(lying.units, there - needed) : lying.units;
  if (units <= 0n) return undefined;
  const call = carry(context, token, units);
  const of = { purpose: "sweep", sender: signer.address, address, depositIndex } as const;
  return { transaction: { ...of, currency, units, call, gasLimit } };
}

/** What carries units of a token to the hot wallet. */
function carry({ chain }: EvmContext, { contract }: ChainToken, units: bigint): EvmCall {
  if (!contract) return { to: chain.hotWallet, value: units, data: "0x" };
  const data = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: "transfer", args: [chain.hotWallet, units] },
  });
  return { to: contract, value: 0n, data };
}

async function gasFor({ nodes }: EvmContext, { address }: Signer, call: EvmCall): Promise<bigint> {
  if (call.data !== "0x")
    return max(withRoom(await nodes.estimateGas(address, call)), tokenGasLeast);
  // Asked with next to nothing, as all of it leaves nothing for the fee.
  return withRoom(await nodes.estimateGas(address, { ...call, value: 1n }));
}

function signerOf({ chain, keys }: EvmContext, { address, depositIndex }: Sweepable): Signer {
  const signer = keys?.deposit(depositIndex);
  if (signer?.address.toLowerCase() !== address.toLowerCase()) {
    throw new Error(
      `the key of deposit addresses on ${chain.blockchain} is not that of ${address}; set the one that belongs to depositKey`,
    );
  }
  return signer;
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
