import type {
  AccountVerification,
  LedgerLine,
  RampEvent,
  RampTransaction,
  TransactionStatus,
  VerificationStatus,
} from "./ramp-shapes.ts";

/** A transaction as operators see it. */
export type OperatorTransaction = RampTransaction & {
  state: string;
  /** A word for programs, when it left the usual path. */
  reason: string | null;
  /** Where the price at its creation came from. */
  priceSources?: string[];
};

export type OperatorTransactionOptions = {
  userId?: string;
  state?: string;
  type?: "ON_RAMP" | "OFF_RAMP";
  /** Only those that are flagged, or only those that are not. */
  flagged?: boolean;
  /** Created from when to when, in Unix milliseconds. */
  from?: number;
  to?: number;
  limit?: number;
  /** As `CB-After` of the page before says. */
  after?: string;
};

/** What an operator may decide about a transaction now. */
export type OperatorAction = "release" | "refund" | "retry" | "writeOff";

/** A step of a transaction: the list of them is what happened to it. */
export type TransactionStep = {
  version: number;
  kind: string;
  /** The state it led to. */
  state: string;
  createdAt: string;
  /** What the step knows. Amounts are whole numbers of the smallest unit, as text. */
  data: Record<string, unknown>;
};

/** Money that goes out: to a customer, or back to where it came from. */
export type Payout = {
  /** `pay-` and digits. */
  id: string;
  purpose: "payout" | "refund" | "wire_return" | "deposit_return";
  transactionId: string | null;
  wireId: string | null;
  depositId: string | null;
  rail: "ach" | "wire" | "chain";
  asset: string;
  quantity: string;
  state: "queued" | "submitted" | "settled" | "failed" | "returned" | "canceled";
  /** Whether the rail has said that it took it. */
  isAccepted: boolean;
  trace: string | null;
  attempts: number;
  /** In New York, `2026-11-16`; null for what goes out on a chain. */
  sendDate: string | null;
  createdAt: string;
  updatedAt: string;
};

/** Payouts that go out together. */
export type PayoutBatch = {
  rail: "ach" | "wire" | "chain";
  sendDate: string | null;
  asset: string;
  count: number;
  total: string;
  /** How many are in each state. */
  states: Record<string, number>;
};

/** A transfer to one of our deposit addresses. */
export type Deposit = {
  /** `dep-` and digits. */
  id: string;
  transactionId: string;
  blockchain: string;
  transactionHash: string;
  logIndex: number;
  address: string;
  fromAddress: string;
  currency: string;
  quantity: string;
  state: "seen" | "final" | "gone";
  /** Whether it counts for its transaction, or lies in suspense, or goes back. */
  use: "credited" | "suspense" | "returning" | "returned";
  reason: string | null;
  blockTime: string;
  createdAt: string;
  updatedAt: string;
};

/** A wire that came in. */
export type IncomingWire = {
  /** `wir-` and digits. */
  id: string;
  bankReference: string;
  amountUsd: string;
  senderName: string;
  /** Its last four characters. */
  senderAccount: string;
  /** What the sender wrote. */
  texts: string[];
  state: "matched" | "suspense" | "returning" | "returned";
  /** Why it lies in suspense. */
  reason: string | null;
  transactionId: string | null;
  createdAt: string;
  updatedAt: string;
  /** When it goes back by itself. */
  deadline: string | null;
};

/** From which account a wire came, as the sender's bank has it, and how we know. */
export type WireSender = {
  name: string;
  routingNumber: string;
  accountNumber: string;
  note: string;
};

/** Everything there is to know about one transaction. */
export type TransactionFile = {
  transaction: OperatorTransaction;
  status: TransactionStatus;
  actions: OperatorAction[];
  steps: TransactionStep[];
  payouts: Payout[];
  deposits: Deposit[];
  wires: IncomingWire[];
  ledger: LedgerLine[];
  events: RampEvent[];
};

/** A transaction that waits for somebody's decision. */
export type Review = {
  transaction: OperatorTransaction;
  explanation: string;
  unblockedBy: string | null;
  /** When it decides by itself; null is never. */
  deadline: string | null;
  actions: OperatorAction[];
};

/** An account of the ledger. What belongs to customers is positive, what is ours negative. */
export type LedgerAccount = { name: string; asset: string; balance: string };

/** Money that no customer moved, as it was booked. `balance` is what we have on the account after it. */
export type LedgerAdjustment = {
  id: string;
  account: string;
  quantity: string;
  direction: "in" | "out";
  cause: "owners" | "charges";
  balance: string;
};

/** A line of the ledger, and the transaction it was written for. */
export type AccountEntry = LedgerLine & { transactionId: string | null };

/** All that was ever debited and credited in one asset. The difference is zero, or the books are wrong. */
export type TrialBalance = { asset: string; debits: string; credits: string; difference: string };

/** Something that an operator has switched off: `payouts`, `rail:ach`, `token:USDC`, `blockchain:base`. */
export type KillSwitch = { name: string; reason: string; setBy: string; setAt: string };

/** A file to or from the bank. */
export type BankFile = {
  /** `fil-` and digits. */
  id: string;
  direction: "out" | "in";
  format:
    | "nacha"
    | "nacha_return"
    | "acknowledgement"
    | "pain.001"
    | "pain.002"
    | "pacs.002"
    | "camt.054"
    | "camt.053"
    | "webhook"
    | "unknown";
  name: string;
  /** Hexadecimal. */
  sha256: string;
  /** Ours: held until enough operators approved, ready, delivered, accepted, rejected or withdrawn. The bank's: taken or refused. */
  state:
    | "held"
    | "ready"
    | "delivered"
    | "accepted"
    | "rejected"
    | "withdrawn"
    | "taken"
    | "refused";
  entryCount: number;
  amountUsd: string;
  /** Ids of the keys that approved it. */
  approvals: string[];
  approvalsNeeded: number;
  /** Why it was refused, rejected or could not be delivered yet. */
  problem: string | null;
  createdAt: string;
  deliveredAt: string | null;
  updatedAt: string;
};

/** A payout that the bank is told of. */
export type BankEntry = {
  payoutId: string;
  /** ACH: fifteen digits. Wire: the payout's id. */
  trace: string;
  amountUsd: string;
  state: "waiting" | "filed" | "settled" | "failed" | "returned";
};

/** A file of ours with the payouts in it. */
export type BankFileDetails = BankFile & { entries: BankEntry[] };

/** What is in a file, to be sent or looked at by hand. */
export type BankFileContent = { name: string; sha256: string; text: string };

/** What became of a file of the bank's that was imported by hand. */
export type ImportedFile = {
  state: "taken" | "refused";
  /** What is wrong with it; null when nothing is. */
  problem: string | null;
  /** Whether it came for the first time. */
  isNew: boolean;
};

/** Something of which a bank or chain says something else than our books. */
export type ReconciliationDifference = {
  /** What was compared, such as `wire:IMAD1`, `payout:pay-1`, `file:ACH-1`, `line:S1/3` or `account:hot:USDC.ethereum`. */
  item: string;
  asset: string;
  theirs: string;
  ours: string;
  explanation: string;
};

/** What came of comparing our books with a bank's or a chain's. */
export type Reconciliation = {
  /** `rec-` and digits. */
  id: string;
  /** `bank` or `chain:ethereum`. */
  subject: string;
  /** Up to where both were compared: the end of a statement, or a block. */
  asOf: string;
  ok: boolean;
  /** How many accounts and items were compared. */
  compared: number;
  differences: ReconciliationDifference[];
  /** How many items one side has and the other will have soon. */
  inTransitCount: number;
  createdAt: string;
};

/** A comparison with what was in transit. */
export type ReconciliationDetails = Reconciliation & { inTransit: ReconciliationDifference[] };

/** What came of comparing now, and what could not be compared. */
export type ReconciliationRun = {
  reports: Reconciliation[];
  notCompared: { subject: string; reason: string }[];
};

/** An account that waits for a decision about its verification. */
export type WaitingAccount = Omit<AccountVerification, "url"> & {
  masterId: string | null;
  name: string;
  email: string;
  kind: AccountKind;
  updatedAt: string;
};

/** A firm's money goes another way than a person's. */
export type AccountKind = "person" | "business";

/** An account as operators see it. */
export type Account = {
  /** `usr-` and digits. */
  id: string;
  /** Of a subaccount. */
  masterId: string | null;
  name: string;
  email: string;
  kind: AccountKind;
  verification: VerificationStatus;
  createdAt: string;
  updatedAt: string;
};

export type AccountFile = Account & {
  /** How many it has. */
  subaccounts: number;
  decisions: { status: VerificationStatus; reason: string; decidedBy: string; at: string }[];
};

/** Who did what. Each line's hash covers the line before. */
export type AuditLine = {
  sequence: number;
  at: string;
  keyId: string | null;
  userId: string | null;
  ip: string | null;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  hash: string;
};

/** Whether the audit log is as it was written, and where it first is not. */
export type AuditState = { ok: boolean; checked: number; brokenAt: number | null };
