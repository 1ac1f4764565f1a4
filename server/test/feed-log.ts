import type { BookUpdate, FeedFault, FeedSink } from "../src/cex/feeds/venue.ts";
import type { Trade } from "../src/cex/market.ts";
import { OrderBook } from "../src/cex/order-book.ts";
import type { Clock } from "../src/lib/clock.ts";
import { type Sides, sidesOf } from "./book-story.ts";

type MarketLog = {
  /** What was told of the book, in order. */
  updates: BookUpdate["kind"][];
  lostBecause: string[];
  /** The book as somebody has it who only listens. */
  replica: OrderBook | undefined;
  trades: Trade[];
  tradesBegan: number;
  heard: number;
  faults: FeedFault[];
  /** When whole books were asked for. */
  snapshots: number[];
};

/** A sink that remembers what it was told, and keeps a replica of each book. */
export type FeedLog = {
  sink: FeedSink;
  of(market: string): MarketLog;
  replica(market: string): Sides | undefined;
};

export function openFeedLog(clock: Clock): FeedLog {
  const logs = new Map<string, MarketLog>();

  function of(market: string): MarketLog {
    const log = logs.get(market) ?? {
      ...{ updates: [], lostBecause: [], replica: undefined, trades: [] },
      ...{ tradesBegan: 0, heard: 0, faults: [], snapshots: [] },
    };
    logs.set(market, log);
    return log;
  }

  const sink: FeedSink = {
    book(market, update) {
      const log = of(market);
      log.updates.push(update.kind);
      if (update.kind === "lost") {
        log.lostBecause.push(update.reason);
        log.replica = undefined;
      } else if (update.kind === "whole") {
        log.replica = new OrderBook();
        log.replica.reset(update.bids, update.asks);
      } else {
        log.replica?.apply(update.bids, update.asks);
      }
    },
    trades: (market, trades) => void of(market).trades.push(...trades),
    tradesBegin(market) {
      of(market).tradesBegan++;
    },
    heard(markets) {
      for (const market of markets) of(market).heard++;
    },
    fault: (market, fault) => void of(market).faults.push(fault),
    snapshot: (market) => void of(market).snapshots.push(clock.now()),
  };

  return {
    sink,
    of,
    replica(market) {
      const { replica } = of(market);
      return replica && sidesOf(replica);
    },
  };
}
