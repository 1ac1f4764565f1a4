import { isObject } from "../../../lib/is-object.ts";
import type { Candle, ListedMarket } from "../../market.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { readFigure, readNumber } from "./figures.ts";

/** How many candles an exchange sends at once, where ccxt knows. */
export function candlesPerPage(
  { features }: CcxtExchange,
  { type }: ListedMarket,
): number | undefined {
  const ofType = isObject(features) ? features[type] : undefined;
  const kinds = isObject(ofType) ? [ofType, ofType.linear, ofType.inverse] : [];
  for (const kind of kinds) {
    const candles = isObject(kind) ? kind.fetchOHLCV : undefined;
    const limit = isObject(candles) ? readNumber(candles.limit) : undefined;
    if (limit !== undefined) return limit;
  }
  return undefined;
}

/** Reads candles as ccxt gives them, oldest first, each once; those with holes are left out. */
export function readCandles(value: unknown, since: number): Candle[] {
  const byTime = new Map<number, Candle>();
  for (const candle of [value].flat(1).flatMap(readCandle)) {
    if (candle.time >= since) byTime.set(candle.time, candle);
  }
  return [...byTime.values()].sort((one, other) => one.time - other.time);
}

function readCandle(row: unknown): Candle[] {
  if (!Array.isArray(row)) return [];
  const time = readNumber(row[0]);
  const [open, high, low, close, volume] = row.slice(1, 6).map(readFigure);
  if (time === undefined || !open || !high || !low || !close || !volume) return [];
  return [{ time, open, high, low, close, volume }];
}
