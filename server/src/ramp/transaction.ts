import type { Cents, PriceE18, Units } from "../lib/money.ts";

export type TransactionId = `txn-${string}`;
type OrderId = `ord-${string}`;
export type WalletId = `wal-${string}`;
export type BankAccountId = `bac-${string}`;
export type UserId = `usr-${string}`;
export type PayoutId = `pay-${string}`;
export type WireId = `wir-${string}`;
export type DepositId = `dep-${string}`;

export type SettlementMethod = "ACH" | "WIRE";

/** A token on one blockchain: the same symbol has other decimals elsewhere. */
export type Token = { symbol: string; blockchain: string; decimals: number };

/** States of a purchase of crypto with fiat. */
export const onRampStates = [
  "AWAITING_FUNDS",
  "FUNDS_RECEIVED",
  "IN_REVIEW",
  "PRICED",
  "PAYOUT_QUEUED",
  "PAYOUT_SUBMITTED",
  "PAYOUT_FAILED",
  "COMPLETED",
  "EXPIRED",
  "CANCELED",
  "REFUND_PENDING",
  "REFUND_SUBMITTED",
  "REFUND_FAILED",
  "REFUNDED",
  "WRITTEN_OFF",
] as const;
export type OnRampState = (typeof onRampStates)[number];

/** States of a sale of crypto for fiat. */
export const offRampStates = [
  "AWAITING_DEPOSIT",
  "DEPOSIT_SEEN",
  "DEPOSIT_FINAL",
  "IN_REVIEW",
  "CONVERTED",
  "PAYOUT_QUEUED",
  "PAYOUT_SUBMITTED",
  "PAYOUT_FAILED",
  "PAYOUT_RETURNED",
  "COMPLETED",
  "RETURNED_AFTER_COMPLETION",
  "EXPIRED",
  "CANCELED",
  "REFUND_PENDING",
  "REFUND_SUBMITTED",
  "REFUND_FAILED",
  "REFUNDED",
  "WRITTEN_OFF",
] as const;
export type OffRampState = (typeof offRampStates)[number];

export type State = OnRampState | OffRampState;

/** Why a transaction left the happy path; the machine answer to "why is it held". A refund keeps its cause. */
export const reasons = [
  "third_party_sender",
  "sanctioned",
  "screening_unavailable",
  "unregistered_sender",
  "wrong_token",
  "below_minimum",
  "above_maximum",
  "above_account_limit",
  "late_funds",
  "price_moved",
  "price_unavailable",
  "peg_guard",
  "liquidity",
  "payout_refused",
  "payout_returned",
  "late_return",
  "returned_by_receiver",
  "unexplained_return",
  "recalled",
  "expired",
  "canceled",
  "dust",
  "written_off",
  "operator",
] as const;
export type Reason = (typeof reasons)[number];

/** Why a payout that came back has to be looked at by a person, before the customer may name another account. */
export type ReturnReview = Extract<Reason, "returned_by_receiver" | "unexplained_return">;

/**
 * When an off-ramp's money is sent and is expected, as estimated when its payout was queued and, by ACH, once more when
 * it was settled. Dates are New York's.
 */
export type Settlement = {
  calendarVersion: string;
  /** `2026-11-16` */
  sendOn: string;
  earliestOn: string;
  latestOn: string;
  /** ACH only: when it settles between the banks, and the last day of the return window. */
  settleOn: string | null;
  windowEndsOn: string | null;
  /** Unix milliseconds: when the payout is handed over, and when an ACH return window has closed. */
  sendAt: number;
  windowClosesAt: number | null;
};

/** What both kinds of transaction have. All times are Unix milliseconds. */
type Common = {
  id: TransactionId;
  userId: UserId;
  settlementMethod: SettlementMethod;
  sourceOrderId: OrderId;
  destinationOrderId: OrderId;
  walletId: WalletId;
  /** The customer's registered address. */
  walletAddress: string;
  bankAccountId: BankAccountId;
  token: Token;
  isStablecoin: boolean;
  /** What the request asked for, on either side; a source quantity rules over a destination quantity. */
  askedUnits: Units | null;
  askedCents: Cents | null;
  /** What the two orders show: what is expected, then what came, then what goes out. */
  units: Units | null;
  cents: Cents | null;
  priceE18: PriceE18 | null;
  /** Where the price at create came from; later ones stand in the steps that set them. */
  priceSources?: readonly string[];
  feeCents: Cents;
  /** What lies in the transaction's own ledger accounts just now; nothing of either at create. */
  heldUnits: Units;
  heldCents: Cents;
  /** Bounds of the token and the account at create; null is no bound. */
  leastUnits: Units;
  mostUnits: Units | null;
  mostCents: Cents | null;
  reason: Reason | null;
  /** What an operator or the customer let pass: it is not held for it again. None at create. */
  cleared: readonly Reason[];
  /** Set once its money is to go back: it is not exchanged any more. */
  isRefund?: true;
  /** Where an operator or customer stands in the way of a timer: when it decides by itself. */
  deadlineAt: number | null;
  /** The payout that is queued or under way, and how many there have been. */
  payoutId: PayoutId | null;
  payoutCount: number;
  /** Cents or units that it takes out. Null with `payoutId`. */
  payoutAmount: bigint | null;
  /** Reference of the rail: transaction hash, trace number, IMAD. */
  trace: string | null;
  settlement: Settlement | null;
  /** Whether the bank or chain has confirmed the payout that is under way. */
  isSettled: boolean;
  createdAt: number;
  updatedAt: number;
  flaggedAt: number | null;
  completedAt: number | null;
  /** Steps so far. */
  version: number;
};

export type OnRamp = Common & {
  type: "ON_RAMP";
  state: OnRampState;
  /** What the customer writes on the wire, in its canonical form without spaces. */
  reference: string;
  wireId: WireId | null;
  /** The wire came in another name than the verified holder's. */
  isFromThirdParty?: true;
  /** When waiting for the wire ends. */
  expiresAt: number;
  /** The wire came after expiry or cancellation. */
  isLate: boolean;
};

export type OffRamp = Common & {
  type: "OFF_RAMP";
  state: OffRampState;
  depositAddress: string;
  /** Which of our deposit addresses it is, so that it can be emptied. */
  depositIndex?: number;
  /** A deposit in a block up to this time gets the price of the create. */
  lockedUntil: number;
  expiresAt: number;
  /** Deposits that count, by id; together they are what came. */
  deposits: Readonly<Record<DepositId, OffRampDeposit>>;
  /** Of the newest of them: its block's time. */
  depositedAt: number | null;
  grossCents: Cents | null;
  /** A payout came back because of the customer's account: a refund does not give the fee back. */
  isFeeEarned: boolean;
  isLate: boolean;
};

/** `isFromRegistered`: sent from the customer's registered address, as far as is known. */
export type OffRampDeposit = {
  units: Units;
  blockTime: number;
  isFinal: boolean;
  isFromRegistered: boolean;
};

export type Ramp = OnRamp | OffRamp;

/** States in which nothing more happens by itself and no money is inside. */
const terminalStates: ReadonlySet<State> = new Set<State>([
  "COMPLETED",
  "EXPIRED",
  "CANCELED",
  "REFUNDED",
  "WRITTEN_OFF",
]);

/** Whether a transaction still uses its wallet and bank account, so that neither may be deleted. */
export function isOpen({ state }: Pick<Ramp, "state">): boolean {
  return !terminalStates.has(state);
}
