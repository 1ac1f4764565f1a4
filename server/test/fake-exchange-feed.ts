import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { CexExchange } from "@slipway/sdk";
import { answerQuestions, type Inquiry } from "../src/bus/ask.ts";
import type { Bus } from "../src/bus/bus.ts";
import { openThreadBus } from "../src/bus/thread-bus.ts";
import type { Book, ListedMarket, Trade } from "../src/cex/market.ts";
import {
  type BookMessage,
  bookInquiry,
  bookMessages,
  candlesInquiry,
  exchangeStatuses,
  exchangesInquiry,
  historyInquiry,
  type MarketStatus,
  marketsInquiry,
  priceInquiry,
  type Reply,
  type Source,
  statusInquiry,
  tradeMessages,
  wantedMarkets,
} from "../src/cex/messages.ts";
import { flatLevels, OrderBook } from "../src/cex/order-book.ts";
import { timeframes } from "../src/cex/timeframes.ts";
import type { Clock } from "../src/lib/clock.ts";

/** A market as the exchange has it. */
type FakeMarket = {
  listed: ListedMarket;
  book: OrderBook;
  nonce: number;
  status: MarketStatus | undefined;
};

/** What was asked: the name of the question and its market. */
export type AskedQuestion = { name: string; market?: string | undefined };

export function fakeMarket(id: string, changes: Partial<ListedMarket> = {}): ListedMarket {
  const [base = "", quote = ""] = id.split("-");
  const symbol = `${base}/${quote}`;
  const names = { exchange: "kraken", symbol, id, base, quote, nativeId: `X${base}Z${quote}` };
  const fees = { percentage: true, taker: 0.0026, maker: 0.0016 };
  const decimals = { priceDecimals: 1, sizeDecimals: 8 };
  return { ...names, ...fees, ...decimals, active: true, type: "spot", ...changes };
}

export const fakeKraken: CexExchange = {
  name: "Kraken",
  id: "kraken",
  countries: ["US"],
  hasTrades: true,
  hasAggregates: true,
  aggregateTimeframes: Object.fromEntries(timeframes),
  url: "https://www.kraken.com",
  fees: "https://www.kraken.com/en-us/features/fee-schedule",
  docs: "https://docs.kraken.com/rest/",
  logo: "https://example.org/kraken.jpg",
};

/** Plays one exchange and whoever feeds it, on a bus of its own: what a test tells it to do, and nothing else. */
export class FakeExchangeFeed {
  readonly bus: Bus = openThreadBus(randomBytes(6).toString("hex"));
  readonly asked: AskedQuestion[] = [];
  readonly wanted: { exchange: string; markets: string[] }[] = [];
  /** Nobody is there. */
  isSilent = false;
  /** Why nothing can be told just now. */
  refusal: string | undefined;
  /** Messages about books get lost. */
  losesBooks = false;
  status = "ok";
  price = { price: 99.5, time: 0 };
  listing: ListedMarket[];
  readonly #clock: Clock;
  readonly #markets: Map<string, FakeMarket>;

  constructor(clock: Clock, ...ids: string[]) {
    this.#clock = clock;
    this.listing = ids.map((id) => fakeMarket(id));
    this.#markets = new Map(
      this.listing.map((listed) => [
        listed.id,
        { listed, book: new OrderBook(), nonce: 1_000, status: undefined },
      ]),
    );
    this.bus.subscribe(wantedMarkets, (wanted) => this.wanted.push(wanted));
    this.#answer("exchanges", exchangesInquiry, () => this.#found([fakeKraken], "store"));
    this.#answer("status", statusInquiry, () =>
      this.#found({ status: this.status, updated: clock.now() }),
    );
    this.#answer("markets", marketsInquiry, () => this.#found(this.listing));
    this.#answer("book", bookInquiry, ({ market }) => this.#tellBook(market));
    this.#answer("price", priceInquiry, () => this.#found(this.price));
    this.#answer("history", historyInquiry, () => this.#found(null, "store"));
    this.#answer("candles", candlesInquiry, () => this.#found(null, "store"));
  }

  /** How often something was asked, of one market or of all. A question without an answer is asked again. */
  count(name: string, market?: string): number {
    return this.asked.filter(
      (asked) => asked.name === name && (market === undefined || asked.market === market),
    ).length;
  }

  /** Resolves when everything that was said has been heard. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  }

  /** The book as the exchange has it. */
  book(id: string): Book {
    const { book, nonce } = this.#market(id);
    return { nonce, bids: flatLevels(book.bids), asks: flatLevels(book.asks) };
  }

  /** Sets the book without telling anybody. */
  setBook(id: string, bids: number[], asks: number[]): void {
    const market = this.#market(id);
    market.book.reset(bids, asks);
    market.nonce++;
  }

  /** Makes a market live: its book is told, and its status from now on. */
  async goLive(id: string, changes: Partial<MarketStatus> = {}): Promise<void> {
    const market = this.#market(id);
    market.status = {
      market: id,
      state: "live",
      confirmedAt: this.#clock.now(),
      lastTrade: null,
      tradesSince: null,
      faults: { checksum: 0, sequence: 0, crossed: 0, silent: 0, closed: 0 },
      resyncs: 0,
      snapshots: 0,
      gaps: 0,
      ...changes,
    };
    this.#publish({ market: id, kind: "whole", ...this.book(id) });
    await this.tellStatus();
  }

  /** Nobody watches the market any more. */
  async leave(id: string): Promise<void> {
    this.#market(id).status = undefined;
    await this.tellStatus();
  }

  /** Changes a live book and tells of it. */
  change(id: string, bids: number[], asks: number[]): void {
    const market = this.#market(id);
    const after = market.nonce;
    market.book.apply(bids, asks);
    market.nonce++;
    this.#publish({ market: id, kind: "change", after, nonce: market.nonce, bids, asks });
  }

  lose(id: string, reason: string): void {
    const { status } = this.#market(id);
    if (status) status.state = "syncing";
    this.#publish({ market: id, kind: "lost", reason });
  }

  trade(id: string, ...trades: Trade[]): void {
    this.bus.publish(tradeMessages("kraken"), [{ market: id, trades }]);
  }

  /** Tells how it is doing; every live market was heard just now unless told otherwise. */
  async tellStatus({ isHeard = true, clockIsAheadMs = 0 } = {}): Promise<void> {
    const now = this.#clock.now();
    const ahead = (time: number) => time + clockIsAheadMs;
    const markets = [...this.#markets.values()].flatMap(({ status }) => status ?? []);
    if (isHeard) for (const each of markets) each.confirmedAt = now;
    this.bus.publish(exchangeStatuses, {
      exchange: "kraken",
      at: ahead(now),
      status: { status: this.status, updated: now },
      markets: markets.map((each) => ({ ...each, confirmedAt: ahead(each.confirmedAt) })),
    });
    await this.settle();
  }

  #market(id: string): FakeMarket {
    const market = this.#markets.get(id);
    if (!market) throw new Error(`The fake exchange has no market ${id}.`);
    return market;
  }

  #publish(message: BookMessage): void {
    if (!this.losesBooks) this.bus.publish(bookMessages("kraken"), [message]);
  }

  /** Who asks for a live book gets it again on the stream as well. */
  #tellBook(id: string): Reply<Book> {
    const isLive = this.#market(id).status?.state === "live";
    if (isLive) this.#publish({ market: id, kind: "whole", ...this.book(id) });
    return this.#found(this.book(id), isLive ? "websocket" : "rest");
  }

  #found<Value>(value: Value, source: Source = "rest"): Reply<Value> {
    return { kind: "found", value, at: this.#clock.now(), source };
  }

  #answer<Question, Value>(
    name: string,
    inquiry: Inquiry<Question, Reply<Value>>,
    reply: (question: Question) => Reply<Value>,
  ): void {
    answerQuestions(inquiry, this.bus, (question) => {
      const market = (question as { market?: string } | null)?.market;
      this.asked.push({ name, market });
      if (this.isSilent) return undefined;
      const { refusal } = this;
      if (refusal === undefined) return Promise.resolve(reply(question));
      return Promise.resolve({ kind: "unavailable", message: refusal, retryAfterSeconds: 7 });
    });
  }
}
