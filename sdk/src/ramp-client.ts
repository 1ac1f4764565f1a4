import { byCursor, bySequence, bySkip, itself, type Listing, listing } from "./listing.ts";
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
  RampEvent,
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
import {
  type CallOptions,
  type Given,
  type PostOptions,
  pathOf,
  type Transport,
} from "./transport.ts";

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
  /** Newest first. One answer has all of them, unless `limit` says how many. */
  list(options?: TransactionListOptions & CallOptions): Listing<RampTransaction[], RampTransaction>;
  listSellBuy(
    options?: TransactionListOptions & CallOptions,
  ): Listing<SellBuyTransaction[], SellBuyTransaction>;
  /** `expand` is `status`, `instructions`, or both with a comma. */
  get(
    id: string,
    options?: ForUser & { expand?: string } & CallOptions,
  ): Promise<ExpandedTransaction>;
  getSellBuy(id: string, options?: ForUser & CallOptions): Promise<SellBuyTransaction>;
  status(id: string, options?: ForUser & CallOptions): Promise<TransactionStatus>;
  instructions(id: string, options?: ForUser & CallOptions): Promise<TransactionInstructions>;
  events(
    id: string,
    options?: ForUser & EventPageOptions & CallOptions,
  ): Listing<RampEvents, RampEvent>;
  ledger(id: string, options?: ForUser & CallOptions): Promise<LedgerLine[]>;
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

type Methods<Method extends { id: string }, New> = {
  create(method: New, options?: PostOptions): Promise<Method>;
  /** One answer has all of them, unless `limit` says how many. */
  list(options?: MethodListOptions & CallOptions): Listing<Method[], Method>;
  get(id: string, options?: ForUser & CallOptions): Promise<Method>;
  delete(id: string, options?: ForUser & CallOptions): Promise<void>;
};

type Webhooks = {
  create(webhook: NewWebhook, options?: PostOptions): Promise<WebhookWithSecret>;
  list(options?: CallOptions): Promise<Webhook[]>;
  get(id: string, options?: CallOptions): Promise<Webhook>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** A new secret; the old one goes on signing for a day. */
  rotate(id: string, options?: PostOptions): Promise<WebhookWithSecret>;
  test(id: string, options?: PostOptions): Promise<WebhookDelivery>;
  enable(id: string, options?: PostOptions): Promise<Webhook>;
  /** Newest first. */
  deliveries(
    id: string,
    options?: DeliveryOptions & CallOptions,
  ): Listing<WebhookDelivery[], WebhookDelivery>;
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
    list(options?: CallOptions): Promise<Subaccount[]>;
    get(id: string, options?: CallOptions): Promise<Subaccount>;
  };
  assets(options?: CallOptions): Promise<Assets>;
  blockchains(options?: CallOptions): Promise<string[]>;
  quotes: { create(quote: NewQuote, options?: PostOptions): Promise<Quote> };
  /** Oldest first. Walking through them ends with the newest. */
  events(options?: EventOptions & CallOptions): Listing<RampEvents, RampEvent>;
  webhooks: Webhooks;
  verification: {
    get(options?: ForUser & CallOptions): Promise<AccountVerification>;
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
      list: (options) => get(ramp("subaccounts"), options),
      get: (id, options) => get(ramp("subaccounts", id), options),
    },
    assets: (options) => get(ramp("crypto"), options),
    blockchains: (options) => get(ramp("blockchains"), options),
    quotes: { create: (quote, options) => post(ramp("quotes"), quote, options) },
    events: (options) => listing(transport, ramp("events"), options, bySequence(eventsOf)),
    webhooks: webhooksClient(transport),
    verification: {
      get: (options) => get(ramp("verification"), options),
      start: (options) => post(ramp("verification"), forUser(options), options),
    },
  };
}

function transactionsClient(transport: Transport): Transactions {
  const { get, post } = transport;
  const path = (...parts: string[]) => pathOf("v2", "ramp", "transactions", ...parts);
  const sellBuy = (options?: Given) => ({ ...options, shape: "sellBuy" });
  return {
    create: (transaction, options) => post(path(), transaction, options),
    createSellBuy: (transaction, options) => post(path(), transaction, options),
    list: (options) => listing(transport, path(), options, byCursor(itself)),
    listSellBuy: (options) => listing(transport, path(), sellBuy(options), byCursor(itself)),
    get: (id, options) => get(path(id), options),
    getSellBuy: (id, options) => get(path(id), sellBuy(options)),
    status: (id, options) => get(path(id, "status"), options),
    instructions: (id, options) => get(path(id, "instructions"), options),
    events: (id, options) => listing(transport, path(id, "events"), options, bySequence(eventsOf)),
    ledger: (id, options) => get(path(id, "ledger"), options),
    cancel: (id, options) => post(path(id, "cancel"), forUser(options), options),
    accept: (id, options) => post(path(id, "accept"), forUser(options), options),
    replaceBankAccount: (id, bankAccountId, options) =>
      post(path(id, "bankAccount"), { bankAccountId, ...forUser(options) }, options),
  };
}

function methodsClient<Method extends { id: string }, New>(
  transport: Transport,
  kind: "wallets" | "bankAccounts",
): Methods<Method, New> {
  const path = (...parts: string[]) => pathOf("v2", "ramp", "paymentMethods", kind, ...parts);
  return {
    create: (method, options) => transport.post(path(), method, options),
    list: (options) =>
      listing(
        transport,
        path(),
        options,
        bySkip(itself, ({ id }) => id),
      ),
    get: (id, options) => transport.get(path(id), options),
    delete: (id, options) => transport.delete(path(id), options),
  };
}

function webhooksClient(transport: Transport): Webhooks {
  const { get, post } = transport;
  const path = (...parts: string[]) => pathOf("v2", "ramp", "webhooks", ...parts);
  return {
    create: (webhook, options) => post(path(), webhook, options),
    list: (options) => get(path(), options),
    get: (id, options) => get(path(id), options),
    delete: (id, options) => transport.delete(path(id), options),
    rotate: (id, options) => post(path(id, "rotate"), {}, options),
    test: (id, options) => post(path(id, "test"), {}, options),
    enable: (id, options) => post(path(id, "enable"), {}, options),
    deliveries: (id, options) =>
      listing(transport, path(id, "deliveries"), options, byCursor(itself)),
    replayDelivery: (id, deliveryId, options) =>
      post(path(id, "deliveries", deliveryId, "replay"), {}, options),
    replay: (id, after, options) => post(path(id, "replay"), { after }, options),
  };
}

function eventsOf({ events }: RampEvents): RampEvent[] {
  return events;
}

function forUser({ userId }: ForUser = {}): ForUser {
  return userId === undefined ? {} : { userId };
}
