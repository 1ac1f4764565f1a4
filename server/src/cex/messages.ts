import type { CexExchange, CexStatus } from "@slipway/sdk";
import { inquiry } from "../bus/ask.ts";
import { type Topic, topic } from "../bus/bus.ts";
import type { FeedFault } from "./feeds/venue.ts";
import type { Book, ListedMarket, Trade } from "./market.ts";

/** What happened to the book of one market. Messages of a market are in order, and each follows the one before. */
export type BookMessage = { market: string } & (
  | ({ kind: "whole" } & Book)
  /** Applies to the book with the nonce `after`, and makes it the one with `nonce`. */
  | ({ kind: "change"; after: number } & Book)
  /** What there is of it may be wrong; a `whole` one will follow. */
  | { kind: "lost"; reason: string }
);

/** Changes of an exchange's books, bundled: a message for each would be many. */
export function bookMessages(exchange: string): Topic<BookMessage[]> {
  return topic(`cex.books.${exchange}`);
}

export type TradeMessage = { market: string; trades: Trade[] };

/** New trades of an exchange, each once, in the order of their markets. */
export function tradeMessages(exchange: string): Topic<TradeMessage[]> {
  return topic(`cex.trades.${exchange}`);
}

/** How the stream of one market is doing. Counts are since the start. */
export type MarketStatus = {
  market: string;
  state: "live" | "syncing";
  /** When the exchange was last heard on the market's connection, in Unix milliseconds. */
  confirmedAt: number;
  /** The last trade we know of; null before the first. */
  lastTrade: Trade | null;
  /** Everything that is stored of the market's trades is complete since then, but for the recorded gaps. */
  tradesSince: number | null;
  faults: Record<FeedFault, number>;
  /** Books asked for anew because the one we had could not be trusted. */
  resyncs: number;
  snapshots: number;
  /** Spans of trades that could not be had. */
  gaps: number;
};

/** How an exchange and its live markets are doing. */
export type ExchangeStatus = {
  exchange: string;
  /** When this was so, in Unix milliseconds. */
  at: number;
  status: CexStatus;
  markets: MarketStatus[];
};

/** Sent every second by whoever feeds an exchange. */
export const exchangeStatuses = topic<ExchangeStatus>("cex.status");

/** Markets that somebody asked for lately: they stay live. */
export const wantedMarkets = topic<{ exchange: string; markets: string[] }>("cex.wanted");

/** Where an answer comes from: a stream, the exchange's REST API, or our own tables. */
export type Source = "websocket" | "rest" | "store";

/** An answer to a question about an exchange. */
export type Reply<Value> =
  | { kind: "found"; value: Value; at: number; source: Source }
  /** There is no such exchange or market. */
  | { kind: "unknown"; message: string }
  /** The exchange cannot be asked just now. */
  | { kind: "unavailable"; message: string; retryAfterSeconds: number };

type OfExchange = { exchange: string };
type OfMarket = { exchange: string; market: string };

/** The exchanges that can be asked for. */
export const exchangesInquiry = inquiry<null, Reply<CexExchange[]>>("cex.exchanges");
export const statusInquiry = inquiry<OfExchange, Reply<CexStatus>>("cex.exchange-status");
export const marketsInquiry = inquiry<OfExchange, Reply<ListedMarket[]>>("cex.markets");
/** Asking for a market's book, price or history makes it live. */
export const bookInquiry = inquiry<OfMarket, Reply<Book>>("cex.book");
export const priceInquiry = inquiry<OfMarket, Reply<{ price: number; time: number }>>("cex.price");
/** Answered when the market's newest trades and candles are in the tables. */
export const historyInquiry = inquiry<OfMarket, Reply<null>>("cex.history");
/** Answered when candles from `from` on are in the tables, as far as the exchange has them. */
export const candlesInquiry = inquiry<OfMarket & { timeframe: string; from: number }, Reply<null>>(
  "cex.candles",
);
