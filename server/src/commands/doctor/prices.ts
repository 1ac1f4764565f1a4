import { supportedTokens } from "../../ramp/assets.ts";
import { marketsFor } from "../../ramp/rails/prices/market-prices.ts";
import type { RailSettings } from "../../ramp/rails/rail-settings.ts";
import { broken, type Finding, ok, warning } from "./check.ts";
import { countOf, someOf } from "./words.ts";

type PriceContext = {
  /** Markets by token. */
  markets: Readonly<Record<string, readonly string[]>>;
  settings: Pick<RailSettings["prices"], "leastSources">;
  /** Blockchains on which the ramp moves money. */
  blockchains: readonly string[];
  /** Exchanges that are served. */
  exchanges: readonly string[];
};

const setting = "ramp.rails.prices";

/** Whether every token that the ramp can move has enough markets to be priced by. */
export function priceFindings(context: PriceContext): Finding[] {
  const { markets, settings, blockchains, exchanges } = context;
  const symbols = new Set(
    supportedTokens
      .filter(({ blockchain }) => blockchains.includes(blockchain))
      .map(({ symbol }) => symbol),
  );
  const stablecoins = new Set(
    supportedTokens.filter(({ isStablecoin }) => isStablecoin).map(({ symbol }) => symbol),
  );
  const sources = (symbol: string) => marketsFor(symbol, markets).length;
  const without = [...symbols].filter((each) => sources(each) === 0 && !stablecoins.has(each));
  const withFew = [...symbols].filter(
    (each) => sources(each) > 0 && sources(each) < settings.leastSources,
  );
  const names = [...new Set(Object.values(markets).flat())];
  const strange = names.filter((name) => !exchanges.includes(name.slice(0, name.indexOf("/"))));
  const findings = [
    ...(without.length > 0 ? [unpriced(without)] : []),
    ...(withFew.length > 0 ? [tooFew(withFew, settings.leastSources)] : []),
    ...(strange.length > 0 ? [unserved(strange)] : []),
  ];
  if (findings.length > 0) return findings;
  return [ok(`${countOf(symbols.size, "token")} priced by ${countOf(names.length, "market")}`)];
}

function unpriced(symbols: readonly string[]): Finding {
  return warning({
    what: `No market prices ${someOf(symbols)}.`,
    why: "Without a price they are neither bought nor sold.",
    fix: `Name markets in ${setting}.markets, such as ETH: [kraken/ETH-USD], and configure their exchange.`,
  });
}

function tooFew(symbols: readonly string[], least: number): Finding {
  return broken({
    what: `${someOf(symbols)} have fewer markets than the ${least} that ${setting}.leastSources asks for.`,
    why: "They can never have a price, so they are neither bought nor sold.",
    fix: `Name more markets in ${setting}.markets, or lower ${setting}.leastSources.`,
  });
}

function unserved(names: readonly string[]): Finding {
  return broken({
    what: `${setting}.markets names ${someOf(names)}, whose exchange is not configured.`,
    why: "Nothing is heard of these markets, so they make no price.",
    fix: "Add the exchange to `exchanges`, with these markets.",
  });
}
