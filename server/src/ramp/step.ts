import type { Cents, PriceE18, Units } from "../lib/money.ts";
import type {
  BankAccountId,
  DepositId,
  OffRamp,
  OnRamp,
  PayoutId,
  Reason,
  ReturnReview,
  Settlement,
  Token,
  WireId,
} from "./transaction.ts";

/** Who did it: a timer or rule of ours, the customer, or an operator by the id of the key. */
export type Actor = "policy" | "customer" | `operator:${string}`;

/**
 * Something that happened to a transaction. The list of its steps is the transaction: applying them one after the
 * other gives its row. So a step holds every fact a decision needs, prices and limits included.
 */
export type Step =
  | { kind: "created"; ramp: OnRamp | OffRamp }
  | { kind: "canceled" }
  | { kind: "expired" }
  // Money that comes in by wire.
  | {
      kind: "wire_matched";
      wireId: WireId;
      cents: Cents;
      /** The sender's name is the verified account holder's. */
      isFromHolder: boolean;
    }
  // Money that comes in on chain. `blockTime` in Unix milliseconds.
  | { kind: "deposit_seen"; depositId: DepositId; units: Units; blockTime: number }
  | { kind: "deposit_gone"; depositId: DepositId }
  | {
      kind: "deposit_final";
      depositId: DepositId;
      units: Units;
      blockTime: number;
      isFromRegistered: boolean;
    }
  /** Another token than the one asked for came to the deposit address; it lies in suspense. */
  | { kind: "wrong_token"; depositId: DepositId; token: Token; units: Units }
  // What we decide after asking screening and prices.
  | { kind: "held"; reason: Reason; note: string | null }
  | { kind: "released"; by: Actor; note: string | null }
  /** ON_RAMP: what came buys this much; OFF_RAMP: what came is sold for this much. */
  | { kind: "priced"; priceE18: PriceE18; sources: readonly string[] }
  // Money that goes out, to the customer's wallet or bank account.
  | { kind: "payout_queued"; payoutId: PayoutId; settlement: Settlement | null }
  | { kind: "payout_started"; payoutId: PayoutId }
  | { kind: "payout_accepted"; payoutId: PayoutId; trace: string }
  /** `settlement`: by ACH, the dates as they are now that it has settled. */
  | { kind: "payout_settled"; payoutId: PayoutId; trace: string | null; settlement?: Settlement }
  | { kind: "payout_failed"; payoutId: PayoutId; why: string }
  | {
      kind: "payout_returned";
      payoutId: PayoutId;
      code: string;
      /** The bank account must not be used again. */
      isAccountAtFault: boolean;
      /** Left out when the customer can put it right alone. */
      review?: ReturnReview;
    }
  /** ACH: no return came in time. */
  | { kind: "window_closed" }
  /** The customer named another account for money that came back. */
  | { kind: "account_replaced"; bankAccountId: BankAccountId }
  // Money that goes back to where it came from. `priceE18` buys back what had been sold, `gasUnits` is kept.
  | {
      kind: "refund_ordered";
      by: Actor;
      note: string | null;
      priceE18: PriceE18 | null;
      gasUnits: Units;
    }
  | { kind: "refund_queued"; payoutId: PayoutId }
  | { kind: "refund_started"; payoutId: PayoutId }
  | { kind: "refund_accepted"; payoutId: PayoutId; trace: string }
  | { kind: "refund_settled"; payoutId: PayoutId; trace: string | null }
  | { kind: "refund_failed"; payoutId: PayoutId; why: string }
  | { kind: "written_off"; by: Actor; note: string };

export type StepKind = Step["kind"];

/** Public names of what happened, as customers get to hear it; `ramp.transaction.` comes before each. */
export const transactionEvents = [
  "created",
  "funds_seen",
  "funds_received",
  "priced",
  "amount_adjusted",
  "flagged",
  "released",
  "payout_submitted",
  "completed",
  "returned",
  "refunded",
  "expired",
  "canceled",
] as const;
export type TransactionEvent = (typeof transactionEvents)[number];

/** Takes `amount` out of one ledger account and puts it into another of the same asset: debits `from`, credits `to`. */
export type Move = { asset: string; amount: bigint; from: string; to: string };

/** What has to be done in the same database transaction as the step, beside writing it down. */
export type Order =
  /** Money leaves: to the customer (`payout`) or back (`refund`). Handed to the rail at `sendAt`. */
  | {
      kind: "queue_payout";
      payoutId: PayoutId;
      purpose: "payout" | "refund";
      rail: Rail;
      amount: bigint;
      sendAt: number;
    }
  /** A payout that has not been handed over must not be any more. */
  | { kind: "cancel_payout"; payoutId: PayoutId }
  | { kind: "stop_bank_account"; bankAccountId: BankAccountId; code: string };

export type Rail = "ach" | "wire" | "chain";

/** What a step changes. `engine.ts` writes it down. */
export type Advance = {
  ramp: OnRamp | OffRamp;
  moves: readonly Move[];
  orders: readonly Order[];
  events: readonly TransactionEvent[];
  /** When the transaction needs attention again; null is never. Unix milliseconds. */
  dueAt: number | null;
};

/** What to do with a transaction that is due. The engine asks whoever must be asked and comes back with a step. */
export type DueAction =
  | "expire"
  /** Ask screening and the price, then `priced` or `held`. */
  | "price"
  /** Check inventory and queue the payout: `payout_queued`, or `held` for `liquidity`. */
  | "queue_payout"
  | "close_window"
  /** Nobody decided in time: `refund_ordered`. */
  | "order_refund"
  | "queue_refund"
  /** Stands too long where it is: say so in the log and ask again later. */
  | "alert";
