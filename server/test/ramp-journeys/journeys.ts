import type {
  RampEvents,
  RampTransaction,
  TransactionStatus,
  WebhookWithSecret,
} from "@slipway/sdk";
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, vi } from "vitest";
import { assert } from "../../src/lib/errors.ts";
import { asPriceE18, parseDecimal } from "../../src/lib/money.ts";
import { manualClock } from "../manual-clock.ts";
import { newBankAccount, newWallet, purchaseBody, saleBody } from "../payment-methods.ts";
import { type TestApp, useApp } from "../test-app.ts";
import { type Received, useReceiver } from "../webhook-receiver.ts";
import {
  instructionKeys,
  orderKeys,
  sellBuyKeys,
  sellBuyOrderKeys,
  statusKeys,
  transactionKeys,
} from "./keys.ts";

/** What `flaggedAt` and `completedAt` say together to somebody who reads nothing else. */
const meanings = {
  "on its way": [false, false],
  stopped: [true, false],
  delivered: [false, true],
  "delivered, then a problem": [true, true],
} as const;
type Meaning = keyof typeof meanings;

/** Where a transaction is expected to stand: its state, and its reason if there is one. */
type Stage = `${string} (${string})` | (string & {});

type Fields = Record<string, unknown>;
type Answer = { status: number; text: string; body: Record<string, unknown> };
type Wish = {
  source?: Fields;
  destination?: Fields;
  method?: "ACH" | "WIRE";
  /** What the bank account's number is. */
  accountNumber?: string;
  blockchain?: string;
  userId?: string;
};

export const minuteS = 60;
export const hourS = 3_600;
export const dayS = 86_400;

/** Enough for every blockchain to make a deposit final. */
export const finality = 13 * minuteS;

/** What customers hear of a sale that nothing goes wrong with. */
export const saleEvents = [
  "created",
  "funds_seen",
  "funds_received",
  "priced",
  "payout_submitted",
  "completed",
];

/** The same of a purchase. */
export const purchaseEvents = saleEvents.filter((event) => event !== "funds_seen");

const dayMs = dayS * 1_000;

/** A Wednesday morning in New York. */
const start = Date.UTC(2026, 3, 15, 15);

type Journeys = {
  app: TestApp;
  /** Makes the sandbox's market pay this many times the usual for every token that moves. */
  moveMarket(share: { percent: bigint }): void;
  ask(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Answer>;
  asOperator(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Answer>;
  /** Decides as an operator does: `release`, `refund` and the like. */
  decide(id: string, action: string): Promise<Answer>;
  /** Creates a sale of 100 USDC on Base by ACH, or as wished. */
  sell(wish?: Wish): Promise<string>;
  /** Creates a purchase of USDC on Base for 250.50 dollars, or as wished. */
  buy(wish?: Wish): Promise<string>;
  deposit(transactionId: string, quantity: string, more?: Fields): Promise<void>;
  wire(transactionId: string, amountUsd: string, more?: Fields): Promise<void>;
  pass(seconds: number): Promise<void>;
  /** Goes on to the next noon in New York on a day on which banks work. */
  passToNoon(): Promise<void>;
  /** Looks at a transaction from every side; all must agree, and the books must be sound. */
  expectAt(id: string, stage: Stage, meaning: Meaning): Promise<RampTransaction>;
  /** What a transaction that has ended leaves: nothing in its accounts, and these events at the receiver. */
  expectEnded(id: string, events: readonly string[]): Promise<void>;
  /** The master's lists are made of what is answered for each of their transactions. */
  expectSameInLists(): Promise<void>;
  /** Everything that came to the webhook, once each, is everything there was to tell. */
  expectAllDelivered(): Promise<void>;
};

/** One service and one webhook receiver for many transactions, all over HTTP. */
export function useJourneys(): Journeys {
  let percent = 100n;
  const app = useApp({}, manualClock(start), {
    ramp({ ports }) {
      const { current } = ports?.prices ?? { current: () => undefined };
      const moved: typeof current = (token) => {
        const price = current(token);
        const isStill = !price || price.priceE18 === 10n ** 18n;
        if (isStill) return price;
        return { ...price, priceE18: asPriceE18((price.priceE18 * percent) / 100n) };
      };
      if (ports) Object.assign(ports.prices, { current: moved });
      return {};
    },
  });
  const receiver = useReceiver();
  const owners = new Map<string, string>();
  let webhook: WebhookWithSecret;
  let count = 0;

  beforeAll(async () => {
    webhook = await app.as("master").ramp.webhooks.create({ url: `${receiver.url}/hook` });
  });

  async function askAs(key: string, method: string, path: string, body?: unknown): Promise<Answer> {
    const owner = owners.get(/^\/v2\/ramp\/transactions\/(txn-\d+)/.exec(path)?.[1] ?? "");
    const query =
      owner && key.endsWith("master") ? `${path.includes("?") ? "&" : "?"}userId=${owner}` : "";
    const response = await app.ask(path + query, {
      method,
      headers: { apiKey: key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text === "" ? {} : JSON.parse(text) };
  }
  const ask: Journeys["ask"] = (...request) => askAs("slp_sandbox_master", ...request);
  const asOperator: Journeys["asOperator"] = (...request) =>
    askAs("slp_sandbox_operator", ...request);

  async function control(path: string, body: object): Promise<void> {
    const answer = await ask("POST", `/sandbox/${path}`, body);
    expect([path, answer.status, answer.text]).toEqual([
      path,
      path === "clock" ? 200 : 201,
      expect.any(String),
    ]);
  }

  const pass = (advanceSeconds: number) => control("clock", { advanceSeconds });

  async function methodsFor({
    accountNumber = `8100${++count}1111`,
    blockchain = "base",
    userId,
  }: Wish) {
    const client = app.as("master");
    const owner = userId === undefined ? {} : { userId };
    return {
      wallet: await newWallet(client, blockchain, userId),
      bankAccount: await newBankAccount(client, { accountNumber, ...owner }),
    };
  }

  async function create(body: object, { userId }: Wish): Promise<string> {
    const whole = userId === undefined ? body : { ...body, userId };
    const { status, body: created, text } = await ask("POST", "/v2/ramp/transactions", whole);
    expect([status, text]).toEqual([201, expect.stringContaining("walletAddress")]);
    expectKeys(created, transactionKeys);
    expectKeys(created.sourceOrder, orderKeys);
    expectKeys(created.destinationOrder, [...orderKeys, "walletAddress"]);
    const id = String(created.id);
    if (userId !== undefined) owners.set(id, userId);
    return id;
  }

  async function get<Body = Record<string, unknown>>(path: string): Promise<Body> {
    const { status, body, text } = await ask("GET", path);
    expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
    return body as Body;
  }

  async function expectSoundBooks(): Promise<void> {
    const { body } = await asOperator("GET", "/operator/invariants");
    const checks = body.checks as { ok: boolean; detail: string }[];
    expect(checks.filter(({ ok, detail }) => !ok || detail.includes("not compared"))).toEqual([]);
    expect(checks).toHaveLength(12);
  }

  const receivedOf = (id: string) =>
    receiver.received.filter(({ body }) => objectOf(body).id === id);

  /** The newest event about it holds the very bytes of the answer, if it is about this version. */
  async function expectSameBytes(text: string, { id, updatedAt }: RampTransaction): Promise<void> {
    const list = await ask("GET", `/v2/ramp/transactions/${id}/events`);
    const { events } = list.body as RampEvents;
    const newest = events.at(-1)?.data.object as RampTransaction;
    if (newest.updatedAt === updatedAt) {
      expect(list.text).toContain(`"data":{"object":${text}}}],"lastSequence":`);
    }
  }

  async function look(id: string) {
    const path = `/v2/ramp/transactions/${id}`;
    const { text, body } = await ask("GET", path);
    const transaction = body as RampTransaction;
    expectKeys(transaction, transactionKeys);
    expectKeys(transaction.sourceOrder, orderKeys);
    expectKeys(transaction.destinationOrder, orderKeys);
    await expectSameBytes(text, transaction);
    expectSameInOlderShape(transaction, await get(`${path}?shape=sellBuy`));
    const status = await get<TransactionStatus>(`${path}/status`);
    expectKeys(status, statusKeys);
    const instructions = await get<{ method: "WIRE" | "CRYPTO" }>(`${path}/instructions`);
    expectKeys(instructions, instructionKeys[instructions.method]);
    expect(await get(`${path}?expand=status,instructions`)).toEqual({
      ...transaction,
      status,
      instructions,
    });
    return { transaction, status };
  }

  return {
    app,
    moveMarket(share) {
      percent = share.percent;
    },
    ask,
    asOperator,
    decide: (id, action) =>
      asOperator("POST", `/operator/transactions/${id}/${action}`, { note: "looked at" }),
    async sell(wish = {}) {
      const { source, destination, method = "ACH", blockchain = "base" } = wish;
      const methods = await methodsFor(wish);
      return create(saleBody(methods, { blockchain, ...source }, destination, method), wish);
    },
    async buy(wish = {}) {
      const { source, destination, blockchain = "base" } = wish;
      const methods = await methodsFor(wish);
      return create(purchaseBody(methods, source, { blockchain, ...destination }), wish);
    },
    deposit: (transactionId, quantity, more = {}) =>
      control("deposits", { transactionId, quantity, ...more }),
    wire: (transactionId, amountUsd, more = {}) =>
      control("wires", { transactionId, amountUsd, ...more }),
    pass,
    async passToNoon() {
      const { now } = await get<{ now: string }>("/sandbox/clock");
      const at = Date.parse(`${now}Z`);
      // Noon in summer is 16:00 of UTC.
      let noon = at - (at % dayMs) + 16 * hourS * 1_000;
      while (noon <= at || [0, 6].includes(new Date(noon).getUTCDay())) noon += dayMs;
      await pass((noon - at) / 1_000);
    },
    async expectAt(id, stage, meaning) {
      const { transaction, status } = await look(id);
      const { state, reason } = status;
      const { flaggedAt, completedAt } = transaction;
      expect(reason === null ? state : `${state} (${reason})`).toBe(stage);
      expect([flaggedAt !== null, completedAt !== null]).toEqual(meanings[meaning]);
      await expectSoundBooks();
      return transaction;
    },
    async expectEnded(id, events) {
      const received = receivedOf(id);
      for (const one of received) verify(webhook, one);
      const list = await ask("GET", `/v2/ramp/events?transactionId=${id}&limit=1000`);
      const bodies = received.map(({ body }) => body).join(",");
      expect(list.text).toContain(`{"events":[${bodies}],`);
      expect(received.map(({ body }) => shortTypeOf(body))).toEqual(events);
      const { text } = await ask("GET", `/v2/ramp/transactions/${id}`);
      expect(received.at(-1)?.body).toContain(`"data":{"object":${text}}}`);
      expectSettled(id, await get(`/v2/ramp/transactions/${id}/ledger`));
    },
    async expectSameInLists() {
      const path = "/v2/ramp/transactions";
      const list = await get<RampTransaction[]>(path);
      expect(list.length).toBeGreaterThan(5);
      for (const query of ["", "?shape=sellBuy"]) {
        const each = await Promise.all(list.map(({ id }) => ask("GET", `${path}/${id}${query}`)));
        const { text } = await ask("GET", path + query);
        expect(text).toBe(`[${each.map((one) => one.text).join(",")}]`);
      }
    },
    async expectAllDelivered() {
      const { text } = await ask("GET", "/v2/ramp/events?limit=1000");
      const bySequence = [...receiver.received].sort(
        (one, other) => JSON.parse(one.body).sequence - JSON.parse(other.body).sequence,
      );
      const bodies = bySequence.map(({ body }) => body).join(",");
      expect(text).toBe(`{"events":[${bodies}],"lastSequence":${bySequence.length}}`);
      for (const one of receiver.received) verify(webhook, one);
    },
  };
}

/** Fails unless the library that receivers use accepts it, at the time at which it was sent. */
function verify({ secret }: WebhookWithSecret, { body, headers }: Received): void {
  vi.setSystemTime(start);
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

function expectKeys(object: unknown, keys: readonly string[]): void {
  expect(Object.keys(object as object).sort()).toEqual([...keys].sort());
}

function expectSameInOlderShape(transaction: RampTransaction, older: Fields): void {
  expectKeys(older, sellBuyKeys);
  const { sourceOrder, destinationOrder, priceUsd, feeUsd } = transaction;
  for (const [order, olderOrder] of [
    [sourceOrder, older.sellOrder],
    [destinationOrder, older.buyOrder],
  ] as const) {
    expectKeys(olderOrder, sellBuyOrderKeys);
    const isCrypto = order.walletId !== null;
    const more = isCrypto ? { priceUsd, feeUsd: null } : { priceUsd: null, feeUsd };
    expect(olderOrder).toEqual({ ...order, ...more });
  }
}

/** All that was booked sums up to zero, journal by journal and in the transaction's own accounts. */
function expectSettled(id: string, lines: Fields): void {
  const sums = new Map<string, bigint>();
  const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);
  for (const { journal, account, asset, debit, credit } of lines as unknown as Fields[]) {
    const amount = exactly(credit) - exactly(debit);
    add(`journal ${journal} in ${asset}`, amount);
    if (String(account).startsWith(`transaction:${id}:`)) add(String(account), amount);
  }
  expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
}

function exactly(quantity: unknown): bigint {
  const amount = quantity === null ? 0n : parseDecimal(String(quantity), 18);
  assert(amount !== undefined, `${quantity} is a quantity`);
  return amount;
}

const objectOf = (body: string): { id?: string; updatedAt?: string } =>
  JSON.parse(body).data.object;

const shortTypeOf = (body: string): string =>
  JSON.parse(body).type.replace("ramp.transaction.", "");
