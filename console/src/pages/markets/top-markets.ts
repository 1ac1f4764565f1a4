import type { CexMarket } from "@slipway/sdk";

/** Exchanges do not say which of their markets matter; these are traded most wherever they are listed. */
const bases = ["BTC", "XBT", "ETH", "SOL", "XRP", "USDC", "DOGE", "ADA", "LTC", "LINK"];
const quotes = ["USD", "USDT", "USDC", "EUR", "BTC"];

/** The markets to show where there is room for a few, those that people ask for most first. */
export function topMarkets(markets: readonly CexMarket[], count: number): CexMarket[] {
  return markets
    .filter(({ active, type }) => active && type === "spot")
    .map((market) => ({ market, rank: rankOf(market) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ market }) => market);
}

function rankOf({ base, quote }: CexMarket): number {
  return placeIn(bases, base) + bases.length * placeIn(quotes, quote);
}

function placeIn(list: readonly string[], name: string): number {
  const index = list.indexOf(name);
  return index === -1 ? 1_000 : index;
}
