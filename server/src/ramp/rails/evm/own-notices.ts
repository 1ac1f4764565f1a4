import { assert } from "../../../lib/errors.ts";
import { asUnits } from "../../../lib/money.ts";
import type { Notice, OwnMove } from "../../ports.ts";
import type { ChainTransaction } from "../store/chain-transactions.ts";
import type { EvmReceipt } from "./evm-nodes.ts";
import { coinOf, type RampChain } from "./ramp-chain.ts";

/** What a transaction of ours that is for good tells the ramp: whether a payout was made, what moved, and what it cost. */
export function noticesOf(
  chain: RampChain,
  transaction: ChainTransaction,
  receipt: EvmReceipt,
  at: number,
): Notice[] {
  const { purpose, payoutId } = transaction;
  const moves = [
    ...(receipt.succeeded ? ownMoves(transaction) : []),
    ...costOf(chain, purpose === "sweep" ? "unswept" : "hot", receipt),
  ];
  const { blockchain } = chain;
  const { hash: transactionHash } = receipt;
  const moved: Notice = { kind: "own_transfer", blockchain, transactionHash, moves, at };
  const told = moves.length > 0 ? [moved] : [];
  if (purpose !== "payout") return told;
  assert(payoutId, `${transaction.id} is of a payout`);
  const outcome: Notice = receipt.succeeded
    ? { kind: "payout_settled", reference: payoutId, trace: receipt.hash, at }
    : { kind: "payout_failed", reference: payoutId, why: "the transfer was reverted", at };
  return [outcome, ...told];
}

/** What goes from one address of ours to another; a payout leaves us. */
function ownMoves({ purpose, currency, units }: ChainTransaction): OwnMove[] {
  if (purpose === "payout") return [];
  const move = { currency, units: asUnits(units) };
  return purpose === "gas"
    ? [{ ...move, from: "hot", to: "unswept" }]
    : [{ ...move, from: "unswept", to: "hot" }];
}

function costOf(chain: RampChain, from: OwnMove["from"], { gasPaid }: EvmReceipt): OwnMove[] {
  const { symbol: currency } = coinOf(chain);
  const cost: OwnMove = { currency, units: asUnits(gasPaid), from, to: "gas" };
  return gasPaid > 0n ? [cost] : [];
}
