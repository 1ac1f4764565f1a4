import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Prices } from "../../ports.ts";
import type { RailSettings } from "../rail-settings.ts";

/** What one market says: its best offers, and how much of the token it moves. */
export type MarketQuote = {
  /** Exchange and market: `kraken/ETH-USD`. */
  market: string;
  bid: string;
  ask: string;
  /** Tokens traded in the last day; what lies at the best offers when that is not known. */
  volume: string;
  /** When it was true, in Unix milliseconds. */
  at: number;
};

/** What the ramp asks our own market data. */
export type MarketData = {
  quotes(market: string): Promise<MarketQuote | undefined>;
  /** The price on a decentralized exchange, to compare with. */
  crossPrice(symbol: string): Promise<{ source: string; priceE18: bigint; at: number } | undefined>;
};

/** Prices that are kept up to date while `run` runs. */
export type MarketPrices = Prices & { run(signal: AbortSignal): Promise<void> };

export type MarketPricesOptions = {
  data: MarketData;
  /** The markets that make a token's price, by symbol. */
  markets: Readonly<Record<string, readonly string[]>>;
  settings: Pick<RailSettings["prices"], "staleSeconds" | "disagreePercent" | "leastSources">;
  /** The world's: markets know no other time. */
  clock: Clock;
  log: Log;
};

/** Makes prices of what our own markets say. */
export function openMarketPrices(_: MarketPricesOptions): MarketPrices {
  throw new Error("not built");
}
