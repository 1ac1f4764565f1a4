import type { CexExchange, CexStatus } from "@slipway/sdk";
import type { Clock } from "../../../lib/clock.ts";
import { UnavailableError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import type { ConfiguredExchange } from "../../configured.ts";
import type { ListedMarket } from "../../market.ts";
import { timeframes } from "../../timeframes.ts";
import { ownFeed } from "../own/own-feeds.ts";
import type { Venue } from "../venue.ts";
import { type Call, isKind, isRefusal, openCalls } from "./calls.ts";
import { type CcxtExchange, loadExchange, urlAt } from "./ccxt-exchange.ts";
import { openCcxtFeed } from "./ccxt-feed.ts";
import { describeClass, nativeTimeframes } from "./describe-exchange.ts";
import { readNumber } from "./figures.ts";
import { knownExchanges } from "./known-exchanges.ts";
import { keepMarketsApart, listMarkets } from "./list-markets.ts";
import { bookDepth, readBook } from "./read-book.ts";
import { candlesPerPage, readCandles } from "./read-candles.ts";
import { readTrades } from "./read-trades.ts";
import { openTradePages } from "./trade-pages.ts";

type VenueOptions = { exchange: ConfiguredExchange; clock: Clock; random: Random; log: Log };

/** Opens an exchange through ccxt. Nothing is asked of it yet. */
export async function openVenue({
  exchange: configured,
  clock,
  random,
  log,
}: VenueOptions): Promise<Venue> {
  const exchange = await loadExchange(configured);
  keepMarketsApart(exchange);
  const calls = openCalls({ exchange, clock, random, log });
  const tradePage = openTradePages({ exchange, clock });

  /** Only with its list of markets at hand ccxt knows how to ask about one of them. */
  const withMarkets =
    (call: Call): Call =>
    (ask) =>
      call(async () => {
        await exchange.loadMarkets();
        return ask();
      });
  const callNow = withMarkets(calls.now);
  const callLater = withMarkets(calls.later);

  const book = (market: ListedMarket) =>
    callNow(async () => {
      const levels = bookDepth(exchange.id, market);
      return readBook(await exchange.fetchOrderBook(market.symbol, levels), exchange.id);
    });

  return {
    exchange: await describeExchange(configured),
    nativeTimeframes: nativeTimeframes(exchange),
    markets: () => calls.now(() => listMarkets(exchange, log)),
    status: () => calls.now(() => askStatus(exchange, clock)),
    price: (market) => callNow(() => askPrice(exchange, market)),
    book,
    trades: (market, query) => callLater(() => tradePage(market, query)),
    candles: (market, timeframe, since) =>
      callLater(async () => {
        const limit = candlesPerPage(exchange, market);
        return readCandles(
          await exchange.fetchOHLCV(market.symbol, timeframe, since, limit),
          since,
        );
      }),
    openFeed(sink) {
      const openOwn = ownFeed(exchange.id);
      if (!openOwn) return openCcxtFeed({ exchange, sink, clock, random, log });
      const urls = (path: string) => urlAt(exchange, path);
      return openOwn({ urls, snapshot: book, sink, clock, random, log });
    },
    async close() {
      await exchange.close();
    },
  };
}

/** Describes an exchange without asking it, and without loading anything if it can be helped. */
export async function describeExchange(configured: ConfiguredExchange): Promise<CexExchange> {
  const { id, isSandbox } = configured;
  const known = knownExchanges.get(id) ?? describeClass(await loadExchange(configured));
  return {
    ...known,
    name: isSandbox ? `${known.name} (sandbox)` : known.name,
    aggregateTimeframes: Object.fromEntries(timeframes),
  };
}

/** The exchange's own word where it has one, else whether it answers when asked for the time. */
async function askStatus(exchange: CcxtExchange, clock: Clock): Promise<CexStatus | undefined> {
  const { has } = exchange;
  if (has.fetchStatus !== true && has.fetchTime !== true) return undefined;
  try {
    const answer = has.fetchStatus === true ? await exchange.fetchStatus() : undefined;
    if (answer === undefined) await exchange.fetchTime();
    const { status, updated } = isObject(answer) ? answer : { status: "ok", updated: undefined };
    return {
      status: typeof status === "string" ? status : "error",
      updated: readNumber(updated) ?? clock.now(),
    };
  } catch (error) {
    if (isRefusal(error)) throw error;
    const status = isKind(error, "OnMaintenance") ? "maintenance" : "error";
    return { status, updated: clock.now() };
  }
}

/** What the exchange says is the last price; where it does not, that of the newest trade. */
async function askPrice(
  exchange: CcxtExchange,
  { symbol, id }: ListedMarket,
): Promise<{ price: number; time: number | undefined }> {
  const ticker = await askTicker(exchange, symbol);
  const price = isObject(ticker) ? readNumber(ticker.last) : undefined;
  if (price !== undefined) {
    return { price, time: isObject(ticker) ? readNumber(ticker.timestamp) : undefined };
  }
  const last = exchange.has.fetchTrades
    ? readTrades(await exchange.fetchTrades(symbol)).at(-1)
    : undefined;
  if (!last) throw new UnavailableError(`${exchange.name} has no price of ${id} yet.`);
  return { price: Number(last.price), time: last.time };
}

async function askTicker(exchange: CcxtExchange, symbol: string): Promise<unknown> {
  const { has } = exchange;
  if (has.fetchTicker) return exchange.fetchTicker(symbol);
  if (!has.fetchTickers) return undefined;
  const tickers = await exchange.fetchTickers([symbol]);
  return isObject(tickers) ? tickers[symbol] : undefined;
}
