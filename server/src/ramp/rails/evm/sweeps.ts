import { encodeFunctionData, erc20Abi } from "viem";
import type { Transaction } from "../../../database/database.ts";
import type { DueRunner } from "../../../database/due.ts";
import { assert, messageOf } from "../../../lib/errors.ts";
import { asUnits } from "../../../lib/money.ts";
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
import { type OwnTransaction, prepareSender, reserveTransaction } from "./own-transactions.ts";
import type { ChainToken } from "./ramp-chain.ts";
import type { Signer } from "./signer.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How many addresses are seen to in one run. */
const sweepsMost = 20;

/** What a transfer of the chain's own coin takes, and what one of a token is given at least. */
const coinGas = 21_000n;
const tokenGasLeast = 65_000n;

/** Half a cent or so. Some chains charge for a transaction's bytes as well, apart from its gas. */
const feeLeast = 2n * 10n ** 13n;

/** A deposit worth less than so many times what it takes to carry it away stays where it is. */
const worthTimes = 3n;

/** Carries what lies at deposit addresses to the hot wallet: gas first where a token needs it, then the deposits. */
export function sweeper(context: DepositContext): DueRunner {
  const { chain, db, clock } = context;
  return {
    name: `sweeps on ${chain.blockchain}`,
    async run(signal) {
      let handled = await noteSwept(db, chain.blockchain);
      await resetFailed(context);
      // Whoever has no keys to the deposit addresses leaves them to those who do.
      if (!context.keys?.deposit(0)) return handled;
      const { symbol } = coinOf(context);
      for (let count = 0; count < sweepsMost && !signal?.aborted; count++) {
        const now = new Date(clock.now());
        const due = await findDueSweep(db, chain.blockchain, symbol, now);
        if (!due) break;
        if (due.isFree) await sweepOrWait(context, due);
        else await wait(context, due, minuteMs);
        handled++;
      }
      return handled;
    },
  };
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

/** Reserves the next transaction that a sweep takes. Returns for how long to leave it after that. */
async function sweep(context: DepositContext, lying: Sweepable): Promise<number> {
  const signer = signerOf(context, lying);
  const plan = await planSweep(context, lying, signer);
  if (!plan) return dayMs;
  const isSweep = plan.purpose === "sweep";
  await prepareSender(context, plan.sender);
  const isReserved = await context.db.transact((tx) => reserve(tx, context, lying, plan));
  return isSweep && isReserved ? 0 : minuteMs;
}

async function reserve(
  tx: Transaction,
  context: DepositContext,
  lying: Sweepable,
  plan: OwnTransaction,
): Promise<boolean> {
  const { blockchain } = context.chain;
  if (!(await lockSweepable(tx, blockchain, lying))) return false;
  const id = await reserveTransaction(tx, context, plan);
  if (plan.purpose === "sweep") await markSweep(tx, blockchain, lying, id);
  return true;
}

/** The transaction to send: the deposits themselves, or gas for them. Nothing when they are not worth it. */
async function planSweep(
  context: DepositContext,
  lying: Sweepable,
  signer: Signer,
): Promise<OwnTransaction | undefined> {
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
  const common = { address, depositIndex } as const;
  if (token !== coin && there < needed) {
    const units = needed - there;
    const call: EvmCall = { to: signer.address, value: units, data: "0x" };
    const gas = await nodes.estimateGas(chain.hotWallet, call);
    return {
      ...{ ...common, purpose: "gas", sender: chain.hotWallet, currency: coin.symbol, units },
      ...{ call, gasLimit: withRoom(gas) },
    };
  }
  const units = token === coin ? min(lying.units, there - needed) : lying.units;
  if (units <= 0n) return undefined;
  const call = carry(context, token, units);
  return { ...common, purpose: "sweep", sender: signer.address, currency, units, call, gasLimit };
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
