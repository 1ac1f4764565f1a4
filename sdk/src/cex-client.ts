import { byCursor, type Listing, listing } from "./listing.ts";
import type {
  CexAggregates,
  CexCandle,
  CexCandleOptions,
  CexExchange,
  CexGaps,
  CexLiquidity,
  CexMarket,
  CexOrderBook,
  CexPrice,
  CexStatus,
  CexTrade,
  CexTradeOptions,
  CexTrades,
} from "./shapes.ts";
import { type CallOptions, pathOf, type Transport } from "./transport.ts";

/** Centralized exchanges. */
export type CexClient = {
  exchanges(options?: CallOptions): Promise<CexExchange[]>;
  exchange(exchange: string, options?: CallOptions): Promise<CexExchange>;
  status(exchange: string, options?: CallOptions): Promise<CexStatus>;
  markets(exchange: string, options?: CallOptions): Promise<CexMarket[]>;
  market(exchange: string, market: string, options?: CallOptions): Promise<CexMarket>;
  price(exchange: string, market: string, options?: CallOptions): Promise<CexPrice>;
  /** The newest trades first. */
  trades(
    exchange: string,
    market: string,
    options?: CexTradeOptions & CallOptions,
  ): Listing<CexTrades, CexTrade>;
  /** `limit` is how many levels of each side: from 1 to 50,000; 200 when left out. */
  book(
    exchange: string,
    market: string,
    options?: { limit?: number } & CallOptions,
  ): Promise<CexOrderBook>;
  candles(
    exchange: string,
    market: string,
    options: CexCandleOptions & CallOptions,
  ): Listing<CexAggregates, CexCandle>;
  gaps(exchange: string, market: string, options?: CallOptions): Promise<CexGaps>;
};

/** Figures about markets. */
export type AnalyticsClient = {
  /** `depth` counts only what is within that part of the middle price: 0.02 is 2 % on each side. */
  liquidity(
    exchange: string,
    market: string,
    options?: { depth?: number } & CallOptions,
  ): Promise<CexLiquidity>;
};

/** Makes the client's side of the centralized exchanges. */
export function cexClient(transport: Transport): CexClient {
  const { get } = transport;
  const cex = (...parts: string[]) => pathOf("v2", "cex", ...parts);
  return {
    exchanges: (options) => get(cex(), options),
    exchange: (exchange, options) => get(cex(exchange), options),
    status: (exchange, options) => get(cex(exchange, "status"), options),
    markets: (exchange, options) => get(cex(exchange, "markets"), options),
    market: (exchange, market, options) => get(cex(exchange, market), options),
    price: (exchange, market, options) => get(cex(exchange, market, "currentprice"), options),
    trades: (exchange, market, options) =>
      listing(
        transport,
        cex(exchange, market, "trades"),
        options,
        byCursor(({ trades }) => trades),
      ),
    book: (exchange, market, options) => get(cex(exchange, market, "orders"), options),
    candles: (exchange, market, options) =>
      listing(
        transport,
        cex(exchange, market, "aggregates"),
        options,
        byCursor(({ aggregates }) => aggregates),
      ),
    gaps: (exchange, market, options) => get(cex(exchange, market, "gaps"), options),
  };
}

/** Makes the client's side of the analytics. */
export function analyticsClient({ get }: Transport): AnalyticsClient {
  return {
    liquidity: (exchange, market, options) =>
      get(pathOf("v2", "analytics", "liquidity", exchange, market), options),
  };
}
