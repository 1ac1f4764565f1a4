/** The shapes of the fiat ramp. Times are UTC with milliseconds and no zone: `2026-11-14T23:51:07.042`. */

export type RampType = "ON_RAMP" | "OFF_RAMP";
export type SettlementMethod = "ACH" | "WIRE";

/** One side of a transaction. A bank's side has no blockchain and no wallet, a wallet's side no bank account. */
export type RampOrder = {
  /** `ord-` and digits. */
  id: string;
  bankAccountId: string | null;
  blockchain: string | null;
  currency: string;
  /** A decimal; null before there is a price. */
  quantity: string | null;
  walletId: string | null;
  createdAt: string;
  updatedAt: string;
};

/** What the answer to a create also says: where the crypto arrives, or where it is to be sent to. */
export type CreatedOrder = RampOrder & { walletAddress: string };

/** Stopped when `flaggedAt` is set, delivered when `completedAt` is, on its way when neither is. */
export type RampTransaction = {
  /** `txn-` and digits. */
  id: string;
  type: RampType;
  settlementMethod: SettlementMethod;
  /** US dollars for one unit of the crypto currency. */
  priceUsd: string | null;
  feeUsd: string;
  createdAt: string;
  flaggedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
  userId: string;
  sourceOrder: RampOrder;
  destinationOrder: RampOrder;
};

export type CreatedTransaction = Omit<RampTransaction, "destinationOrder"> & {
  destinationOrder: CreatedOrder;
};

/** An order of the older shape: price and fee stand in it. */
export type SellBuyOrder = RampOrder & { feeUsd: string | null; priceUsd: string | null };

/** The older shape: sell is the source, buy the destination. */
export type SellBuyTransaction = {
  id: string;
  type: RampType;
  createdAt: string;
  flaggedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
  sellOrder: SellBuyOrder;
  buyOrder: SellBuyOrder;
};

export type CreatedSellBuyTransaction = Omit<SellBuyTransaction, "buyOrder"> & {
  buyOrder: SellBuyOrder & { walletAddress: string };
};

export type NewOrder = {
  walletId?: string;
  blockchain?: string;
  currency?: string;
  quantity?: string;
  bankAccountId?: string;
};

export type NewTransaction = {
  settlementMethod: SettlementMethod;
  sourceOrder: NewOrder;
  destinationOrder: NewOrder;
  /** Of a quote that is to be kept. */
  quoteId?: string;
  userId?: string;
};

export type NewSellBuyTransaction = {
  transaction: { sellOrder: NewOrder; buyOrder: NewOrder; settlementMethod?: SettlementMethod };
  userId?: string;
};

/** Which transactions. Without anything all of them, newest first. */
export type TransactionListOptions = {
  userId?: string;
  limit?: number;
  skip?: number;
  /** The transactions older than this id, as `CB-After` of the page before says. */
  after?: string;
  /** The transactions newer than this id and closest to it, as `CB-Before` of a page says. */
  before?: string;
  type?: RampType;
  settlementMethod?: SettlementMethod;
  state?: string;
  walletId?: string;
  bankAccountId?: string;
  /** Created from when to when, in Unix milliseconds. */
  from?: number;
  to?: number;
};

export type Wallet = {
  /** `wal-` and digits. */
  id: string;
  userId: string;
  address: string;
  blockchain: string;
  createdAt: string;
  updatedAt: string;
};

export type NewWallet = { address: string; blockchain: string; userId?: string };

export type BankAddress = {
  city: string;
  /** In words: `UNITED_STATES`. */
  country: string;
  line1: string;
  line2: string | null;
  province: string;
  createdAt: string;
  updatedAt: string;
};

export type BillingDetails = BankAddress & { fullName: string; phone: string; postalCode: string };

export type BankAccount = {
  /** `bac-` and digits. */
  id: string;
  routingNumber: string;
  accountNumber: string;
  bankName: string;
  createdAt: string;
  updatedAt: string;
  userId: string;
  fiatCurrency: string;
  bankAddress: BankAddress;
  billingDetails: BillingDetails;
};

export type NewBankAccount = {
  routingNumber: string;
  accountNumber: string;
  /** `checking` when left out. */
  accountType?: "checking" | "savings";
  billingDetails: {
    city: string;
    country: string;
    line1: string;
    line2?: string | null;
    province: string;
    fullName: string;
    phone: string;
    postalCode: string;
  };
  userId?: string;
};

export type TokenEntry = {
  base: string;
  logo: string;
  name: string;
  quotes: string[];
  blockchains: string[];
  decimals: number;
  limits: { min: number; max: number | null };
};

export type FiatCurrency = { name: string; base: string; logo: string };

export type Assets = {
  supportedBlockchains: string[];
  fiatCurrencies: Record<string, FiatCurrency>;
  tokens: Record<string, TokenEntry>;
  tokensbyBlockchain: Record<string, TokenEntry[]>;
  defaultTokens: Record<string, TokenEntry>;
};

export type NewQuote = {
  type: RampType;
  settlementMethod?: SettlementMethod;
  currency: string;
  blockchain: string;
  /** Of the source or of the destination, not of both. */
  sourceQuantity?: string;
  destinationQuantity?: string;
  userId?: string;
};

export type Quote = {
  /** `quo-` and digits. */
  id: string;
  type: RampType;
  settlementMethod: SettlementMethod;
  currency: string;
  blockchain: string;
  sourceQuantity: string;
  destinationQuantity: string;
  priceUsd: string;
  feeUsd: string;
  /** Of a sale: when its money would be sent and would arrive if its crypto were there now. New York's dates. */
  estimatedSendDate: string | null;
  estimatedSettlementDate: { earliest: string; latest: string } | null;
  createdAt: string;
  expiresAt: string;
};

/** Where a transaction stands, why, and what comes next. */
export type TransactionStatus = {
  id: string;
  state: string;
  /** A word for programs, when it left the usual path. */
  reason: string | null;
  /** A sentence for people: what is happening. */
  explanation: string;
  /** What lets it go on, and who has to do it; null when nothing is needed. */
  unblockedBy: string | null;
  /** When the next thing happens by itself if nobody does anything. */
  deadline: string | null;
  priceLockedUntil: string | null;
  /** Dates in New York, `2026-11-16`. */
  estimatedSendDate: string | null;
  estimatedSettlementDate: { earliest: string; latest: string } | null;
  calendarVersion: string | null;
  /** Transaction hash, ACH trace number or wire reference. */
  trace: string | null;
  updatedAt: string;
};

/** How the customer pays in. */
export type TransactionInstructions =
  | {
      id: string;
      method: "WIRE";
      amountUsd: string | null;
      beneficiaryName: string;
      beneficiaryAddress: string;
      bankName: string;
      routingNumber: string;
      accountNumber: string;
      /** Has to stand on the wire. */
      reference: string;
      expiresAt: string;
    }
  | {
      id: string;
      method: "CRYPTO";
      blockchain: string;
      currency: string;
      quantity: string | null;
      address: string;
      priceLockedUntil: string;
      expiresAt: string;
    };

/** Something that happened, as webhooks tell it. Numbers of an account's events have no gaps. */
export type RampEvent = {
  /** `evt-` and digits. */
  id: string;
  sequence: number;
  /** Such as `ramp.transaction.completed`. */
  type: string;
  createdAt: string;
  userId: string;
  data: { object: unknown };
};

export type RampEvents = {
  events: RampEvent[] /** Give it as `after` to go on. */;
  lastSequence: number;
};

/** Money moved between two accounts of the ledger, for one transaction. */
export type LedgerLine = {
  journal: number;
  kind: string;
  account: string;
  asset: string;
  debit: string | null;
  credit: string | null;
  createdAt: string;
};

export type NewWebhook = { url: string; eventTypes?: string[]; description?: string };

export type Webhook = {
  /** `whk-` and digits. */
  id: string;
  url: string;
  /** Empty: all. A type may end in `*`. */
  eventTypes: string[];
  description: string;
  status: "enabled" | "disabled";
  disabledReason: string | null;
  createdAt: string;
  updatedAt: string;
};

/** What creating and rotating answer; the secret is shown only then. */
export type WebhookWithSecret = Webhook & { secret: string };

export type WebhookDelivery = {
  /** `del-` and digits. */
  id: string;
  eventId: string;
  sequence: number;
  eventType: string;
  state: "pending" | "delivered" | "failed";
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** What sending events again came to: go on after `lastSequence`. */
export type WebhookReplay = { replayed: number; lastSequence: number };

/** Whether an account is verified: only then it can have transactions. */
export type AccountVerification = {
  userId: string;
  status: VerificationStatus;
  reason: string | null;
  /** Where the owner shows papers, once; asking for verification again gives another. */
  url: string | null;
};
export type VerificationStatus =
  | "none"
  | "pending"
  | "approved"
  | "rejected"
  | "review"
  | "expired";

/** Whether the books are right. */
export type Invariants = { ok: boolean; checks: { id: string; ok: boolean; detail: string }[] };
