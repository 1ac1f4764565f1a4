import type { CexStatus } from "@slipway/sdk";
import type {
  BookSnapshot,
  BookUpdate,
  Feed,
  FeedSink,
  TradePage,
  TradeQuery,
  Venue,
} from "../src/cex/feeds/venue.ts";
import type { Candle, ListedMarket, Trade } from "../src/cex/market.ts";
import { OrderBook } from "../src/cex/order-book.ts";
import { timeframes } from "../src/cex/timeframes.ts";
import { listedMarket } from "./listed-market.ts";

/** An exchange that says what a test wants it to say, and counts what it is asked. */
export type FakeVenue = Venue & {
  /** How often each kind of question was asked. */
  readonly asked: Record<string, number>;
  /** While set, every question fails with it. */
  failure: Error | undefined;
  marketList: ListedMarket[];
  bookAnswer: BookSnapshot;
  statusAnswer: CexStatus | undefined;
  /** All trades there have been, oldest first, by market. */
  tape: Map<string, Trade[]>;
  candleAnswer: (timeframe: string, since: number) => Candle[];
  readonly watched: Set<string>;
  /** Streams what happens to a book; its feed has it too. */
  say(market: string, update: BookUpdate): void;
  /** Streams trades. */
  trade(market: string, trades: readonly Trade[]): void;
  readonly sink: FeedSink;
};

/** Opens an exchange without a network. */
export function fakeVenue({ id = "fakex", streams = true } = {}): FakeVenue {
  let sink: FeedSink | undefined;
  const books = new Map<string, OrderBook>();
  const asked: Record<string, number> = {};

  async function ask<Value>(what: string, answer: () => Value): Promise<Value> {
    asked[what] = (asked[what] ?? 0) + 1;
    await new Promise((resolve) => setImmediate(resolve));
    if (venue.failure) throw venue.failure;
    return answer();
  }

  function tradesOf(market: ListedMarket, { since, next }: TradeQuery): TradePage {
    const tape = venue.tape.get(market.id) ?? [];
    const from = next === undefined ? since : Number(next);
    if (from === undefined) return { trades: tape.slice(-100), next: undefined };
    const wanted = tape.filter(({ time }) => time >= from);
    const trades = wanted.slice(0, 100);
    const isAll = trades.length === wanted.length;
    return { trades, next: isAll ? undefined : String(trades.at(-1)?.time) };
  }

  function openFeed(given: FeedSink): Feed {
    sink = given;
    return {
      watch: ({ id }) => void venue.watched.add(id),
      unwatch(id) {
        venue.watched.delete(id);
        books.delete(id);
      },
      book: (id) => books.get(id),
      close: async () => venue.watched.clear(),
    };
  }

  const venue: FakeVenue = {
    exchange: {
      name: "Fake Exchange",
      id,
      countries: ["NL"],
      hasTrades: true,
      hasAggregates: true,
      aggregateTimeframes: Object.fromEntries(timeframes),
      url: "https://fakex.example",
      fees: "",
      docs: "https://fakex.example/docs",
      logo: "https://fakex.example/logo.png",
    },
    nativeTimeframes: timeframes,
    asked,
    failure: undefined,
    marketList: [listedMarket("BTC-USD"), listedMarket("ETH-USD")],
    bookAnswer: { bids: [99, 1], asks: [101, 2], nonce: undefined },
    statusAnswer: undefined,
    tape: new Map(),
    candleAnswer: () => [],
    watched: new Set(),
    get sink() {
      if (!sink) throw new Error("nobody opened the feed");
      return sink;
    },
    say(market, update) {
      const book = books.get(market) ?? new OrderBook();
      if (update.kind === "lost") books.delete(market);
      else {
        if (update.kind === "whole") book.reset(update.bids, update.asks);
        else book.apply(update.bids, update.asks);
        books.set(market, book);
      }
      venue.sink.book(market, update);
    },
    trade: (market, trades) => venue.sink.trades(market, trades),
    markets: () => ask("markets", () => venue.marketList),
    status: () => ask("status", () => venue.statusAnswer),
    price: () => ask("price", () => ({ price: 100, time: undefined })),
    book: () => ask("book", () => venue.bookAnswer),
    trades: (market, query) => ask("trades", () => tradesOf(market, query)),
    candles: (_, timeframe, since) => ask("candles", () => venue.candleAnswer(timeframe, since)),
    openFeed: (given) => (streams ? openFeed(given) : undefined),
    close: async () => {},
  };
  return venue;
}
