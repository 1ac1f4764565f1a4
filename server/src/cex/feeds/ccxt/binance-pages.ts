import type { Clock } from "../../../lib/clock.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { ListedMarket, Trade } from "../../market.ts";
import type { TradePage } from "../venue.ts";
import { type CcxtExchange, urlAt } from "./ccxt-exchange.ts";
import { readTrades } from "./read-trades.ts";
import type { TradePager } from "./trade-pages.ts";

const pageSize = 1_000;
/** What ccxt says that a page of old trades weighs. */
const oldTradesCost = 20;
/** So much time is looked at in one call. */
const spanMs = 3_600_000;

/** Binance numbers the trades of a market, and its stream has the same numbers. */
export function openBinancePages({ exchange }: { exchange: CcxtExchange }): TradePager {
  /** ccxt wants a key for this endpoint. Binance wants none. */
  async function from(id: string, { symbol, nativeId }: ListedMarket): Promise<Trade[]> {
    await exchange.throttle(oldTradesCost);
    const query = new URLSearchParams({ symbol: nativeId, fromId: id, limit: String(pageSize) });
    const rows = await exchange.fetch(`${urlAt(exchange, "public")}/historicalTrades?${query}`);
    return readTrades(exchange.parseTrades(rows, exchange.market(symbol)));
  }

  return async (market, { since, next }) => {
    if (next !== undefined) return numberedPage(await from(next, market));
    if (since === undefined) {
      const method = { fetchTradesMethod: "publicGetTrades" };
      const newest = await exchange.fetchTrades(market.symbol, undefined, pageSize, method);
      return { trades: readTrades(newest), next: undefined };
    }
    // Only bundles can be asked for by time; each tells the number of its first trade.
    const query = { symbol: market.nativeId, startTime: since, limit: 1 };
    const [bundle] = [await exchange.publicGetAggTrades(query)].flat();
    const first = isObject(bundle) ? bundle.f : undefined;
    if (first === undefined) return { trades: [], next: undefined };
    return numberedPage(await from(String(first), market));
  };
}

type BundleOptions = { exchange: CcxtExchange; clock: Clock };

/** The other exchanges of this kind give single trades only to those with a key, but bundles to everybody. */
export function openBundlePages({ exchange, clock }: BundleOptions): TradePager {
  async function from(moment: number, symbol: string): Promise<TradePage> {
    const trades = readTrades(await exchange.fetchTrades(symbol, moment, pageSize));
    const later = moment + spanMs;
    if (later >= clock.now()) return numberedPage(trades);
    return { trades, next: numberAfter(trades) ?? `from ${later}` };
  }

  return async ({ symbol }, { since, next }) => {
    const moment = next?.startsWith("from ") ? Number(next.slice("from ".length)) : since;
    if (moment !== undefined) return from(moment, symbol);
    if (next === undefined)
      return { trades: readTrades(await exchange.fetchTrades(symbol, undefined, pageSize)), next };
    const page = await exchange.fetchTrades(symbol, undefined, pageSize, { fromId: next });
    return numberedPage(readTrades(page));
  };
}

/** A full page is followed by another. */
function numberedPage(trades: Trade[]): TradePage {
  return { trades, next: trades.length < pageSize ? undefined : numberAfter(trades) };
}

/** The number with which the next page begins. */
function numberAfter(trades: Trade[]): string | undefined {
  const last = trades.at(-1);
  return last && String(BigInt(last.id) + 1n);
}
