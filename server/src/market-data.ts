import { liquidityOf } from "./analytics/liquidity.ts";
import type { LiveMarkets } from "./cex/live/live-markets.ts";
import type { Queryable } from "./database/database.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import { findTokenPrice } from "./dex/store/read-prices.ts";
import type { MarketData } from "./ramp/rails/prices/market-prices.ts";

type MarketDataContext = {
  live: Pick<LiveMarkets, "book">;
  db: Queryable;
  /** Those whose decentralized exchanges are believed: the sandbox's is not, since it makes its prices up. */
  chains: readonly ConfiguredChain[];
};

/** Orders further from the middle than this part of it say little about a market. */
const nearby = 0.01;
const comparedChain = "ethereum";

/** What the ramp needs of the market, from the exchanges that we follow. */
export function marketDataOf({ live, db, chains }: MarketDataContext): MarketData {
  const deployment = chains.find(({ chain }) => chain.id === comparedChain)?.deployments[0];
  return {
    async quotes(market) {
      const slash = market.indexOf("/");
      const { value, at } = await live.book(market.slice(0, slash), market.slice(slash + 1));
      const { bids, asks } = value.levels;
      if (bids.best === undefined || asks.best === undefined) return undefined;
      const volume = decimalOf(liquidityOf(value.levels, nearby));
      return { market, bid: decimalOf(bids.best), ask: decimalOf(asks.best), volume, at };
    },
    async crossPrice(symbol) {
      if (!deployment) return undefined;
      // An exchange knows ether only in its wrapping.
      const found = await findTokenPrice(db, deployment, symbol === "ETH" ? "WETH" : symbol);
      return (
        found && { source: `dex ${comparedChain}`, priceE18: found.priceE18, at: found.blockTime }
      );
    },
  };
}

/** A number of an order book as plain decimal text; the smallest and largest of them come with an exponent. */
function decimalOf(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(18).replace(/\.?0+$/, "") : text;
}
