import { encodeFunctionData, erc20Abi } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import type { Transaction } from "../../../database/database.ts";
import { assert } from "../../../lib/errors.ts";
import { newId } from "../../../lib/ids.ts";
import { formatDecimal } from "../../../lib/money.ts";
import type { PayoutInstruction, PayoutRail, Submission } from "../../ports.ts";
import type { RailContext } from "../rail-context.ts";
import {
  type ChainTransaction,
  findPayoutTransaction,
  insertTransaction,
  lockSender,
  sumPaid,
  sumUnderWay,
} from "../store/chain-transactions.ts";
import type { EvmBlock, EvmCall, EvmNodes } from "./evm-nodes.ts";
import type { Fees } from "./fees.ts";
import { prepareSender } from "./own-transactions.ts";
import { type BlockTime, type ChainToken, coinOf, type RampChain } from "./ramp-chain.ts";
import { newestBlock, sendForms, signerFor, signFirst } from "./sign-transaction.ts";
import type { ChainKeys } from "./signer.ts";

/** What it takes to move money on an EVM chain. Without keys nothing is signed. */
export type EvmContext = RailContext & {
  chain: RampChain;
  nodes: EvmNodes;
  keys: ChainKeys | undefined;
  blockTime: BlockTime;
};

type ChainInstruction = Extract<PayoutInstruction, { rail: "chain" }>;

/** A payment that can be made, as far as was known when the chain was asked. */
type Payment = {
  instruction: ChainInstruction;
  token: ChainToken;
  call: EvmCall;
  gasLimit: bigint;
  fees: Fees;
  /** What the hot wallet had at a block: of the token, and of the chain's own coin. */
  head: EvmBlock;
  balance: bigint;
  coins: bigint;
};

const dayMs = 86_400_000;

/** For how long a payout is left to whoever reserved it, before the watch signs it. */
const signWithinMs = 10_000;

/** A receiver that takes more gas than this is a contract that does things at our cost. */
const gasMost = 500_000n;

/** Pays out of the hot wallet of a chain. */
export function evmRail(context: EvmContext): PayoutRail {
  const { db } = context;

  /** Signs and sends what was reserved. From here on it is paid, whoever goes on with it. */
  async function goOn(transaction: ChainTransaction, asked?: Payment): Promise<Submission> {
    if (transaction.hash) return { outcome: "accepted", trace: transaction.hash };
    const attempt = await signFirst(context, transaction, asked);
    await sendForms(context, transaction, [attempt]);
    return { outcome: "accepted", trace: attempt.hash };
  }

  return {
    async submit(instruction) {
      assert(instruction.rail === "chain", "chains are told what is to be paid on chains");
      const known = await findPayoutTransaction(db, instruction.reference);
      if (known) return goOn(known);
      const token = tokenOf(context.chain, instruction.token.symbol);
      const why = refusal(context.chain, token, instruction);
      if (why) return { outcome: "refused", why };
      signerFor(context, { sender: hotWalletOf(context.chain), depositIndex: null });
      const payment = await prepare(context, token, instruction);
      return goOn(await db.transact((tx) => reserve(tx, context, payment)), payment);
    },

    async find(reference) {
      const transaction = await findPayoutTransaction(db, reference);
      return transaction?.hash ? { outcome: "accepted", trace: transaction.hash } : undefined;
    },
  };
}

/** One rail for all blockchains: each instruction goes to the one of its token. */
export function railByBlockchain(rails: Readonly<Record<string, PayoutRail>>): PayoutRail {
  return {
    async submit(instruction) {
      assert(instruction.rail === "chain", "chains are told what is to be paid on chains");
      const { blockchain } = instruction.token;
      const rail = rails[blockchain];
      if (!rail) throw new Error(`No money can be moved on ${blockchain}: it is not set up here.`);
      return rail.submit(instruction);
    },

    async find(reference) {
      for (const rail of Object.values(rails)) {
        const found = await rail.find(reference);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** Why a payment can never be made; nothing when it can. */
function refusal(
  chain: RampChain,
  token: ChainToken,
  { units, to }: ChainInstruction,
): string | undefined {
  const receiver = to.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(receiver)) return `${to} is no address of ${chain.blockchain}`;
  if (/^0x0+$/.test(receiver)) return "the receiver is the zero address";
  if (receiver === chain.hotWallet.toLowerCase()) return "the receiver is our own hot wallet";
  const contract = chain.tokens.find((one) => one.contract?.toLowerCase() === receiver);
  if (contract) return `the receiver is the contract of ${contract.symbol}`;
  const perPayout = chain.limits[token.symbol]?.perPayout;
  if (perPayout === undefined || units <= perPayout) return undefined;
  return `${amountOf(units, token)} is more than the ${amountOf(perPayout, token)} that may go out at once`;
}

/** Asks the chain everything that a payment depends on. Nothing has been promised to anybody yet. */
async function prepare(
  context: EvmContext,
  token: ChainToken,
  instruction: ChainInstruction,
): Promise<Payment> {
  const { nodes, chain } = context;
  const hot = hotWalletOf(chain);
  const head = await newestBlock(context);
  const { number: block } = head;
  const [, balance, coins] = await Promise.all([
    prepareSender(context, hot, block),
    nodes.balance(hot, token, block),
    nodes.balance(hot, coinOf(chain), block),
  ]);
  // Before the gas is asked for: a node would only say that the call fails.
  if (balance < instruction.units) throw shortOf(chain, token, balance, instruction.units);
  const call = callFor(token, instruction);
  const [estimate, fees] = await Promise.all([nodes.estimateGas(hot, call), nodes.fees()]);
  if (estimate > gasMost)
    throw new Error(`Paying ${instruction.to} would take ${estimate} gas, more than ${gasMost}.`);
  // A fifth more: what a call takes depends on what others do in the meantime.
  const gasLimit = (estimate * 6n) / 5n;
  return { instruction, token, call, gasLimit, fees, head, balance, coins };
}

/** Takes a nonce for a payment, unless it has one or must not be made now. Payments of a hot wallet take turns here. */
async function reserve(
  tx: Transaction,
  context: EvmContext,
  payment: Payment,
): Promise<ChainTransaction> {
  const { chain, clock, random } = context;
  const { instruction, token, call, gasLimit } = payment;
  const sender = hotWalletOf(chain);
  await lockSender(tx, chain.blockchain, sender);
  const known = await findPayoutTransaction(tx, instruction.reference);
  if (known) return known;
  const now = clock.now();
  await checkDay(tx, chain, payment, new Date(now - dayMs));
  await checkFunds(tx, chain, payment);
  return insertTransaction(tx, {
    id: newId("ctx", random),
    ...{ blockchain: chain.blockchain, sender, purpose: "payout" },
    ...{ currency: token.symbol, units: instruction.units, call: { ...call, gasLimit } },
    of: { payoutId: instruction.reference },
    at: new Date(now),
    dueAt: new Date(now + signWithinMs),
  });
}

/** Throws when a payment would be more than may go out within a day; it can be made later. */
async function checkDay(
  tx: Transaction,
  chain: RampChain,
  { token, instruction }: Payment,
  since: Date,
): Promise<void> {
  const perDay = chain.limits[token.symbol]?.perDay;
  if (perDay === undefined) return;
  const paid = await sumPaid(tx, chain.blockchain, token.symbol, since);
  if (paid + instruction.units <= perDay) return;
  throw new Error(
    `No more than ${amountOf(perDay, token)} may leave ${chain.blockchain} within a day, and ` +
      `${amountOf(paid, token)} did: ${amountOf(instruction.units, token)} has to wait.`,
  );
}

/** Throws when the hot wallet, after all that is under way, could not pay and keep its floor. */
async function checkFunds(tx: Transaction, chain: RampChain, payment: Payment): Promise<void> {
  const { token, instruction, gasLimit, fees, head, balance, coins } = payment;
  const underWay = await sumUnderWay(tx, chain.blockchain, hotWalletOf(chain), head.number);
  const gasCost = (underWay.gas + gasLimit) * fees.maxFee;
  const coin = coinOf(chain);
  const floor = chain.limits[token.symbol]?.floor ?? 0n;
  const ownGas = token.contract ? 0n : gasCost;
  const needed = underWay.unitsOf(token.symbol) + instruction.units + ownGas + floor;
  if (balance < needed) throw shortOf(chain, token, balance, needed);
  const neededCoins = underWay.unitsOf(coin.symbol) + gasCost;
  if (coins < neededCoins) throw shortOf(chain, coin, coins, neededCoins);
}

function shortOf(chain: RampChain, token: ChainToken, has: bigint, needed: bigint): Error {
  return new Error(
    `The hot wallet ${chain.hotWallet} on ${chain.blockchain} has ${amountOf(has, token)}, ` +
      `but ${amountOf(needed, token)} would be needed for what is to go out, gas and floor: fill it up.`,
  );
}

function callFor({ contract }: ChainToken, { to, units }: ChainInstruction): EvmCall {
  const receiver = lowerCase(to);
  if (!contract) return { to: receiver, value: units, data: "0x" };
  const args = [receiver, units] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
  return { to: lowerCase(contract), value: 0n, data };
}

function tokenOf(chain: RampChain, symbol: string): ChainToken {
  const token = chain.tokens.find((one) => one.symbol === symbol);
  if (!token) throw new Error(`No ${symbol} can be moved on ${chain.blockchain}.`);
  return token;
}

const hotWalletOf = ({ hotWallet }: RampChain): Hex => lowerCase(hotWallet);

function lowerCase(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`;
}

const amountOf = (units: bigint, { symbol, decimals }: ChainToken) =>
  `${formatDecimal(units, decimals)} ${symbol}`;
