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
import { type PostOptions, pathOf, type Transport } from "./transport.ts";

type PageOptions = { limit?: number; after?: string };
type Decision = PostOptions & { kind?: AccountKind };

/** What operators of the ramp see and decide. */
export type OperatorClient = {
  transactions: {
    list(options?: OperatorTransactionOptions): Promise<OperatorTransaction[]>;
    pages(options?: OperatorTransactionOptions): AsyncGenerator<OperatorTransaction[], void>;
    get(id: string): Promise<TransactionFile>;
    /** Lets a held transaction go on. */
    release(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
    /** Sends what came back to where it came from. */
    refund(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
    /** Tries a payout or refund that failed once more. */
    retry(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
    writeOff(id: string, note: string, options?: PostOptions): Promise<OperatorTransaction>;
  };
  /** What waits for somebody's decision, oldest first. */
  reviews(options?: PageOptions): Promise<Review[]>;
  wires: {
    list(options?: PageOptions & { state?: IncomingWire["state"] }): Promise<IncomingWire[]>;
    match(id: string, transactionId: string, options?: PostOptions): Promise<IncomingWire>;
    return(id: string, note: string, options?: PostOptions): Promise<IncomingWire>;
    /** Says from which account a wire came when the bank did not, so that it can be sent back. */
    sender(id: string, sender: WireSender, options?: PostOptions): Promise<IncomingWire>;
  };
  deposits: {
    list(options?: PageOptions & { use?: Deposit["use"] }): Promise<Deposit[]>;
    return(id: string, note: string, options?: PostOptions): Promise<Deposit>;
  };
  ledger: {
    accounts(options?: PageOptions & { prefix?: string }): Promise<LedgerAccount[]>;
    entries(account: string, options?: PageOptions): Promise<AccountEntry[]>;
    trialBalance(): Promise<TrialBalance[]>;
    /** Books money that the owners moved, or that a bank or network charged. */
    adjust(
      adjustment: Omit<LedgerAdjustment, "id" | "balance"> & { note: string },
      options?: PostOptions,
    ): Promise<LedgerAdjustment>;
  };
  payouts(options?: PageOptions & { state?: Payout["state"] }): Promise<Payout[]>;
  payoutBatches(options?: { from?: string; to?: string }): Promise<PayoutBatch[]>;
  bankFiles: {
    list(
      options?: PageOptions & { direction?: BankFile["direction"]; state?: BankFile["state"] },
    ): Promise<BankFile[]>;
    get(id: string): Promise<BankFileDetails>;
    /** Holds account numbers; who reads it is written down. */
    content(id: string): Promise<BankFileContent>;
    /** Lets a held file leave, as soon as enough operators have. */
    approve(id: string, options?: PostOptions): Promise<BankFile>;
    /** Takes back a file whose delivery has not begun: its payouts go with the next one. */
    withdraw(id: string, note: string, options?: PostOptions): Promise<BankFile>;
    /** Takes in a file of the bank's. */
    import(name: string, text: string, options?: PostOptions): Promise<ImportedFile>;
  };
  killSwitches: {
    list(): Promise<KillSwitch[]>;
    set(name: string, reason: string, options?: PostOptions): Promise<KillSwitch>;
    clear(name: string): Promise<void>;
  };
  invariants(): Promise<Invariants>;
  /** What came of comparing our books with the bank's and the chains'. */
  reconciliations: {
    list(options?: PageOptions & { subject?: string; ok?: boolean }): Promise<Reconciliation[]>;
    get(id: string): Promise<ReconciliationDetails>;
    /** Compares now: with the bank, with a chain such as `chain:ethereum`, or with all. */
    run(subject?: string, options?: PostOptions): Promise<ReconciliationRun>;
  };
  verifications: {
    /** Those that wait, unless another status is asked for. */
    list(options?: PageOptions & { status?: VerificationStatus }): Promise<WaitingAccount[]>;
    approve(userId: string, reason: string, options?: Decision): Promise<AccountVerification>;
    reject(userId: string, reason: string, options?: Decision): Promise<AccountVerification>;
  };
  accounts: {
    list(
      options?: PageOptions & { email?: string; verification?: VerificationStatus },
    ): Promise<Account[]>;
    get(userId: string): Promise<AccountFile>;
  };
  audit: {
    list(options?: PageOptions): Promise<AuditLine[]>;
    verify(): Promise<AuditState>;
  };
};

/** Makes the operators' side of the client. */
export function operatorClient(transport: Transport): OperatorClient {
  const { get, post, pages } = transport;
  const path = (...parts: string[]) => pathOf("operator", ...parts);
  const transactions = (...parts: string[]) => path("transactions", ...parts);
  return {
    transactions: {
      list: (options) => get(transactions(), options),
      pages: (options) => pages(transactions(), options),
      get: (id) => get(transactions(id)),
      release: (id, note, options) => post(transactions(id, "release"), { note }, options),
      refund: (id, note, options) => post(transactions(id, "refund"), { note }, options),
      retry: (id, note, options) => post(transactions(id, "retry"), { note }, options),
      writeOff: (id, note, options) => post(transactions(id, "writeOff"), { note }, options),
    },
    reviews: (options) => get(path("reviews"), options),
    wires: {
      list: (options) => get(path("wires"), options),
      match: (id, transactionId, options) =>
        post(path("wires", id, "match"), { transactionId }, options),
      return: (id, note, options) => post(path("wires", id, "return"), { note }, options),
      sender: (id, sender, options) => post(path("wires", id, "sender"), sender, options),
    },
    deposits: {
      list: (options) => get(path("deposits"), options),
      return: (id, note, options) => post(path("deposits", id, "return"), { note }, options),
    },
    ledger: {
      accounts: (options) => get(path("ledger", "accounts"), options),
      entries: (account, options) => get(path("ledger", "accounts", account, "entries"), options),
      trialBalance: () => get(path("ledger", "trialBalance")),
      adjust: (adjustment, options) => post(path("ledger", "adjustments"), adjustment, options),
    },
    payouts: (options) => get(path("payouts"), options),
    payoutBatches: (options) => get(path("payoutBatches"), options),
    bankFiles: {
      list: (options) => get(path("bankFiles"), options),
      get: (id) => get(path("bankFiles", id)),
      content: (id) => get(path("bankFiles", id, "content")),
      approve: (id, options) => post(path("bankFiles", id, "approve"), {}, options),
      withdraw: (id, note, options) => post(path("bankFiles", id, "withdraw"), { note }, options),
      import: (name, text, options) => post(path("bankFiles"), { name, text }, options),
    },
    killSwitches: {
      list: () => get(path("killSwitches")),
      set: (name, reason, options) => post(path("killSwitches"), { name, reason }, options),
      clear: (name) => transport.delete(path("killSwitches", name)),
    },
    invariants: () => get(path("invariants")),
    reconciliations: {
      list: (options) => get(path("reconciliations"), options),
      get: (id) => get(path("reconciliations", id)),
      run: (subject, options) =>
        post(path("reconciliations"), subject === undefined ? {} : { subject }, options),
    },
    verifications: {
      list: (options) => get(path("verifications"), options),
      approve: (userId, reason, { kind, ...options } = {}) =>
        post(path("verifications", userId, "approve"), { reason, ...(kind && { kind }) }, options),
      reject: (userId, reason, { kind, ...options } = {}) =>
        post(path("verifications", userId, "reject"), { reason, ...(kind && { kind }) }, options),
    },
    accounts: {
      list: (options) => get(path("accounts"), options),
      get: (userId) => get(path("accounts", userId)),
    },
    audit: {
      list: (options) => get(path("audit"), options),
      verify: () => get(path("audit", "verify")),
    },
  };
}
