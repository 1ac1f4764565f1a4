import type { Clock } from "../../../lib/clock.ts";
import type { Trade } from "../../market.ts";
import type { TradePage } from "../venue.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { readTrades } from "./read-trades.ts";
import type { TradePager } from "./trade-pages.ts";

type TimePagerOptions = { exchange: CcxtExchange; clock: Clock };

const secondMs = 1_000;
const hourMs = 3_600_000;
/** The largest page that is worth asking for, where an exchange has a small one by default. */
const pageSizes: Record<string, number> = { bitfinex: 10_000, bitvavo: 1_000, gate: 1_000 };
const windowPageSize = 1_000;

/**
 * Leafs by time. A page begins where the one before ended, and what was in both is left out; when nothing else is in
 * it, or when it reaches the present, it was the last.
 */
export function openTimePages({ exchange, clock }: TimePagerOptions): TradePager {
  return async ({ symbol }, { since, next }) => {
    const [time, ...id] = next?.split(" ") ?? [];
    const from = time === undefined ? since : Number(time);
    const page = readTrades(await exchange.fetchTrades(symbol, from, pageSizes[exchange.id]));
    if (from === undefined) return { trades: page, next: undefined };
    const seen = page.findIndex((trade) => trade.id === id.join(" "));
    const trades = page.slice(seen + 1).filter((trade) => trade.time >= from);
    const last = trades.at(-1);
    const isFollowed = last !== undefined && last.time < clock.now() - secondMs;
    return { trades, next: isFollowed ? `${last.time} ${last.id}` : undefined };
  };
}

/** Bitstamp has the trades of the last minute, hour or day, with times in seconds, and no others. */
export function openBitstampPages({ exchange, clock }: TimePagerOptions): TradePager {
  return async ({ symbol }, { since = clock.now() - hourMs }) => {
    const from = since - (since % secondMs);
    const time = from < clock.now() - hourMs ? "day" : "hour";
    const page = readTrades(await exchange.fetchTrades(symbol, undefined, undefined, { time }));
    return { trades: page.filter((trade) => trade.time >= from), next: undefined };
  };
}

/** Coinbase has the newest trades of any span of whole seconds: where they are too many, the span is made shorter. */
export function openWindowPages({ exchange, clock }: TimePagerOptions): TradePager {
  async function window(symbol: string, from: number, until: number): Promise<Trade[]> {
    return readTrades(await exchange.fetchTrades(symbol, from, windowPageSize, { until }));
  }

  async function from(since: number, symbol: string): Promise<TradePage> {
    const start = since - (since % secondMs);
    const now = clock.now() + secondMs;
    let end = Math.max(now, start + secondMs);
    let trades = await window(symbol, start, end);
    while (trades.length >= windowPageSize && end - start > secondMs) {
      end = shorter(start, end);
      trades = await window(symbol, start, end);
    }
    const wanted = trades.filter(({ time }) => time >= since);
    return { trades: wanted, next: end < now ? String(end) : undefined };
  }

  return async ({ symbol }, { since, next }) => {
    const moment = next === undefined ? since : Number(next);
    if (moment !== undefined) return from(moment, symbol);
    const newest = await exchange.fetchTrades(symbol, undefined, windowPageSize);
    return { trades: readTrades(newest), next: undefined };
  };
}

/** The first eighth of a span, in whole seconds. */
function shorter(start: number, end: number): number {
  const seconds = Math.max(1, Math.floor((end - start) / 8 / secondMs));
  return start + seconds * secondMs;
}
