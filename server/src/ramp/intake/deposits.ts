import type { Transaction } from "../../database/database.ts";
import { newId } from "../../lib/ids.ts";
import { addressKey } from "../addresses/address-key.ts";
import { findToken } from "../assets.ts";
import { type RampContext, stepOn } from "../engine.ts";
import { assetOf, ledgerAccounts } from "../ledger/accounts.ts";
import type { Notice } from "../ports.ts";
import {
  changeDeposit,
  type Deposit,
  type DepositState,
  findTransfer,
  insertDeposit,
  noteTransfer,
} from "../store/deposits.ts";
import { bookOnce } from "../store/ledger.ts";
import { findIdByDepositAddress, lockRamp } from "../store/transactions.ts";
import type { Ramp, Token } from "../transaction.ts";
import { freeze, returnTime } from "./suspense.ts";

type DepositNotice = Extract<Notice, { logIndex: number }>;
type DepositContext = Pick<RampContext, "clock" | "random" | "log"> & {
  /** The sender is sanctioned. */
  isFrozen: boolean;
};

/** Takes in what a chain says of a transfer to one of our addresses. Late, repeated and reordered news change nothing. */
export async function takeDeposit(
  tx: Transaction,
  context: DepositContext,
  notice: DepositNotice,
): Promise<void> {
  const { blockchain, address, currency } = notice;
  // Anybody can send nothing to anybody.
  if (notice.units <= 0n) return;
  const id = await findIdByDepositAddress(tx, blockchain, address);
  const ramp = id ? await lockRamp(tx, id) : undefined;
  const token = findToken(currency, blockchain);
  if (!ramp || !token) {
    context.log.error(
      { blockchain, transactionHash: notice.transactionHash, currency },
      "a chain tells of a transfer to an address or of a token that is not ours; ask what is wrong with its settings",
    );
    return;
  }
  const deposit = await noteNews(tx, context, ramp, notice);
  if (!deposit || deposit.use === "returning" || deposit.use === "returned") return;
  const isTaken =
    deposit.use === "credited" &&
    token.symbol === ramp.token.symbol &&
    (await takeStep(tx, context, ramp, deposit, notice));
  if (!isTaken) await suspend(tx, context, ramp, deposit, token);
}

/** Writes the news down. Nothing when they say nothing new. */
async function noteNews(
  tx: Transaction,
  context: DepositContext,
  ramp: Ramp,
  notice: DepositNotice,
): Promise<Deposit | undefined> {
  const state = stateOf(notice);
  const at = new Date(context.clock.now());
  const [blockTime, toldAt] = [new Date(notice.blockTime), new Date(notice.at)];
  const known = await findTransfer(tx, notice);
  if (!known) {
    const { blockchain, transactionHash, logIndex, address, fromAddress, currency, units } = notice;
    const deposit = {
      ...{ id: newId("dep", context.random), blockchain, transactionHash, logIndex, address },
      ...{ fromAddress, currency, units, state, use: "credited" as const },
      ...{ transactionId: ramp.id, toldAt },
    };
    await insertDeposit(tx, { ...deposit, blockTime, at });
    return { ...deposit, reason: null };
  }
  const isNews = saysMore(context, known, state, notice);
  // The same said later is no news, but what was told before it says nothing any more.
  if (isNews || (known.state === state && toldAt > known.toldAt))
    await noteTransfer(tx, known.id, { state, units: notice.units, blockTime, toldAt, at });
  return isNews ? { ...known, state, units: notice.units } : undefined;
}

/** Finality is the last word; before it, what was told later in the chain's own time. */
function saysMore(
  { log }: DepositContext,
  known: Deposit,
  state: DepositState,
  notice: DepositNotice,
): boolean {
  if (known.state === "final" && state === "gone" && notice.at > known.toldAt.getTime()) {
    log.error(
      { deposit: known.id, transaction: known.transactionId },
      "a chain takes back a deposit that it had called final; stop payouts of this chain and ask its nodes",
    );
  }
  if (known.state === "final" || known.state === state) return false;
  if (state === "final") return true;
  const toldAt = known.toldAt.getTime();
  return state === "gone" ? notice.at >= toldAt : notice.at > toldAt;
}

/** Whether the transaction can take the deposit. */
async function takeStep(
  tx: Transaction,
  context: DepositContext,
  ramp: Ramp,
  deposit: Deposit,
  { blockTime }: DepositNotice,
): Promise<boolean> {
  const { id: depositId, units, state, fromAddress, blockchain } = deposit;
  const isFromRegistered =
    addressKey(blockchain, fromAddress) === addressKey(blockchain, ramp.walletAddress);
  const step = {
    seen: { kind: "deposit_seen", depositId, units, blockTime },
    gone: { kind: "deposit_gone", depositId },
    final: { kind: "deposit_final", depositId, units, blockTime, isFromRegistered },
  } as const;
  const next = await stepOn(tx, context, ramp, step[state]);
  if (context.isFrozen && typeof next === "object") await stepOn(tx, context, next, freeze);
  // What is gone brought nothing, whether the transaction had heard of it or not.
  return next !== "impossible" || state === "gone";
}

/** A transaction that cannot take a deposit leaves it in suspense; of another token it is told. */
async function suspend(
  tx: Transaction,
  context: DepositContext,
  ramp: Ramp,
  { id, units, state }: Deposit,
  { symbol, blockchain, decimals }: Token,
): Promise<void> {
  const isWrongToken = symbol !== ramp.token.symbol;
  const unexpected = isWrongToken ? "wrong_token" : "not_expected";
  const reason = context.isFrozen ? freeze.reason : unexpected;
  const at = new Date(context.clock.now());
  const isReturned = state === "final" && !context.isFrozen;
  const dueAt = isReturned ? await returnTime(tx, at.getTime()) : null;
  await changeDeposit(tx, id, { use: "suspense", reason, dueAt, at });
  if (state !== "final") return;
  const token = { symbol, blockchain, decimals };
  const asset = assetOf(token);
  const accounts = { from: ledgerAccounts.unswept(token), to: ledgerAccounts.suspense(asset) };
  const fact = { fact: `${id}#suspended`, kind: "deposit_suspended", transactionId: ramp.id };
  await bookOnce(tx, { ...fact, at, moves: [{ asset, amount: units, ...accounts }] });
  if (isWrongToken)
    await stepOn(tx, context, ramp, { kind: "wrong_token", depositId: id, token, units });
  context.log.warn(
    { deposit: id, transaction: ramp.id, reason, returnsAt: dueAt?.toISOString() ?? "never" },
    "a deposit that its transaction cannot take lies in suspense",
  );
}

function stateOf({ kind }: DepositNotice): DepositState {
  return kind === "deposit_final" ? "final" : kind === "deposit_gone" ? "gone" : "seen";
}
