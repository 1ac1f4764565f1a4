import { byCursor, itself, type Listing, listing } from "./listing.ts";
import type {
  Account,
  AccountEntry,
  AccountFile,
  AccountKind,
  AuditLine,
  AuditState,
  BankFile,
  BankFileContent,
  BankFileDetails,
  Deposit,
  ImportedFile,
  IncomingWire,
  KillSwitch,
  LedgerAccount,
  LedgerAdjustment,
  OperatorTransaction,
  OperatorTransactionOptions,
  Payout,
  PayoutBatch,
  Reconciliation,
  ReconciliationDetails,
  ReconciliationRun,
  Review,
  TransactionFile,
  TrialBalance,
  WaitingAccount,
  WireSender,
} from "./operator-shapes.ts";
import type { AccountVerification, Invariants, VerificationStatus } from "./ramp-shapes.ts";
import {
  type CallOptions,
  type Given,
  type PostOptions,
  pathOf,
  type Transport,
} from "./transport.ts";

type PageOptions = CallOptions & { limit?: number; after?: string };
type Listed<Item> = Listing<Item[], Item>;
type Decision = PostOptions & { kind?: AccountKind };

/** What operators of the ramp see and decide. */
export type OperatorClient = {
  transactions: {
    list(options?: OperatorTransactionOptions & CallOptions): Listed<OperatorTransaction>;
    get(id: string, options?: CallOptions): Promise<TransactionFile>;
    /** Lets a held transaction go on. */
    release(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
    /** Sends what came back to where it came from. */
    refund(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
    /** Tries a payout or refund that failed once more. */
    retry(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
    writeOff(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
  };
  /** What waits for somebody's decision, oldest first. */
  reviews(options?: PageOptions): Listed<Review>;
  wires: {
    list(options?: PageOptions & { state?: IncomingWire["state"] }): Listed<IncomingWire>;
    match(id: string, transactionId: string, options?: PostOptions): Promise<IncomingWire>;
    return(id: string, note: string, options?: PostOptions): Promise<IncomingWire>;
    /** Says from which account a wire came when the bank did not, so that it can be sent back. */
    sender(id: string, sender: WireSender, options?: PostOptions): Promise<IncomingWire>;
  };
  deposits: {
    list(options?: PageOptions & { use?: Deposit["use"] }): Listed<Deposit>;
    return(id: string, note: string, options?: PostOptions): Promise<Deposit>;
  };
  ledger: {
    accounts(options?: PageOptions & { prefix?: string }): Listed<LedgerAccount>;
    entries(account: string, options?: PageOptions): Listed<AccountEntry>;
    trialBalance(options?: CallOptions): Promise<TrialBalance[]>;
    /** Books money that the owners moved, or that a bank or network charged. */
    adjust(
      adjustment: Omit<LedgerAdjustment, "id" | "balance"> & { note: string },
      options?: PostOptions,
    ): Promise<LedgerAdjustment>;
  };
  payouts(options?: PageOptions & { state?: Payout["state"] }): Listed<Payout>;
  payoutBatches(options?: { from?: string; to?: string } & CallOptions): Promise<PayoutBatch[]>;
  bankFiles: {
    list(
      options?: PageOptions & { direction?: BankFile["direction"]; state?: BankFile["state"] },
    ): Listed<BankFile>;
    get(id: string, options?: CallOptions): Promise<BankFileDetails>;
    /** Holds account numbers; who reads it is written down. */
    content(id: string, options?: CallOptions): Promise<BankFileContent>;
    /** Lets a held file leave, as soon as enough operators have. */
    approve(id: string, options?: PostOptions): Promise<BankFile>;
    /** Takes back a file whose delivery has not begun: its payouts go with the next one. */
    withdraw(id: string, note: string, options?: PostOptions): Promise<BankFile>;
    /** Takes in a file of the bank's. */
    import(name: string, text: string, options?: PostOptions): Promise<ImportedFile>;
  };
  killSwitches: {
    list(options?: CallOptions): Promise<KillSwitch[]>;
    set(name: string, reason: string, options?: PostOptions): Promise<KillSwitch>;
    clear(name: string, options?: CallOptions): Promise<void>;
  };
  invariants(options?: CallOptions): Promise<Invariants>;
  /** What came of comparing our books with the bank's and the chains'. */
  reconciliations: {
    list(options?: PageOptions & { subject?: string; ok?: boolean }): Listed<Reconciliation>;
    get(id: string, options?: CallOptions): Promise<ReconciliationDetails>;
    /** Compares now: with the bank, with a chain such as `chain:ethereum`, or with all. */
    run(subject?: string, options?: PostOptions): Promise<ReconciliationRun>;
  };
  verifications: {
    /** Those that wait, unless another status is asked for. */
    list(options?: PageOptions & { status?: VerificationStatus }): Listed<WaitingAccount>;
    approve(userId: string, reason: string, options?: Decision): Promise<AccountVerification>;
    reject(userId: string, reason: string, options?: Decision): Promise<AccountVerification>;
  };
  accounts: {
    list(
      options?: PageOptions & { email?: string; verification?: VerificationStatus },
    ): Listed<Account>;
    get(userId: string, options?: CallOptions): Promise<AccountFile>;
  };
  audit: {
    list(options?: PageOptions): Listed<AuditLine>;
    verify(options?: CallOptions): Promise<AuditState>;
  };
};

/** Makes the operators' side of the client. */
export function operatorClient(transport: Transport): OperatorClient {
  const { get, post } = transport;
  const list = <Item>(at: string, options: Given | undefined): Listed<Item> =>
    listing(transport, at, options, byCursor(itself));
  const path = (...parts: string[]) => pathOf("operator", ...parts);
  const transactions = (...parts: string[]) => path("transactions", ...parts);
  return {
    transactions: {
      list: (options) => list(transactions(), options),
      get: (id, options) => get(transactions(id), options),
      release: (id, note, options) => post(transactions(id, "release"), { note }, options),
      refund: (id, note, options) => post(transactions(id, "refund"), { note }, options),
      retry: (id, note, options) => post(transactions(id, "retry"), { note }, options),
      writeOff: (id, note, options) => post(transactions(id, "writeOff"), { note }, options),
    },
    reviews: (options) => list(path("reviews"), options),
    wires: {
      list: (options) => list(path("wires"), options),
      match: (id, transactionId, options) =>
        post(path("wires", id, "match"), { transactionId }, options),
      return: (id, note, options) => post(path("wires", id, "return"), { note }, options),
      sender: (id, sender, options) => post(path("wires", id, "sender"), sender, options),
    },
    deposits: {
      list: (options) => list(path("deposits"), options),
      return: (id, note, options) => post(path("deposits", id, "return"), { note }, options),
    },
    ledger: {
      accounts: (options) => list(path("ledger", "accounts"), options),
      entries: (account, options) => list(path("ledger", "accounts", account, "entries"), options),
      trialBalance: (options) => get(path("ledger", "trialBalance"), options),
      adjust: (adjustment, options) => post(path("ledger", "adjustments"), adjustment, options),
    },
    payouts: (options) => list(path("payouts"), options),
    payoutBatches: (options) => get(path("payoutBatches"), options),
    bankFiles: {
      list: (options) => list(path("bankFiles"), options),
      get: (id, options) => get(path("bankFiles", id), options),
      content: (id, options) => get(path("bankFiles", id, "content"), options),
      approve: (id, options) => post(path("bankFiles", id, "approve"), {}, options),
      withdraw: (id, note, options) => post(path("bankFiles", id, "withdraw"), { note }, options),
      import: (name, text, options) => post(path("bankFiles"), { name, text }, options),
    },
    killSwitches: {
      list: (options) => get(path("killSwitches"), options),
      set: (name, reason, options) => post(path("killSwitches"), { name, reason }, options),
      clear: (name, options) => transport.delete(path("killSwitches", name), options),
    },
    invariants: (options) => get(path("invariants"), options),
    reconciliations: {
      list: (options) => list(path("reconciliations"), options),
      get: (id, options) => get(path("reconciliations", id), options),
      run: (subject, options) =>
        post(path("reconciliations"), subject === undefined ? {} : { subject }, options),
    },
    verifications: {
      list: (options) => list(path("verifications"), options),
      approve: (userId, reason, { kind, ...options } = {}) =>
        post(path("verifications", userId, "approve"), { reason, ...(kind && { kind }) }, options),
      reject: (userId, reason, { kind, ...options } = {}) =>
        post(path("verifications", userId, "reject"), { reason, ...(kind && { kind }) }, options),
    },
    accounts: {
      list: (options) => list(path("accounts"), options),
      get: (userId, options) => get(path("accounts", userId), options),
    },
    audit: {
      list: (options) => list(path("audit"), options),
      verify: (options) => get(path("audit", "verify"), options),
    },
  };
}
