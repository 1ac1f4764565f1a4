import type { Queryable } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { type Dated, keepAnswers } from "../../lib/kept-answers.ts";
import type { Log } from "../../lib/log.ts";
import type { ListedMarket } from "../market.ts";
import { readListing, writeListing } from "../store/listings.ts";
import type { Venue } from "./venue.ts";

const keptForMs = 3_600_000;
/** After a failure the exchange is left alone for so long. */
const retryAfterMs = 10_000;

type ListingOptions = { db: Queryable; venue: Venue; clock: Clock; log: Log };

/** Returns a function that tells the markets of an exchange: the exchange's word, or what it said before. */
export function openListing({ db, venue, clock, log }: ListingOptions) {
  const exchange = venue.exchange.id;
  const keep = keepAnswers<Dated<ListedMarket[]>>(clock, retryAfterMs);
  let known: Dated<ListedMarket[]> | undefined;

  async function load(): Promise<Dated<ListedMarket[]>> {
    try {
      const listing = { value: await venue.markets(), at: clock.now() };
      await writeListing(db, exchange, listing);
      return listing;
    } catch (error) {
      const earlier = known ?? (await readListing(db, exchange));
      if (!earlier) throw error;
      const reason = messageOf(error);
      log.warn({ exchange, reason }, "the list of markets is an older one: there is no new one");
      return earlier;
    }
  }

  return async (): Promise<Dated<ListedMarket[]>> => {
    if (known && clock.now() - known.at < keptForMs) return known;
    const { value } = await keep("", load);
    known = value;
    return value;
  };
}
