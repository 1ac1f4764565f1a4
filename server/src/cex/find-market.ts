import type { ListedMarket } from "./market.ts";

/** Finds markets by any of their names. */
export type MarketIndex = { find(text: string): ListedMarket | undefined };

/** Makes an index of markets: by id first, then by symbol, then by what the exchange calls them. Case is ignored. */
export function openMarketIndex(markets: readonly ListedMarket[]): MarketIndex {
  const byName = new Map<string, ListedMarket>();
  for (const nameOf of [idOf, symbolOf, nativeIdOf]) {
    for (const market of markets) {
      const name = nameOf(market).toUpperCase();
      if (!byName.has(name)) byName.set(name, market);
    }
  }
  return { find: (text) => byName.get(text.toUpperCase()) };
}

const idOf = ({ id }: ListedMarket) => id;
const symbolOf = ({ symbol }: ListedMarket) => symbol;
const nativeIdOf = ({ nativeId }: ListedMarket) => nativeId;
