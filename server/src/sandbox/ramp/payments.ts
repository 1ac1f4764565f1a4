import type { Database, Transaction } from "../../database/database.ts";
import type { DueWork } from "../../database/due.ts";
import { newYorkDay } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { assert } from "../../lib/errors.ts";
import { ledgerAccounts } from "../../ramp/ledger/accounts.ts";
import type { Notice, PayoutInstruction, PayoutRail, Submission } from "../../ramp/ports.ts";
import { loadCalendar } from "../../ramp/store/calendars.ts";
import { addToBalance } from "../store/balances.ts";
import { findWireCents, tellNotice } from "../store/notices.ts";
import {
  findPayment,
  insertPayment,
  type Payment,
  type PaymentRow,
  paymentOfRow,
  postponePayment,
  takeDuePayment,
  updatePayment,
} from "../store/payments.ts";
import { type Plan, type Planned, planPayment } from "./plan.ts";
import { transactionHash } from "./transaction-hash.ts";

/** The sandbox's bank and chains, as those who take money out. The same reference is paid once. */
export function sandboxRail({ db, clock }: { db: Database; clock: Clock }): PayoutRail {
  return {
    async submit(instruction) {
      const { reference, rail } = instruction;
      const at = clock.now();
      const plan =
        (await faultOf(db, instruction)) ??
        planPayment(instruction, at, await loadCalendar(db, "ACH"));
      const isRefused = "refused" in plan;
      await insertPayment(db, {
        reference,
        rail,
        account: rail === "chain" ? ledgerAccounts.hot(instruction.token) : ledgerAccounts.bank(),
        amount: rail === "chain" ? instruction.units : instruction.cents,
        state: isRefused ? "refused" : "taken",
        why: isRefused ? plan.refused : null,
        plan: isRefused ? [] : plan.planned,
        createdAt: new Date(at),
      });
      const payment = await findPayment(db, reference);
      assert(payment, "a payment that was written down is there");
      return submissionOf(payment);
    },
    async find(reference) {
      const payment = await findPayment(db, reference);
      return payment && submissionOf(payment);
    },
  };
}

/** Lets happen to payments what was planned, when its time has come. */
export const duePayments: DueWork<PaymentRow> = {
  name: "sandbox payments",
  take: takeDuePayment,
  async handle(tx, row) {
    const payment = paymentOfRow(row);
    const [next, ...later] = payment.plan;
    assert(next, "a payment that is due has a plan");
    await happen(tx, payment, next, later);
  },
  postpone: ({ reference }, now) => postponePayment(reference, new Date(now.getTime() + 60_000)),
};

/** Lets one thing happen to a payment: the money moves and whoever sent it is told. */
export async function happen(
  tx: Transaction,
  payment: Payment,
  planned: Planned,
  later: readonly Planned[],
): Promise<void> {
  const { reference, rail, account, amount } = payment;
  await updatePayment(tx, { reference, state: stateAfter[planned.kind], plan: later });
  await tellNotice(
    tx,
    rail === "chain" ? "sandbox-chain" : "sandbox-bank",
    noticeOf(payment, planned),
  );
  if (planned.kind === "settle") await addToBalance(tx, account, -amount);
  if (planned.kind === "return" && payment.state === "settled")
    await addToBalance(tx, account, amount);
}

const stateAfter = { settle: "settled", return: "returned", fail: "failed" } as const;

function noticeOf(payment: Payment, planned: Planned): Notice {
  const { reference } = payment;
  const { at } = planned;
  switch (planned.kind) {
    case "settle":
      return { kind: "payout_settled", reference, trace: traceOf(payment), at };
    case "return":
      return { kind: "payout_returned", reference, code: planned.code, at };
    case "fail":
      return { kind: "payout_failed", reference, why: planned.why, at };
  }
}

function submissionOf(payment: Payment): Submission {
  return payment.why === null
    ? { outcome: "accepted", trace: traceOf(payment) }
    : { outcome: "refused", why: payment.why };
}

/** A wire can go back only if it came, and not with more than it brought. */
async function faultOf(db: Database, instruction: PayoutInstruction): Promise<Plan | undefined> {
  if (!("returns" in instruction)) return undefined;
  const came = await findWireCents(db, instruction.returns.bankReference);
  if (came === undefined) return { refused: "the bank knows no such wire" };
  return came < instruction.cents ? { refused: "the wire brought less than this" } : undefined;
}

/** What the rail calls the payment: a trace number, an IMAD, or a transaction hash. */
function traceOf({ rail, number, reference, account, createdAt }: Payment): string {
  if (rail === "chain") return transactionHash(account.split(".").at(-1) ?? "", reference);
  if (rail === "ach") return `09100001${lastDigits(number, 7)}`;
  return `${newYorkDay(createdAt.getTime()).replaceAll("-", "")}SLIPWAY1${lastDigits(number, 6)}`;
}

function lastDigits(number: bigint, count: number): string {
  return String(number).padStart(count, "0").slice(-count);
}
