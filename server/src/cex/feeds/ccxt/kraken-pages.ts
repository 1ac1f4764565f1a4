import { isObject } from "../../../lib/is-object.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { readTrades } from "./read-trades.ts";
import type { TradePager } from "./trade-pages.ts";

const pageSize = 1_000;

/** Kraken's cursor is a time in nanoseconds, which it tells with every page. */
export function openKrakenPages({ exchange }: { exchange: CcxtExchange }): TradePager {
  return async ({ symbol, nativeId }, { since, next }) => {
    // It sends what is later than that: the nanosecond before includes the moment itself.
    const before = since === undefined ? undefined : String(BigInt(since) * 1_000_000n - 1n);
    const cursor = next ?? before;
    const answer = await exchange.publicGetTrades({
      pair: nativeId,
      count: pageSize,
      ...(cursor !== undefined && { since: cursor }),
    });
    const { rows, last } = readPage(answer);
    const trades = readTrades(exchange.parseTrades(rows, exchange.market(symbol)));
    const isFollowed = cursor !== undefined && rows.length >= pageSize && last !== cursor;
    return { trades, next: isFollowed ? last : undefined };
  };
}

/** The rows stand under a name of the market, which need not be the one that was asked for. */
function readPage(answer: unknown): { rows: unknown[]; last: string | undefined } {
  const result = isObject(answer) && isObject(answer.result) ? answer.result : {};
  const rows = Object.values(result).find(Array.isArray) ?? [];
  return { rows, last: result.last === undefined ? undefined : String(result.last) };
}
