import type { Bus } from "../../bus/bus.ts";
import type { LiveExchange } from "../../cex/live/live-exchange.ts";
import type { LiveMarket } from "../../cex/live/live-market.ts";
import type { LiveMarkets } from "../../cex/live/live-markets.ts";
import type { MarketName } from "../../cex/store/markets.ts";
import type { Queryable } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";

/** What sources about centralized exchanges need. */
export type CexSourceContext = {
  db: Queryable;
  bus: Bus;
  live: LiveMarkets;
  clock: Clock;
  log: Log;
};

/** A market that somebody listens to. */
export type MarketWatch = {
  readonly exchange: LiveExchange | undefined;
  /** What is known of it while it is live. */
  market(): LiveMarket | undefined;
  isFresh(): boolean;
  close(): void;
};

type WatchHandlers = {
  /** Called every second. */
  tick?(): void;
  /** Called when the market has not been heard of for a while. */
  silent(reason: string): void;
};

const tickMs = 1_000;
/** So long a market may be without a trusted book before it counts as silent; longer while it goes live. */
const patienceMs = 3_000;
const firstPatienceMs = 10_000;

/** Keeps a market live, and says when it falls silent. */
export function watchMarket(
  { exchange: id, market: name }: MarketName,
  { live, clock }: Pick<CexSourceContext, "live" | "clock">,
  { tick, silent }: WatchHandlers,
): MarketWatch {
  const closing = new AbortController();
  const exchange = [...live.heard()].find((each) => each.id === id);
  const market = () => exchange?.market(name);
  let freshAt = clock.now();
  let isSilent = false;
  let patience = firstPatienceMs;

  function isFresh(): boolean {
    const found = market();
    return found !== undefined && exchange?.isFresh(found) === true;
  }

  function look(): void {
    exchange?.want(name);
    if (isFresh()) {
      freshAt = clock.now();
      isSilent = false;
      patience = patienceMs;
    } else if (!isSilent && clock.now() - freshAt >= patience) {
      isSilent = true;
      silent(`nothing reliable is heard from ${id} about ${name}`);
    }
    tick?.();
  }

  async function run(): Promise<void> {
    // Whoever watches gets hold of this first.
    await Promise.resolve();
    while (!closing.signal.aborted) {
      look();
      await clock.sleep(tickMs, closing.signal);
    }
  }
  void run();

  return { exchange, market, isFresh, close: () => closing.abort() };
}
