import { supportedTokens } from "../../assets.ts";
import type { Prices } from "../../ports.ts";
import type { RailSettings } from "../rail-settings.ts";
import { marketsFor } from "./market-prices.ts";

type Markets = Readonly<Record<string, readonly string[]>>;

/** The markets that make prices: those that are named, or else every market in dollars that is configured. */
export function marketsOf(
  { markets }: Pick<RailSettings["prices"], "markets">,
  exchanges: readonly { id: string; markets: readonly string[] }[],
): Markets {
  if (Object.keys(markets).length > 0) return markets;
  const symbols = [...new Set(supportedTokens.map(({ symbol }) => symbol))];
  const found = symbols.map((symbol): [string, string[]] => [
    symbol,
    exchanges
      .filter((exchange) => exchange.markets.some((id) => id.toUpperCase() === `${symbol}-USD`))
      .map(({ id }) => `${id}/${symbol}-USD`),
  ]);
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

/** Prices of the first for the tokens that have markets, of the second for all others. */
export function pricesWithFallback(first: Prices, markets: Markets, second: Prices): Prices {
  return {
    current: (token) =>
      (marketsFor(token.symbol, markets).length > 0 ? first : second).current(token),
  };
}
