import { setMaxListeners } from "node:events";
import type { Clock } from "../../../lib/clock.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { asPriceE18, formatDecimal } from "../../../lib/money.ts";
import { supportedTokens } from "../../assets.ts";
import type { Prices } from "../../ports.ts";
import type { RailSettings } from "../rail-settings.ts";
import { fairPrice, type Refusal, readSighting, type Sighting, weightedMid } from "./fair-price.ts";

/** What one market says: its best offers, and how much lies behind them. */
export type MarketQuote = {
  /** Exchange and market: `kraken/ETH-USD`. */
  market: string;
  bid: string;
  ask: string;
  /** What markets are weighed by, such as the worth of the orders near the best: the same measure for all of a token. */
  volume: string;
  /** When it was true, in Unix milliseconds. */
  at: number;
};

/** What a decentralized exchange says. */
export type CrossPrice = { source: string; priceE18: bigint; at: number };

/** What the ramp asks our own market data. */
export type MarketData = {
  quotes(market: string): Promise<MarketQuote | undefined>;
  /** The price on a decentralized exchange, to compare with. */
  crossPrice(symbol: string): Promise<CrossPrice | undefined>;
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

type Price = NonNullable<ReturnType<Prices["current"]>>;

const askEveryMs = 1_000;
/** As many decimals as a price needs to be recognised. */
const shownDecimals = 8;
const par: Price = { priceE18: asPriceE18(10n ** 18n), sources: ["par"] };
const stablecoins = new Set(
  supportedTokens.filter(({ isStablecoin }) => isStablecoin).map(({ symbol }) => symbol),
);

/** Makes prices of what our own markets say. None is better than one that cannot be trusted. */
export function openMarketPrices(options: MarketPricesOptions): MarketPrices {
  const { data, markets, clock, log } = options;
  const { staleSeconds, disagreePercent, leastSources } = options.settings;
  const tolerance = { disagreeMillionths: BigInt(Math.round(disagreePercent * 10_000)) };
  const quotes = new Map<string, MarketQuote>();
  const crossPrices = new Map<string, CrossPrice>();
  /** By market, while it cannot be asked. */
  const problems = new Map<string, string>();
  /** By symbol, while there is no price. */
  const causes = new Map<string, string>();

  const isFresh = ({ at }: { at: number }) => Math.abs(clock.now() - at) <= staleSeconds * 1_000;

  async function askMarket(market: string): Promise<void> {
    try {
      const quote = await data.quotes(market);
      if (quote) quotes.set(market, quote);
      problems.delete(market);
    } catch (error) {
      problems.set(market, messageOf(error));
    }
  }

  /** Without an answer there is nothing to compare with; what was told before grows stale by itself. */
  async function askCrossPrice(symbol: string): Promise<void> {
    const price = await data.crossPrice(symbol).catch(() => undefined);
    if (price) crossPrices.set(symbol, price);
  }

  function priceOf(symbol: string, names: readonly string[]): Price | Refusal {
    const usable = names.flatMap((name) => {
      const quote = quotes.get(name);
      const sighting = quote && isFresh(quote) ? readSighting(quote) : undefined;
      return quote && sighting ? [{ ...sighting, at: quote.at }] : [];
    });
    if (usable.length < leastSources) return tooFew(names, usable);
    const known = crossPrices.get(symbol);
    const cross = known && isFresh(known) ? known : undefined;
    const fair = fairPrice(usable, cross, tolerance);
    if ("cause" in fair) return fair;
    const sources = usable.map(
      (each) =>
        `${each.market} ${shown(weightedMid([each]))} at ${new Date(each.at).toISOString()}`,
    );
    if (cross) sources.push(`${cross.source} ${shown(cross.priceE18)}`);
    return { ...fair, sources };
  }

  function tooFew(names: readonly string[], usable: readonly Sighting[]): Refusal {
    const wellKnown = new Set(usable.map(({ market }) => market));
    const silent = names.filter((name) => !wellKnown.has(name));
    const faults = silent.map((name) => `; ${name}: ${faultOf(name)}`);
    return {
      cause: `too few markets: ${silent.join(", ")}`,
      detail: `${usable.length} markets can be used of the ${leastSources} needed${faults.join("")}`,
    };
  }

  function faultOf(market: string): string {
    const quote = quotes.get(market);
    if (!quote) return problems.get(market) ?? "nothing has been heard of it";
    if (!isFresh(quote)) return problems.get(market) ?? `silent for more than ${staleSeconds} s`;
    return `its best offers are ${quote.bid} and ${quote.ask}`;
  }

  function refuse(symbol: string, { cause, detail }: Refusal): undefined {
    if (causes.get(symbol) === cause) return;
    causes.set(symbol, cause);
    log.warn(
      { symbol, reason: detail },
      "there is no price that can be trusted, so this token is not exchanged; " +
        "look at the health of the exchanges, and at ramp.rails.prices",
    );
  }

  return {
    current({ symbol }) {
      const names = marketsFor(symbol, markets);
      if (names.length === 0) {
        if (stablecoins.has(symbol)) return par;
        return refuse(symbol, { cause: "no market", detail: "no market is configured for it" });
      }
      const price = priceOf(symbol, names);
      if ("cause" in price) return refuse(symbol, price);
      if (causes.delete(symbol)) log.info({ symbol }, "there is a price again");
      return price;
    },

    async run(signal) {
      // Every loop listens for the end, so that this many are no leak.
      setMaxListeners(0, signal);
      /** Each has a loop of its own: one that is slow holds up no other, and is not asked twice at a time. */
      async function keepAsking(ask: () => Promise<void>): Promise<void> {
        while (!signal.aborted) {
          await doneOrAborted(ask(), signal);
          await clock.sleep(askEveryMs, signal);
        }
      }
      const names = new Set(Object.values(markets).flat());
      const symbols = new Set(Object.keys(markets).filter((symbol) => markets[symbol]?.length));
      if (symbols.has("ETH")) symbols.add("WETH");
      await Promise.all([
        ...[...names].map((name) => keepAsking(() => askMarket(name))),
        ...[...symbols].map((symbol) => keepAsking(() => askCrossPrice(symbol))),
      ]);
    },
  };
}

/** Wrapped ether is ether: where it has no markets of its own, those of ether count. */
export function marketsFor(
  symbol: string,
  markets: MarketPricesOptions["markets"],
): readonly string[] {
  const own = Object.hasOwn(markets, symbol) ? (markets[symbol] ?? []) : [];
  return own.length === 0 && symbol === "WETH" ? (markets.ETH ?? []) : own;
}

/** Resolves when the work is done, or at once when the signal aborts. */
function doneOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    void work.then(end);
  });
}

function shown(priceE18: bigint): string {
  return formatDecimal(priceE18 / 10n ** BigInt(18 - shownDecimals), shownDecimals);
}
