import type { Clock } from "../../../lib/clock.ts";
import type { ListedMarket } from "../../market.ts";
import type { TradePage, TradeQuery } from "../venue.ts";
import { openBinancePages, openBundlePages } from "./binance-pages.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { openIdPages } from "./id-pages.ts";
import { openKrakenPages } from "./kraken-pages.ts";
import { openBitstampPages, openTimePages, openWindowPages } from "./time-pages.ts";

/** Asks an exchange for a page of a market's trades. */
export type TradePager = (market: ListedMarket, query: TradeQuery) => Promise<TradePage>;

type PagerOptions = { exchange: CcxtExchange; clock: Clock };

/** How the trades of an exchange are leafed through: each has its own way, and most have only times. */
export function openTradePages(options: PagerOptions): TradePager {
  const open = pagers[options.exchange.id] ?? openTimePages;
  return open(options);
}

const pagers: Record<string, (options: PagerOptions) => TradePager> = {
  kraken: openKrakenPages,
  binance: openBinancePages,
  binanceus: openBundlePages,
  binanceusdm: openBundlePages,
  binancecoinm: openBundlePages,
  coinbase: openWindowPages,
  coinbaseexchange: ({ exchange }) =>
    openIdPages({
      pageSize: 1_000,
      newest: ({ symbol }) => exchange.fetchTrades(symbol, undefined, 1_000),
      below: ({ symbol }, id) => exchange.fetchTrades(symbol, undefined, 1_000, { after: id }),
    }),
  okx: openOkxPages,
  myokx: openOkxPages,
  okxus: openOkxPages,
  bitstamp: openBitstampPages,
};

/** OKX's newest trades and its older ones are at different places. */
function openOkxPages({ exchange }: PagerOptions): TradePager {
  const method = "publicGetMarketHistoryTrades";
  return openIdPages({
    pageSize: 100,
    newest: ({ symbol }) => exchange.fetchTrades(symbol, undefined, 500),
    below: ({ symbol }, id) => exchange.fetchTrades(symbol, undefined, 100, { method, after: id }),
  });
}
