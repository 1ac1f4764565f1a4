import type { ConfiguredExchange } from "../../cex/configured.ts";
import { openVenue } from "../../cex/feeds/ccxt/open-venue.ts";
import type { Venue } from "../../cex/feeds/venue.ts";
import { openMarketIndex } from "../../cex/find-market.ts";
import type { ListedMarket } from "../../cex/market.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { broken, type Finding, ok } from "./check.ts";
import { countOf, someOf } from "./words.ts";

type ExchangeOptions = {
  exchange: ConfiguredExchange;
  /** Markets there that make prices of the ramp. */
  priceMarkets: readonly string[];
  clock: Clock;
  random: Random;
  log: Log;
};

/** How many books are asked for: an exchange lets few questions pass in a second. */
const booksMost = 5;

/** How an exchange answers those whom it does not serve. */
const blockedStatus = /\b(?:403|451)\b/;

/** Whether an exchange answers from here, has the markets that are configured, and prices in them. */
export async function exchangeFindings(options: ExchangeOptions): Promise<Finding[]> {
  const { exchange, priceMarkets, clock, random, log } = options;
  const venue = await openVenue({ exchange, clock, random, log });
  try {
    const markets = await venue.markets();
    const index = openMarketIndex(markets);
    const wanted = [...new Set([...exchange.markets, ...priceMarkets])];
    const missing = wanted.filter((name) => !index.find(name));
    const findings = missing.length > 0 ? [missingMarkets(exchange.id, missing)] : [];
    const priced = priceMarkets.flatMap((name) => index.find(name) ?? []);
    findings.push(...(await priceFindings(venue, priced.slice(0, booksMost))));
    return findings.length > 0
      ? findings
      : [ok(`${venue.exchange.name} answers: ${countOf(markets.length, "market")}`)];
  } catch (error) {
    return [unreachable(exchange.id, error)];
  } finally {
    await venue.close();
  }
}

function missingMarkets(id: string, missing: readonly string[]): Finding {
  return broken({
    what: `${id} has no market ${someOf(missing)}.`,
    why: "Nothing is recorded of it, and no price can be made of it.",
    fix: `Look for its name with GET /v2/cex/${id}/markets, and correct exchanges.${id}.markets or ramp.rails.prices.markets.`,
  });
}

/** The ramp makes prices of the best offers: without any there is none. */
async function priceFindings(venue: Venue, markets: readonly ListedMarket[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const market of markets) {
    const { bids, asks } = await venue.book(market);
    if (bids.length > 0 && asks.length > 0) continue;
    findings.push(
      broken({
        what: `Nobody offers anything at ${venue.exchange.id}/${market.id}.`,
        why: "It makes no price, so what is priced by it alone is not exchanged.",
        fix: "Name other markets in ramp.rails.prices.markets.",
      }),
    );
  }
  return findings;
}

function unreachable(id: string, error: unknown): Finding {
  const cause = error instanceof Error ? messageOf(error.cause) : "";
  if (blockedStatus.test(cause)) {
    return broken({
      what: `${id} refuses to serve this machine (${blockedStatus.exec(cause)?.[0]}).`,
      why: "It does not serve the country or the hosting company of this address, so nothing of it can be had from here.",
      fix: `Run the role cex where it is allowed, reach it through a proxy with exchanges.${id}.baseUrl, or remove exchanges.${id}.`,
    });
  }
  return broken({
    what: messageOf(error),
    why: `No books, trades or prices of ${id} can be had from this machine.`,
    fix: `Look whether this machine may reach the exchange (firewall, proxy, exchanges.${id}.baseUrl), or remove exchanges.${id}.`,
  });
}
