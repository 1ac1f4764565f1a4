import { encodeFunctionData, erc20Abi } from "viem";
import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { assert, messageOf } from "../../../lib/errors.ts";
import { asUnits } from "../../../lib/money.ts";
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
import { lockSender, sumUnderWay } from "../store/chain-transactions.ts";
import type { EvmContext } from "./chain-rail.ts";
import type { DepositContext } from "./deposit-watch.ts";
import type { EvmCall } from "./evm-nodes.ts";
import { type OwnTransaction, prepareSender, reserveTransaction } from "./own-transactions.ts";
import type { ChainToken } from "./ramp-chain.ts";
import { newestBlock } from "./sign-transaction.ts";
import type { Signer } from "./signer.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How many addresses are seen to in one run. */
const sweepsMost = 20;

/** What a transfer of the chain's own coin takes, and what one of a token is given at least. */
const coinGas = 21_000n;
const tokenGasLeast = 65_000n;

/** A few cents. Some chains charge for a transaction's bytes as well, apart from its gas. */
const feeLeast = 2n * 10n ** 13n;

/** A deposit worth less than so many times what it takes to carry it away stays where it is. */
const worthTimes = 3n;

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
      return arrived + handled;
    },
  };
}

/** Sees to the address that has waited longest. Returns whether there was one. */
async function seeToNext(context: DepositContext): Promise<boolean> {
  const { chain, db, clock } = context;
  const { symbol } = coinOf(context);
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

/** The next transaction that a sweep takes, and what the hot wallet has when it is to pay for it. */
type Plan = { transaction: OwnTransaction; maxFee: bigint; hot?: { block: number; coins: bigint } };

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
  const { blockchain } = context.chain;
  if (!(await lockSweepable(tx, blockchain, lying))) return false;
  if (plan.hot) await checkFunds(tx, context, plan, plan.hot);
  const id = await reserveTransaction(tx, context, plan.transaction);
  if (plan.transaction.purpose === "sweep") await markSweep(tx, blockchain, lying, id);
  return true;
}

/** Throws when the hot wallet, after all that is under way, could not send gas and keep its floor: payouts would wait behind it. */
async function checkFunds(
  tx: Transaction,
  { chain }: DepositContext,
  { transaction, maxFee }: Plan,
  { block, coins }: { block: number; coins: bigint },
): Promise<void> {
  const { sender, currency, units, gasLimit } = transaction;
  await lockSender(tx, chain.blockchain, sender);
  const underWay = await sumUnderWay(tx, chain.blockchain, sender, block);
  const taken = underWay.unitsOf(currency) + (underWay.gas + gasLimit) * maxFee + units;
  if (coins - taken >= (chain.limits[currency]?.floor ?? 0n)) return;
  throw new Error(`the hot wallet has too little ${currency} to send gas; put some in`);
}

/** The transaction to send: the deposits themselves, or gas for them. Nothing when they are not worth it. */
async function planSweep(
  context: DepositContext,
  lying: Sweepable,
  signer: Signer,
): Promise<Plan | undefined> {
  const { chain, nodes } = context;
  const { address, depositIndex, currency, untouchable } = lying;
  const coin = coinOf(context);
  const token = chain.tokens.find(({ symbol }) => symbol === currency);
  assert(token, `${currency} is a token of ${chain.blockchain}`);
  const { maxFee } = await nodes.fees();
  const gasLimit = await gasFor(context, signer, carry(context, token, lying.units));
  const fee = gasLimit * maxFee;
  if (!isWorth(context, lying, token === coin ? fee : fee + coinGas * maxFee)) return undefined;
  // Half as much again: fees may have to be raised before a block takes the transaction.
  const needed = max((fee * 3n) / 2n, feeLeast);
  const there = (await nodes.balance(signer.address, coin, "latest")) - untouchable;
  if (token !== coin && there < needed) return planGas(context, lying, signer, needed - there);
  const units = token === coin ? min(lying.units, there - needed) : lying.units;
  if (units <= 0n) return undefined;
  const call = carry(context, token, units);
  const of = { purpose: "sweep", sender: signer.address, address, depositIndex } as const;
  return { transaction: { ...of, currency, units, call, gasLimit }, maxFee };
}

/** Gas for a deposit address, out of the hot wallet. */
async function planGas(
  context: DepositContext,
  { address, depositIndex }: Sweepable,
  signer: Signer,
  units: bigint,
): Promise<Plan> {
  const { chain, nodes } = context;
  const coin = coinOf(context);
  const { number: block } = await newestBlock(context);
  const coins = await nodes.balance(chain.hotWallet, coin, block);
  const call: EvmCall = { to: signer.address, value: units, data: "0x" };
  const gasLimit = withRoom(await nodes.estimateGas(chain.hotWallet, call));
  const { maxFee } = await nodes.fees();
  const of = { purpose: "gas", sender: chain.hotWallet, address, depositIndex } as const;
  const transaction = { ...of, currency: coin.symbol, units, call, gasLimit };
  return { transaction, maxFee, hot: { block, coins } };
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

/** What is not used is not paid. A plain transfer always takes the same. */
function withRoom(gas: bigint): bigint {
  return gas <= coinGas ? coinGas : (gas * 6n) / 5n;
}

/** Without prices nobody knows, and it is carried away. */
function isWorth(context: DepositContext, { currency, units }: Sweepable, fee: bigint): boolean {
  const worth = context.worthCents(currency, asUnits(units));
  const cost = context.worthCents(coinOf(context).symbol, asUnits(fee));
  return worth === undefined || cost === undefined || worth >= worthTimes * cost;
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

function coinOf({ chain }: EvmContext): ChainToken {
  const coin = chain.tokens.find(({ contract }) => contract === undefined);
  assert(coin, `${chain.blockchain} has a coin of its own`);
  return coin;
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
