import type { Transaction } from "../../database/database.ts";
import type { DueWork } from "../../database/due.ts";
import { assert } from "../../lib/errors.ts";
import { findToken } from "../../ramp/assets.ts";
import { ledgerAccounts } from "../../ramp/ledger/accounts.ts";
import type { Notice } from "../../ramp/ports.ts";
import { addToBalance } from "../store/balances.ts";
import { tellNotice } from "../store/notices.ts";
import {
  endTransfer,
  insertTransfer,
  postponeTransfer,
  type Transfer,
  type TransferRow,
  takeDueTransfer,
  transferOfRow,
} from "../store/transfers.ts";

const minuteMs = 60_000;

/** After how many minutes a block is final; the others follow Ethereum's. */
const finalAfterMinutes: Record<string, number> = {
  polygon: 2,
  bnb: 1,
  avalanche: 1,
  bitcoin: 10,
  solana: 1,
};
const finalAfterMinutesElsewhere = 13;

/** Puts a transfer to one of our addresses into a block, which is seen at once. */
export async function sendDeposit(tx: Transaction, transfer: Transfer): Promise<void> {
  const minutes = finalAfterMinutes[transfer.blockchain] ?? finalAfterMinutesElsewhere;
  const seenAt = transfer.blockTime.getTime();
  await insertTransfer(tx, transfer, new Date(seenAt + minutes * minuteMs));
  await tellNotice(tx, "sandbox-chain", noticeOf("deposit_seen", transfer, seenAt));
}

/** Takes a transfer out of its block, as a reorganisation of the chain does. */
export async function undoDeposit(tx: Transaction, transfer: Transfer, at: number): Promise<void> {
  await endTransfer(tx, transfer.transactionHash, "gone");
  await tellNotice(tx, "sandbox-chain", noticeOf("deposit_gone", transfer, at));
}

/** Says of transfers that they are final, when their time has come. */
export const dueDeposits: DueWork<TransferRow> = {
  name: "sandbox deposits",
  take: takeDueTransfer,
  async handle(tx, row) {
    const transfer = transferOfRow(row);
    const { transactionHash, currency, blockchain, units } = transfer;
    await endTransfer(tx, transactionHash, "final");
    await tellNotice(tx, "sandbox-chain", noticeOf("deposit_final", transfer, row.dueAt.getTime()));
    const token = findToken(currency, blockchain);
    assert(token, "only supported tokens can be sent");
    await addToBalance(tx, ledgerAccounts.unswept(token), units);
  },
  postpone: ({ transactionHash }, now) =>
    postponeTransfer(transactionHash, new Date(now.getTime() + minuteMs)),
};

function noticeOf(
  kind: "deposit_seen" | "deposit_final" | "deposit_gone",
  { blockTime, ...transfer }: Transfer,
  at: number,
): Notice {
  return { kind, ...transfer, logIndex: 0, blockTime: blockTime.getTime(), at };
}
