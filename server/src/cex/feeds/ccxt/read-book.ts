import { isObject } from "../../../lib/is-object.ts";
import type { ListedMarket } from "../../market.ts";
import type { BookSnapshot } from "../venue.ts";
import { readNumber } from "./figures.ts";

/** Nobody needs more prices than these on a side. */
const mostLevels = 5_000;

/** Exchanges that number their books, and use the same numbers in their stream. */
const numbered = new Set(["binance", "binanceus", "binanceusdm", "binancecoinm", "bitstamp"]);

type Depth = { spot: number | undefined; contracts?: number };

/** The most levels that can be asked for, where an exchange gives fewer by default; 0 means all there are. */
const depths: Record<string, Depth> = {
  binance: { spot: 5_000 },
  binanceus: { spot: 5_000 },
  binanceusdm: { spot: undefined, contracts: 1_000 },
  binancecoinm: { spot: undefined, contracts: 1_000 },
  bitfinex: { spot: 250, contracts: 250 },
  bitget: { spot: 150 },
  bitvavo: { spot: 1_000 },
  bybit: { spot: 200, contracts: 200 },
  bybiteu: { spot: 200, contracts: 200 },
  bybitid: { spot: 200, contracts: 200 },
  cryptocom: { spot: 50, contracts: 50 },
  deribit: { spot: 1_000, contracts: 1_000 },
  gate: { spot: 1_000, contracts: 300 },
  gateeu: { spot: 1_000, contracts: 300 },
  gemini: { spot: 0, contracts: 0 },
  kraken: { spot: 500 },
  mexc: { spot: 5_000 },
  myokx: { spot: 5_000, contracts: 5_000 },
  okx: { spot: 5_000, contracts: 5_000 },
  okxus: { spot: 5_000, contracts: 5_000 },
  whitebit: { spot: 100 },
};

/** The same for streams. */
const streamDepths: Record<string, number> = {
  bitfinex: 100,
  bybit: 200,
  bybiteu: 200,
  bybitid: 200,
  gate: 100,
  whitebit: 100,
};

/** How many levels to ask an exchange for; nothing means what it gives by itself. */
export function bookDepth(exchange: string, { type }: ListedMarket): number | undefined {
  if (type === "option") return undefined;
  return depths[exchange]?.[type === "spot" ? "spot" : "contracts"];
}

/** How many levels to ask an exchange to stream; nothing means what it does by itself. */
export function streamDepth(exchange: string, { type }: ListedMarket): number | undefined {
  return type === "option" ? undefined : streamDepths[exchange];
}

/** Reads a book as ccxt gives it. */
export function readBook(value: unknown, exchange: string): BookSnapshot {
  const { bids, asks, nonce } = isObject(value) ? value : {};
  return {
    bids: readLevels(bids),
    asks: readLevels(asks),
    nonce: numbered.has(exchange) && Number.isSafeInteger(nonce) ? Number(nonce) : undefined,
  };
}

/** Prices and sizes in turn. Levels may have more than these two, or nothing in them. */
export function readLevels(levels: unknown): number[] {
  const flat: number[] = [];
  if (!Array.isArray(levels)) return flat;
  for (const level of levels) {
    if (!Array.isArray(level)) continue;
    const [price, size] = [readNumber(level[0]), readNumber(level[1])];
    if (price !== undefined && size !== undefined && size > 0) flat.push(price, size);
    if (flat.length === 2 * mostLevels) break;
  }
  return flat;
}
