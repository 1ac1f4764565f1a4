import { keccak256, recoverAddress, serializeTransaction } from "viem";
import type { Hex } from "../../../chains/hex.ts";
import { messageOf, OperatorError, UnavailableError } from "../../../lib/errors.ts";
import {
  type ChainAttempt,
  type ChainTransaction,
  keepAttempt,
} from "../store/chain-transactions.ts";
import type { EvmContext } from "./chain-rail.ts";
import type { EvmBlock } from "./evm-nodes.ts";
import { cappedFees, type Fees } from "./fees.ts";
import { feeMost } from "./gas-money.ts";
import type { Signer } from "./signer.ts";

/**
 * Signs a transaction for the first time with the network's fees, which somebody may have asked for just now, or with
 * what its sender can pay. Returns the form that is kept; nobody was shown it yet.
 */
export async function signFirst(
  context: EvmContext,
  transaction: ChainTransaction,
  asked?: { head: EvmBlock; fees: Fees },
): Promise<ChainAttempt> {
  const head = asked?.head ?? (await newestBlock(context));
  const network = asked?.fees ?? (await context.nodes.fees());
  const fees = cappedFees(network, await feeMost(context, transaction));
  return signForm(context, transaction, { number: 0, fees, head });
}

/** Signs one more form of a transaction, and keeps it before anybody is shown it. Returns the newest that is kept. */
export async function signForm(
  context: EvmContext,
  transaction: ChainTransaction,
  { number, fees, head }: { number: number; fees: Fees; head: EvmBlock },
): Promise<ChainAttempt> {
  const { db, clock, chain } = context;
  const raw = await signedBytes(context, transaction, fees);
  const attempt = { hash: keccak256(raw), number, raw, ...fees };
  const now = clock.now();
  const times = { at: new Date(now), dueAt: new Date(now + chain.pollMs) };
  return db.transact((tx) =>
    keepAttempt(tx, transaction.id, attempt, { block: head.number, ...times }),
  );
}

/**
 * Shows the nodes the newest of the signed forms, or an older one when they do not take it: it may offer more than the
 * sender has. When they take none, it is sent again later: nothing is lost by that.
 */
export async function sendForms(
  { nodes, chain, log }: EvmContext,
  { id }: ChainTransaction,
  newestFirst: readonly ChainAttempt[],
): Promise<void> {
  const reasons: string[] = [];
  for (const { raw } of newestFirst) {
    try {
      return await nodes.send(raw);
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  log.warn(
    { blockchain: chain.blockchain, transaction: id, reason: reasons[0] },
    "no node takes a signed transaction; the same bytes are sent again",
  );
}

/** The newest block that can be believed. */
export async function newestBlock({ nodes, chain }: EvmContext): Promise<EvmBlock> {
  const head = await nodes.block("latest");
  if (!head) throw new UnavailableError(`The nodes of ${chain.blockchain} have no block yet.`);
  return head;
}

async function signedBytes(
  context: EvmContext,
  transaction: ChainTransaction,
  { maxFee, priorityFee }: Fees,
): Promise<Hex> {
  const { sender, nonce, call } = transaction;
  const form = {
    type: "eip1559",
    chainId: context.chain.chainId,
    ...{ nonce, to: call.to, value: call.value, data: call.data, gas: call.gasLimit },
    ...{ maxFeePerGas: maxFee, maxPriorityFeePerGas: priorityFee },
  } as const;
  const digest = keccak256(serializeTransaction(form));
  const signature = await signerFor(context, transaction).sign(digest);
  const signedBy = await recoverAddress({ hash: digest, signature });
  if (signedBy.toLowerCase() !== sender)
    throw new OperatorError(`A signer signed for ${signedBy}, but it was asked as ${sender}.`);
  return serializeTransaction(form, signature);
}

/** Whoever has the key of an address of ours; `depositIndex` is null for the hot wallet. */
export function signerFor(
  { keys, chain }: EvmContext,
  { sender, depositIndex }: Pick<ChainTransaction, "sender" | "depositIndex">,
): Signer {
  const isHot = sender === chain.hotWallet.toLowerCase();
  const signer = isHot ? keys?.hot : keys?.deposit(depositIndex ?? 0);
  if (!signer) {
    throw new OperatorError(
      `There is no key for ${sender} on ${chain.blockchain}: nothing can be sent from there.`,
    );
  }
  if (signer.address.toLowerCase() === sender) return signer;
  throw new OperatorError(
    `The key that should be of ${sender} on ${chain.blockchain} is of ${signer.address}.`,
  );
}
