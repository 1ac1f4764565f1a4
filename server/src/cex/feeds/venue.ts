import type { CexExchange, CexStatus } from "@slipway/sdk";
import type { Candle, Levels, ListedMarket, Trade } from "../market.ts";
import type { OrderBook } from "../order-book.ts";

/** An order book as an exchange sends it when asked. */
export type BookSnapshot = {
  bids: number[];
  asks: number[];
  /** The exchange's own serial number, where it has one that its stream also uses. */
  nonce: number | undefined;
};

/** Some trades, oldest first. */
export type TradePage = {
  trades: Trade[];
  /** What to ask with for those that follow; nothing when these are the newest. */
  next: string | undefined;
};

/** Which trades to ask an exchange for: its newest, or those from a moment on, or those after a page. */
export type TradeQuery = { since?: number; next?: string };

/**
 * One exchange, whoever talks to it. Every call goes through the exchange's rate limit; those that fail throw
 * `UnavailableError` when it may help to try again, with the exchange's reason in words.
 */
export type Venue = {
  readonly exchange: CexExchange;
  /** Timeframes in which the exchange itself has candles, and their seconds. */
  readonly nativeTimeframes: ReadonlyMap<string, number>;
  markets(): Promise<ListedMarket[]>;
  /** Nothing when the exchange has no way to tell. */
  status(): Promise<CexStatus | undefined>;
  /** `time` is undefined where the exchange does not say. */
  price(market: ListedMarket): Promise<{ price: number; time: number | undefined }>;
  book(market: ListedMarket): Promise<BookSnapshot>;
  trades(market: ListedMarket, query: TradeQuery): Promise<TradePage>;
  /** Candles of a native timeframe from a moment on, oldest first; as many as come in one answer. */
  candles(market: ListedMarket, timeframe: string, since: number): Promise<Candle[]>;
  /** Streams books and trades; nothing where the exchange cannot. */
  openFeed(sink: FeedSink): Feed | undefined;
  close(): Promise<void>;
};

/** What went wrong on a market's stream and was noticed. */
export type FeedFault = "checksum" | "sequence" | "crossed" | "silent" | "closed";

/** What a feed says about a market's book. */
export type BookUpdate =
  /** All of it. */
  | { kind: "whole"; bids: Levels; asks: Levels; nonce: number | undefined }
  /** Levels that are different now. */
  | { kind: "change"; bids: Levels; asks: Levels; nonce: number | undefined }
  /** It cannot be trusted until the next `whole`. */
  | { kind: "lost"; reason: string };

/** Whoever listens to a feed. Calls are synchronous: what is handed over may be reused afterwards. */
export type FeedSink = {
  /** The feed's own book has already changed when this is called. */
  book(market: string, update: BookUpdate): void;
  /** In the order in which they happened. Some may have been seen before. */
  trades(market: string, trades: readonly Trade[]): void;
  /** Trades flow from now on; some may have been missed before. */
  tradesBegin(market: string): void;
  /** The connection that carries these markets is alive: a quiet market is not a dead one. */
  heard(markets: Iterable<string>): void;
  fault(market: string, fault: FeedFault): void;
  /** A snapshot of the book was asked for over REST, or by subscribing anew. */
  snapshot(market: string): void;
};

/** The stream of one exchange. It connects, subscribes, validates, resyncs and reconnects by itself. */
export type Feed = {
  watch(market: ListedMarket): void;
  unwatch(market: string): void;
  /** The book as of the last update; nothing while there is none that can be trusted. */
  book(market: string): OrderBook | undefined;
  close(): Promise<void>;
};
