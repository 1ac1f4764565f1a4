import type { Queryable } from "../../database/database.ts";
import { CallerError, UnavailableError } from "../../lib/errors.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { Finding } from "../feeds/replies.ts";
import { type MarketIndex, openMarketIndex } from "../find-market.ts";
import type { ListedMarket } from "../market.ts";
import { marketsInquiry } from "../messages.ts";
import { readListing } from "../store/listings.ts";
import { openQuestions, type QuestionContext } from "./questions.ts";

const hourMs = 3_600_000;
/** A list that is older than this may lack a market that was opened since. */
const renewMs = 60_000;
/** Longer names are nobody's, and looking for what they resemble would take a while. */
const nameLengthMost = 40;

/** Which markets exchanges have. */
export type Listings = {
  all(exchange: string): Promise<Finding<ListedMarket[]>>;
  /** A market by its id, its symbol or the exchange's own name, in any case; 404 when there is none. */
  find(exchange: string, name: string): Promise<Finding<ListedMarket>>;
};

type ListingOptions = QuestionContext & { db: Queryable };

/** Lists are kept for an hour. While nobody can tell, the one that was stored last serves. */
export function openListings(options: ListingOptions): Listings {
  const { db, clock } = options;
  const ask = openQuestions(marketsInquiry, options, { freshMs: hourMs, keptMs: 24 * hourMs });

  /** Each list is indexed once. */
  const indexes = new WeakMap<ListedMarket[], MarketIndex>();

  function findIn(markets: ListedMarket[], name: string): ListedMarket | undefined {
    const index = indexes.get(markets) ?? openMarketIndex(markets);
    indexes.set(markets, index);
    return index.find(name);
  }

  async function all(exchange: string, freshMs = hourMs): Promise<Finding<ListedMarket[]>> {
    try {
      return await ask({ exchange }, freshMs);
    } catch (error) {
      const stored = error instanceof UnavailableError && (await readListing(db, exchange));
      if (!stored) throw error;
      return { ...stored, source: "store" };
    }
  }

  return {
    all: (exchange) => all(exchange),
    async find(exchange, name) {
      let listing = await all(exchange);
      let market = findIn(listing.value, name);
      if (!market && clock.now() - listing.at > renewMs) {
        listing = await all(exchange, renewMs);
        market = findIn(listing.value, name);
      }
      if (!market) throw unknownMarket(exchange, name, listing.value);
      return { ...listing, value: market };
    },
  };
}

function unknownMarket(
  exchange: string,
  name: string,
  markets: readonly ListedMarket[],
): CallerError {
  const ids = name.length > nameLengthMost ? [] : markets.map(({ id }) => id);
  const meant = didYouMean(name.replace("/", "-"), ids);
  return new CallerError(
    "not_found",
    `${exchange} has no such market.${meant} GET /v2/cex/${exchange}/markets lists those there are.`,
  );
}
