import type { Transaction } from "../../database/database.ts";
import { assert } from "../../lib/errors.ts";
import { ledgerAccounts } from "../ledger/accounts.ts";
import type { Move } from "../step.ts";
import { changeDeposit, findDeposit } from "../store/deposits.ts";
import { changeWire } from "../store/incoming-wires.ts";
import { bookOnce } from "../store/ledger.ts";
import type { Payout } from "../store/payouts.ts";

/** What can become of a payout that belongs to no transaction: money in suspense that is sent back. */
export type OwnPayoutEvent = "started" | "settled" | "failed" | "returned";

/** Books what became of money that is sent back, and says so at the wire or deposit that brought it. */
export async function bookReturn(
  tx: Transaction,
  payout: Payout,
  event: OwnPayoutEvent,
  at: Date,
): Promise<void> {
  const fact = { fact: `${payout.id}#${event}`, kind: `${payout.purpose}_${event}` };
  const moves = await movesOf(tx, payout, event);
  const isNew = await bookOnce(tx, { ...fact, transactionId: null, at, moves });
  if (!isNew || event === "started") return;
  if (payout.wireId) await changeWire(tx, payout.wireId, { ...stateAfter[event], at });
  if (payout.depositId) {
    const { state: use, reason } = stateAfter[event];
    await changeDeposit(tx, payout.depositId, { use, reason, dueAt: null, at });
  }
}

const stateAfter = {
  settled: { state: "returned", reason: null },
  failed: { state: "suspense", reason: "return_failed" },
  returned: { state: "suspense", reason: "return_came_back" },
} as const;

async function movesOf(tx: Transaction, payout: Payout, event: OwnPayoutEvent): Promise<Move[]> {
  const { rail, asset, amount, state, depositId } = payout;
  const suspense = ledgerAccounts.suspense(asset);
  const out = ledgerAccounts.out(rail, asset);
  const ours = depositId ? `hot:${asset}` : ledgerAccounts.bank();
  switch (event) {
    case "started":
      return [{ asset, amount, from: suspense, to: out }];
    case "settled":
      return [{ asset, amount, from: out, to: ours }, ...(await keptGas(tx, payout))];
    case "failed":
      return [{ asset, amount, from: out, to: suspense }];
    case "returned":
      return [{ asset, amount, from: state === "settled" ? ours : out, to: suspense }];
  }
}

/** What a deposit brought beyond what goes back pays for the network. */
async function keptGas(tx: Transaction, { depositId, asset, amount }: Payout): Promise<Move[]> {
  if (!depositId) return [];
  const deposit = await findDeposit(tx, depositId);
  assert(deposit, `there is a deposit ${depositId}`);
  const gas = deposit.units - amount;
  const kept = { from: ledgerAccounts.suspense(asset), to: ledgerAccounts.fees(asset) };
  return gas > 0n ? [{ asset, amount: gas, ...kept }] : [];
}
