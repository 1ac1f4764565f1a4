import type { LiveMarkets } from "./cex/live/live-markets.ts";
import type { Queryable } from "./database/database.ts";
import type { ConfiguredChain } from "./dex/configured.ts";
import type { Clock } from "./lib/clock.ts";
import type { MarketData } from "./ramp/rails/prices/market-prices.ts";

type MarketDataContext = {
  live: Pick<LiveMarkets, "book">;
  db: Queryable;
  clock: Clock;
  chains: readonly ConfiguredChain[];
};

/** What the ramp needs of the market, from the exchanges that we follow. */
export function marketDataOf(_: MarketDataContext): MarketData {
  throw new Error("not built");
}
