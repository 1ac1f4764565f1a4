import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Recorder } from "../history/recorder.ts";
import type { ListedMarket } from "../market.ts";
import type { MarketStatus } from "../messages.ts";
import type { OrderBook } from "../order-book.ts";
import type { BookPublisher } from "./book-publisher.ts";
import type { FeedSink, Venue } from "./venue.ts";
import { type Watched, WatchList } from "./watch-list.ts";

/** A book that can be trusted just now. */
type LiveBook = { book: OrderBook; confirmedAt: number };

/** The markets of one exchange that are live. */
export type LiveSide = {
  /** Whether the exchange streams at all. */
  readonly canStream: boolean;
  /** Makes a market live, if the exchange can stream, and keeps it so for a while. */
  want(market: ListedMarket, options?: { isPermanent: boolean }): void;
  /** Those that are live already stay so. */
  keep(markets: readonly string[]): void;
  /** Stops what nobody asks for any more. */
  dropUnwanted(): void;
  book(market: string): LiveBook | undefined;
  /** When the exchange was last heard of a market that is live and trusted. */
  confirmedAt(market: string): number | undefined;
  isHeard(): boolean;
  /** The numbers of a book went on without its listeners: they get it anew before they hear that it is live. */
  overtake(market: string): void;
  statuses(): MarketStatus[];
  close(): Promise<void>;
};

type LiveSideOptions = {
  venue: Venue;
  publisher: BookPublisher;
  recorder: Recorder;
  clock: Clock;
  log: Log;
};

/** A market that has not been heard of for so long is not live. */
const silentAfterMs = 5_000;

/** Listens to an exchange's stream, hands books and trades on, and knows how far each can be trusted. */
export function openLiveSide(options: LiveSideOptions): LiveSide {
  const { venue, publisher, recorder, clock, log } = options;
  const watchList = new WatchList();
  const overtaken = new Set<string>();

  function confirm(market: string): Watched | undefined {
    const watched = watchList.get(market);
    if (watched) watched.confirmedAt = clock.now();
    return watched;
  }

  const sink: FeedSink = {
    book(market, update) {
      const watched = update.kind === "lost" ? watchList.get(market) : confirm(market);
      if (!watched) return;
      if (update.kind === "lost") {
        watched.state = "syncing";
        watched.resyncs++;
        log.warn({ market, reason: update.reason }, "a book cannot be trusted; getting it anew");
      } else if (update.kind === "whole") watched.state = "live";
      publisher.update(market, update);
    },
    trades(market, trades) {
      if (confirm(market)) recorder.add(market, trades);
    },
    tradesBegin(market) {
      if (watchList.get(market)) recorder.interrupted(market);
    },
    heard(markets) {
      for (const market of markets) confirm(market);
    },
    fault(market, fault) {
      const watched = watchList.get(market);
      if (watched) watched.faults[fault]++;
    },
    snapshot(market) {
      const watched = watchList.get(market);
      if (watched) watched.snapshots++;
    },
  };
  const feed = venue.openFeed(sink);

  const isFresh = ({ state, confirmedAt }: Watched) =>
    state === "live" && clock.now() - confirmedAt < silentAfterMs;

  function confirmedAt(market: string): number | undefined {
    const watched = watchList.get(market);
    return watched && isFresh(watched) ? watched.confirmedAt : undefined;
  }

  function liveBook(market: string): LiveBook | undefined {
    const book = feed?.book(market);
    const at = confirmedAt(market);
    return book && at !== undefined ? { book, confirmedAt: at } : undefined;
  }

  function repeatOvertaken(): void {
    for (const market of overtaken) {
      const live = liveBook(market);
      if (!live) continue;
      publisher.repeat(market, live.book);
      overtaken.delete(market);
    }
  }

  function statusOf({ market, state, confirmedAt, faults, resyncs, snapshots }: Watched) {
    const { lastTrade, tradesSince, gaps } = recorder.progressOf(market.id);
    const ofFeed = { market: market.id, state, confirmedAt, faults, resyncs, snapshots };
    return { ...ofFeed, lastTrade, tradesSince, gaps };
  }

  return {
    canStream: feed !== undefined,
    want(market, { isPermanent } = { isPermanent: false }) {
      const watched = watchList.get(market.id);
      if (watched) watched.wantedAt = clock.now();
      if (watched || !feed) return;
      watchList.add(market, { now: clock.now(), isPermanent });
      feed.watch(market);
      recorder.follow(market).catch((error) => {
        log.warn({ market: market.id, reason: messageOf(error) }, "no history of it yet");
      });
    },
    keep(markets) {
      for (const id of markets) {
        const watched = watchList.get(id);
        if (watched) watched.wantedAt = clock.now();
      }
    },
    dropUnwanted() {
      for (const market of watchList.takeUnwanted(clock.now())) {
        feed?.unwatch(market);
        recorder.unfollow(market);
        overtaken.delete(market);
        publisher.update(market, { kind: "lost", reason: "nobody asks for it any more" });
      }
    },
    book: liveBook,
    confirmedAt,
    isHeard: () => [...watchList.all()].some(isFresh),
    overtake(market) {
      if (watchList.get(market)) overtaken.add(market);
    },
    statuses() {
      repeatOvertaken();
      return [...watchList.all()].map(statusOf);
    },
    async close() {
      await feed?.close();
    },
  };
}
