import type { Database, Transaction } from "../../database/database.ts";
import type { DueWork } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import { assert } from "../../lib/errors.ts";
import { ledgerAccounts } from "../../ramp/ledger/accounts.ts";
import type { Notice, PayoutRail, Submission } from "../../ramp/ports.ts";
import { addToBalance } from "../store/balances.ts";
import { tellNotice } from "../store/notices.ts";
import {
  findPayment,
  insertPayments,
  type Payment,
  type PaymentRow,
  paymentOfRow,
  postponePayment,
  takeDuePayment,
  updatePayment,
} from "../store/payments.ts";
import { tellOldPayment } from "./bank/before-files.ts";
import { happenAtBank } from "./bank/happen.ts";
import { type Planned, planTransfer } from "./plan.ts";
import { transactionHash } from "./transaction-hash.ts";

/** The sandbox's chains, as those who take money out. The same reference is paid once. */
export function sandboxChainRail({ db, clock }: { db: Database; clock: Clock }): PayoutRail {
  return {
    async submit(instruction) {
      assert(instruction.rail === "chain", `${instruction.reference} is for a chain`);
      const { reference, rail, token, units, to } = instruction;
      const at = clock.now();
      const payment: Omit<Payment, "number"> = {
        ...{ reference, rail, account: ledgerAccounts.hot(token), amount: units, state: "taken" },
        ...{ why: null, plan: planTransfer(to, at), trace: null, file: null },
        createdAt: new Date(at),
      };
      await insertPayments(db, [payment]);
      const trace = hashOf((await findPayment(db, reference)) ?? payment);
      return { outcome: "accepted", trace };
    },
    async find(reference): Promise<Submission | undefined> {
      const payment = await findPayment(db, reference);
      return payment && { outcome: "accepted", trace: hashOf(payment) };
    },
  };
}

/** Lets happen to payments what was planned, when its time has come. */
export const duePayments: DueWork<PaymentRow> = {
  name: "sandbox payments",
  take: takeDuePayment,
  async handle(tx, row, now) {
    const payment = paymentOfRow(row);
    const [next, ...later] = payment.plan;
    assert(next, "a payment that is due has a plan");
    await happen(tx, payment, { next, later, at: now.getTime() });
  },
  postpone: ({ reference }, now) => postponePayment(reference, new Date(now.getTime() + 60_000)),
};

/** Lets one thing happen to a payment: the money moves and whoever sent it is told. */
export function happen(
  tx: Transaction,
  payment: Payment,
  { next, later, at }: { next: Planned; later: readonly Planned[]; at: number },
): Promise<void> {
  if (payment.rail === "chain") return endTransfer(tx, payment, next);
  return payment.file === null
    ? tellOldPayment(tx, payment, { next, later, at })
    : happenAtBank(tx, payment, next, later, at);
}

/** A transfer on a chain is done with when it is settled or has failed. */
async function endTransfer(tx: Transaction, payment: Payment, planned: Planned): Promise<void> {
  const { reference, account, amount } = payment;
  const { kind, at } = planned;
  assert(kind === "settle" || kind === "fail", `a transfer does not ${kind}`);
  const state = kind === "settle" ? "settled" : "failed";
  await updatePayment(tx, { reference, state, plan: [] });
  const notice: Notice =
    kind === "settle"
      ? { kind: "payout_settled", reference, trace: hashOf(payment), at }
      : { kind: "payout_failed", reference, why: planned.why, at };
  await tellNotice(tx, "sandbox-chain", notice);
  if (kind === "settle") await addToBalance(tx, account, -amount);
}

function hashOf({ reference, account }: Pick<Payment, "reference" | "account">): string {
  return transactionHash(account.split(".").at(-1) ?? "", reference);
}
