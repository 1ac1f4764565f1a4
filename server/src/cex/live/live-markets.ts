import type { CexExchange, CexHealth, CexStatus } from "@slipway/sdk";
import type { Queryable } from "../../database/database.ts";
import type { Ready } from "../../http/ready.ts";
import { UnavailableError } from "../../lib/errors.ts";
import type { ConfiguredExchange } from "../configured.ts";
import type { Finding } from "../feeds/replies.ts";
import type { Book, ListedMarket } from "../market.ts";
import {
  bookInquiry,
  candlesInquiry,
  exchangeStatuses,
  exchangesInquiry,
  historyInquiry,
  priceInquiry,
  statusInquiry,
} from "../messages.ts";
import { healthOf } from "./feed-health.ts";
import { openListings } from "./listings.ts";
import type { LiveExchange } from "./live-exchange.ts";
import { type LiveMarket, priceAnswer } from "./live-market.ts";
import { openQuestions, orElse, type QuestionContext, soon } from "./questions.ts";
import { ServedBook } from "./served-book.ts";
import { openServedExchanges } from "./served-exchanges.ts";

/** What is asked about a market's past: whether only the newest will do, and how far back candles must go. */
type HistoryWish = {
  /** Whether an earlier time was named: then what is stored serves, however long ago the exchange was heard. */
  isOfThePast: boolean;
  candles?: { timeframe: string; from: number };
};

/** A market whose history is in the tables; when it was last known to be complete, if that is known. */
type StoredHistory = { market: ListedMarket; at: number | undefined };

/** What the exchanges say now. Names may be in any form that is understood; answers have the right ones. */
export type LiveMarkets = {
  exchanges(): Promise<Finding<CexExchange[]>>;
  exchange(exchange: string): Promise<Finding<CexExchange>>;
  status(exchange: string): Promise<Finding<CexStatus>>;
  markets(exchange: string): Promise<Finding<ListedMarket[]>>;
  market(exchange: string, market: string): Promise<Finding<ListedMarket>>;
  /** At once when the market is live. */
  book(exchange: string, market: string): Finding<ServedBook> | Promise<Finding<ServedBook>>;
  price(exchange: string, market: string): Finding<Ready> | Promise<Finding<Ready>>;
  /** Resolves when what is asked for is in the tables. */
  history(exchange: string, market: string, wish: HistoryWish): Promise<StoredHistory>;
  /** By exchange. */
  health(): Record<string, CexHealth>;
  /** Every exchange that is listened to. */
  heard(): Iterable<LiveExchange>;
  close(): void;
};

export type LiveMarketsOptions = QuestionContext & {
  /** For lists of markets, while nobody else can tell. */
  db: Queryable;
  exchanges: readonly ConfiguredExchange[];
  /** Whether every other exchange that ccxt knows can be asked for too. */
  otherExchanges: boolean;
};

/** How long the last answer about the present serves while there is no other. */
const keptMs = 60_000;
const bookKeeping = { freshMs: 1_000, keptMs };
const priceKeeping = { freshMs: 1_000, keptMs };
const historyKeeping = { freshMs: 1_000, keptMs };
const statusKeeping = { freshMs: 10_000, keptMs };
/** Descriptions come with the software: only another version has others. */
const descriptionKeeping = { freshMs: 3_600_000, keptMs: Number.POSITIVE_INFINITY };

/** Listens to those who feed the exchanges, keeps a copy of every live book, and asks for what it does not hear. */
export function openLiveMarkets(options: LiveMarketsOptions): LiveMarkets {
  const { bus, clock } = options;
  const served = openServedExchanges(options);
  const listings = openListings(options);
  const askExchanges = openQuestions(exchangesInquiry, options, descriptionKeeping);
  const askStatus = openQuestions(statusInquiry, options, statusKeeping);
  const askBook = openQuestions(bookInquiry, options, bookKeeping);
  const askPrice = openQuestions(priceInquiry, options, priceKeeping);
  const askHistory = openQuestions(historyInquiry, options, historyKeeping);
  const askCandles = openQuestions(candlesInquiry, options, historyKeeping);
  /** Books that came in answers, so that each is written as JSON once. */
  const answered = new WeakMap<Book, ServedBook>();
  const stopListening = bus.subscribe(exchangeStatuses, (status) =>
    served.known(status.exchange)?.hearStatus(status),
  );

  type Found = { exchange: LiveExchange; listed: ListedMarket; market: LiveMarket | undefined };

  async function find(exchangeName: string, marketName: string): Promise<Found> {
    const exchange = served.find(exchangeName);
    const { value: listed } = await listings.find(exchange.id, marketName);
    exchange.want(listed.id);
    return { exchange, listed, market: exchange.market(listed.id) };
  }

  /** The market itself when its names are right and it is live: the way that most requests take. */
  function liveNow(exchangeName: string, marketName: string): LiveMarket | undefined {
    const exchange = served.known(exchangeName);
    const market = exchange?.market(marketName);
    if (!exchange || !market || !exchange.isFresh(market)) return undefined;
    exchange.want(market.id);
    return market;
  }

  function liveBook(market: LiveMarket | undefined): Finding<ServedBook> | undefined {
    return market?.book && { value: market.book, at: market.confirmedAt, source: "websocket" };
  }

  function livePrice(market: LiveMarket | undefined): Finding<Ready> | undefined {
    const price = market?.price;
    return market && price && { value: price, at: market.confirmedAt, source: "websocket" };
  }

  async function findBook(exchangeName: string, marketName: string): Promise<Finding<ServedBook>> {
    const { exchange, listed, market } = await find(exchangeName, marketName);
    const live = market && exchange.isFresh(market) ? liveBook(market) : undefined;
    if (live) return live;
    const names = { exchange: exchange.id, market: listed.id };
    const asked = askBook(names).then(({ value, at, source }): Finding<ServedBook> => {
      const book = answered.get(value) ?? new ServedBook(names.exchange, names.market, value);
      answered.set(value, book);
      return { value: book, at, source };
    });
    return newest(asked, market?.earlierBook);
  }

  async function findPrice(exchangeName: string, marketName: string): Promise<Finding<Ready>> {
    const { exchange, listed, market } = await find(exchangeName, marketName);
    const heard = livePrice(market);
    if (market && heard && exchange.isFresh(market)) return heard;
    const asked = askPrice({ exchange: exchange.id, market: listed.id });
    return newest(
      asked.then(({ value, ...rest }) => ({
        value: priceAnswer(exchange.id, listed.id, value),
        ...rest,
      })),
      heard,
    );
  }

  /** What is asked for. What we heard before serves for a while when there is no answer, as old as it is. */
  async function newest<Value>(
    asked: Promise<Finding<Value>>,
    heard: Finding<Value> | undefined,
  ): Promise<Finding<Value>> {
    if (!heard || clock.now() - heard.at >= keptMs) return asked;
    const answer = await soon(asked, heard, clock);
    // The answer may be one from before, older than what we heard, if only by less than a millisecond.
    return heard.at >= answer.at ? heard : answer;
  }

  /** Resolves with the moment up to which the market's trades are in the tables. */
  async function completeTrades({ exchange, listed, market }: Found): Promise<number> {
    const heardAt = market?.hasHistory ? market.confirmedAt : 0;
    if (market?.hasHistory && exchange.isFresh(market)) return heardAt;
    const { at } = await askHistory({ exchange: exchange.id, market: listed.id });
    const listening = exchange.market(listed.id);
    if (listening && exchange.isFresh(listening)) listening.hasHistory = true;
    return Math.max(heardAt, at);
  }

  async function completeHistory(found: Found, candles: HistoryWish["candles"]): Promise<number> {
    const at = await completeTrades(found);
    if (!candles) return at;
    const { exchange, listed } = found;
    const { timeframe, from } = candles;
    const known = exchange.market(listed.id)?.candlesFrom;
    if (from < (known?.get(timeframe) ?? Number.POSITIVE_INFINITY)) {
      await askCandles({ exchange: exchange.id, market: listed.id, ...candles });
      known?.set(timeframe, from);
    }
    return at;
  }

  async function findHistory(
    exchangeName: string,
    marketName: string,
    { isOfThePast, candles }: HistoryWish,
  ): Promise<StoredHistory> {
    const found = await find(exchangeName, marketName);
    const { exchange, listed, market } = found;
    const asked = completeHistory(found, candles).then((at) => ({ market: listed, at }));
    const at = market?.status && market.confirmedAt;
    const isRecent = at !== undefined && clock.now() - at < keptMs;
    if (!isRecent && !isOfThePast) return asked;
    const stored = { market: listed, at };
    // Whoever feeds the exchange may take a while to get what is asked for, but only when there is somebody.
    return exchange.isHeard ? asked.catch(orElse(stored)) : soon(asked, stored, clock);
  }

  return {
    async exchanges() {
      const isNobody = options.exchanges.length === 0 && !options.otherExchanges;
      return isNobody ? { value: [], at: clock.now(), source: "store" } : askExchanges(null);
    },
    async exchange(name) {
      const { id } = served.find(name);
      const { value, ...rest } = await askExchanges(null);
      const exchange = value.find((each) => each.id === id);
      if (!exchange) throw new UnavailableError(`The exchange ${id} is not fed just now.`);
      return { value: exchange, ...rest };
    },
    async status(name) {
      const exchange = served.find(name);
      const { id, status, isHeard } = exchange;
      return status && isHeard ? status : newest(askStatus({ exchange: id }), status);
    },
    async markets(name) {
      return listings.all(served.find(name).id);
    },
    async market(exchangeName, marketName) {
      return listings.find(served.find(exchangeName).id, marketName);
    },
    book: (exchange, market) => liveBook(liveNow(exchange, market)) ?? findBook(exchange, market),
    price: (exchange, market) =>
      livePrice(liveNow(exchange, market)) ?? findPrice(exchange, market),
    history: findHistory,
    health: () =>
      Object.fromEntries([...served.all()].map((exchange) => [exchange.id, healthOf(exchange)])),
    heard: served.all,
    close() {
      stopListening();
      served.close();
    },
  };
}
