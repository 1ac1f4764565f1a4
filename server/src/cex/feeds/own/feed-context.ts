import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import type { ListedMarket } from "../../market.ts";
import type { BookSnapshot, Feed, FeedSink } from "../venue.ts";
import type { Protocol } from "./protocol.ts";
import type { SnapshotBudget } from "./snapshot-budget.ts";

/** What a feed of our own is opened with. */
export type FeedOptions = {
  /** Looks up one of ccxt's URLs by the path to it, such as `ws.publicV2`. */
  urls: (name: string) => string;
  /** The book over REST, within the exchange's rate limit. */
  snapshot(market: ListedMarket): Promise<BookSnapshot>;
  sink: FeedSink;
  clock: Clock;
  random: Random;
  log: Log;
};

/** Opens the stream of one exchange. */
export type OpenFeed = (options: FeedOptions) => Feed;

/** What all parts of one feed share. */
export type FeedContext = FeedOptions & { protocol: Protocol; budget: SnapshotBudget };
