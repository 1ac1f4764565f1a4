import type {
  AccountVerification,
  Assets,
  BankAccount,
  CreatedSellBuyTransaction,
  CreatedTransaction,
  LedgerLine,
  NewBankAccount,
  NewQuote,
  NewSellBuyTransaction,
  NewTransaction,
  NewWallet,
  NewWebhook,
  Quote,
  RampEvents,
  RampTransaction,
  SellBuyTransaction,
  TransactionInstructions,
  TransactionListOptions,
  TransactionStatus,
  Wallet,
  Webhook,
  WebhookDelivery,
  WebhookReplay,
  WebhookWithSecret,
} from "./ramp-shapes.ts";
import type { CreatedSubaccount, NewSubaccount, Subaccount } from "./shapes.ts";
import { type PostOptions, pathOf, type Query, type Transport } from "./transport.ts";

/** For whom: a subaccount of the account that owns the key. Left out it is that account itself. */
export type ForUser = { userId?: string };

/** What may be asked for beside a transaction. */
export type ExpandedTransaction = RampTransaction & {
  status?: TransactionStatus;
  instructions?: TransactionInstructions;
};

export type MethodListOptions = ForUser & { limit?: number; skip?: number };

export type EventPageOptions = {
  /** The number of the last event that you have. */
  after?: number;
  limit?: number;
};

/** `type` may end in `*`. */
export type EventOptions = ForUser & EventPageOptions & { type?: string; transactionId?: string };

export type DeliveryOptions = {
  limit?: number;
  state?: WebhookDelivery["state"];
  /** As `CB-After` of the page before says. */
  after?: number;
};

type Transactions = {
  create(transaction: NewTransaction, options?: PostOptions): Promise<CreatedTransaction>;
  /** The same in the older shape. */
  createSellBuy(
    transaction: NewSellBuyTransaction,
    options?: PostOptions,
  ): Promise<CreatedSellBuyTransaction>;
  /** All of them unless told otherwise, newest first. */
  list(options?: TransactionListOptions): Promise<RampTransaction[]>;
  listSellBuy(options?: TransactionListOptions): Promise<SellBuyTransaction[]>;
  /** Page after page of older ones, `limit` on each. */
  pages(options?: TransactionListOptions): AsyncGenerator<RampTransaction[], void>;
  /** `expand` is `status`, `instructions`, or both with a comma. */
  get(id: string, options?: ForUser & { expand?: string }): Promise<ExpandedTransaction>;
  getSellBuy(id: string, options?: ForUser): Promise<SellBuyTransaction>;
  status(id: string, options?: ForUser): Promise<TransactionStatus>;
  instructions(id: string, options?: ForUser): Promise<TransactionInstructions>;
  events(id: string, options?: ForUser & EventPageOptions): Promise<RampEvents>;
  ledger(id: string, options?: ForUser): Promise<LedgerLine[]>;
  cancel(id: string, options?: ForUser & PostOptions): Promise<RampTransaction>;
  /** Goes on although the price has moved. */
  accept(id: string, options?: ForUser & PostOptions): Promise<RampTransaction>;
  /** Another account for money that came back. */
  replaceBankAccount(
    id: string,
    bankAccountId: string,
    options?: ForUser & PostOptions,
  ): Promise<RampTransaction>;
};

type Methods<Method, New> = {
  create(method: New, options?: PostOptions): Promise<Method>;
  list(options?: MethodListOptions): Promise<Method[]>;
  get(id: string, options?: ForUser): Promise<Method>;
  delete(id: string, options?: ForUser): Promise<void>;
};

type Webhooks = {
  create(webhook: NewWebhook, options?: PostOptions): Promise<WebhookWithSecret>;
  list(): Promise<Webhook[]>;
  get(id: string): Promise<Webhook>;
  delete(id: string): Promise<void>;
  /** A new secret; the old one goes on signing for a day. */
  rotate(id: string, options?: PostOptions): Promise<WebhookWithSecret>;
  test(id: string, options?: PostOptions): Promise<WebhookDelivery>;
  enable(id: string, options?: PostOptions): Promise<Webhook>;
  deliveries(id: string, options?: DeliveryOptions): Promise<WebhookDelivery[]>;
  replayDelivery(id: string, deliveryId: string, options?: PostOptions): Promise<WebhookDelivery>;
  /** Sends the events again that came after the one with this number. */
  replay(id: string, after: number, options?: PostOptions): Promise<WebhookReplay>;
};

/** The fiat ramp. */
export type RampClient = {
  transactions: Transactions;
  wallets: Methods<Wallet, NewWallet>;
  bankAccounts: Methods<BankAccount, NewBankAccount>;
  subaccounts: {
    create(subaccount: NewSubaccount, options?: PostOptions): Promise<CreatedSubaccount>;
    list(): Promise<Subaccount[]>;
    get(id: string): Promise<Subaccount>;
  };
  assets(): Promise<Assets>;
  blockchains(): Promise<string[]>;
  quotes: { create(quote: NewQuote, options?: PostOptions): Promise<Quote> };
  events(options?: EventOptions): Promise<RampEvents>;
  webhooks: Webhooks;
  verification: {
    get(options?: ForUser): Promise<AccountVerification>;
    start(options?: ForUser & PostOptions): Promise<AccountVerification>;
  };
};

/** Makes the client's side of the ramp. */
export function rampClient(transport: Transport): RampClient {
  const { get, post } = transport;
  const ramp = (...parts: string[]) => pathOf("v2", "ramp", ...parts);
  return {
    transactions: transactionsClient(transport),
    wallets: methodsClient(transport, "wallets"),
    bankAccounts: methodsClient(transport, "bankAccounts"),
    subaccounts: {
      create: (subaccount, options) => post(ramp("subaccounts"), subaccount, options),
      list: () => get(ramp("subaccounts")),
      get: (id) => get(ramp("subaccounts", id)),
    },
    assets: () => get(ramp("crypto")),
    blockchains: () => get(ramp("blockchains")),
    quotes: { create: (quote, options) => post(ramp("quotes"), quote, options) },
    events: (options) => get(ramp("events"), options),
    webhooks: webhooksClient(transport),
    verification: {
      get: (options) => get(ramp("verification"), options),
      start: (options) => post(ramp("verification"), forUser(options), options),
    },
  };
}

function transactionsClient({ get, post, pages }: Transport): Transactions {
  const path = (...parts: string[]) => pathOf("v2", "ramp", "transactions", ...parts);
  const sellBuy = (options?: Query) => ({ ...options, shape: "sellBuy" });
  return {
    create: (transaction, options) => post(path(), transaction, options),
    createSellBuy: (transaction, options) => post(path(), transaction, options),
    list: (options) => get(path(), options),
    listSellBuy: (options) => get(path(), sellBuy(options)),
    pages: (options) => pages(path(), { limit: 100, ...options }),
    get: (id, options) => get(path(id), options),
    getSellBuy: (id, options) => get(path(id), sellBuy(options)),
    status: (id, options) => get(path(id, "status"), options),
    instructions: (id, options) => get(path(id, "instructions"), options),
    events: (id, options) => get(path(id, "events"), options),
    ledger: (id, options) => get(path(id, "ledger"), options),
    cancel: (id, options) => post(path(id, "cancel"), forUser(options), options),
    accept: (id, options) => post(path(id, "accept"), forUser(options), options),
    replaceBankAccount: (id, bankAccountId, options) =>
      post(path(id, "bankAccount"), { bankAccountId, ...forUser(options) }, options),
  };
}

function methodsClient<Method, New>(
  transport: Transport,
  kind: "wallets" | "bankAccounts",
): Methods<Method, New> {
  const path = (...parts: string[]) => pathOf("v2", "ramp", "paymentMethods", kind, ...parts);
  return {
    create: (method, options) => transport.post(path(), method, options),
    list: (options) => transport.get(path(), options),
    get: (id, options) => transport.get(path(id), options),
    delete: (id, options) => transport.delete(path(id), options),
  };
}

function webhooksClient(transport: Transport): Webhooks {
  const { get, post } = transport;
  const path = (...parts: string[]) => pathOf("v2", "ramp", "webhooks", ...parts);
  return {
    create: (webhook, options) => post(path(), webhook, options),
    list: () => get(path()),
    get: (id) => get(path(id)),
    delete: (id) => transport.delete(path(id)),
    rotate: (id, options) => post(path(id, "rotate"), {}, options),
    test: (id, options) => post(path(id, "test"), {}, options),
    enable: (id, options) => post(path(id, "enable"), {}, options),
    deliveries: (id, options) => get(path(id, "deliveries"), options),
    replayDelivery: (id, deliveryId, options) =>
      post(path(id, "deliveries", deliveryId, "replay"), {}, options),
    replay: (id, after, options) => post(path(id, "replay"), { after }, options),
  };
}

function forUser({ userId }: ForUser = {}): ForUser {
  return userId === undefined ? {} : { userId };
}
