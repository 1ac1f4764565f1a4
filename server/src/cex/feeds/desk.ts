import type { CexExchange, CexStatus } from "@slipway/sdk";
import type { Bus } from "../../bus/bus.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { CallerError, messageOf } from "../../lib/errors.ts";
import { keepAnswers } from "../../lib/kept-answers.ts";
import type { Log } from "../../lib/log.ts";
import { type MarketIndex, openMarketIndex } from "../find-market.ts";
import { openRecorder } from "../history/recorder.ts";
import type { Book, ListedMarket } from "../market.ts";
import { exchangeStatuses, type Reply, tradeMessages, wantedMarkets } from "../messages.ts";
import { openNonces } from "../nonces.ts";
import { openBookPublisher } from "./book-publisher.ts";
import { openListing } from "./listing.ts";
import { openLiveSide } from "./live-side.ts";
import { type Finding, replyWith } from "./replies.ts";
import type { Venue } from "./venue.ts";

/** Everything there is to ask about one exchange. */
export type Desk = {
  readonly exchange: CexExchange;
  status(): Promise<Reply<CexStatus>>;
  markets(): Promise<Reply<ListedMarket[]>>;
  book(market: string): Promise<Reply<Book>>;
  price(market: string): Promise<Reply<Price>>;
  history(market: string): Promise<Reply<null>>;
  candles(market: string, timeframe: string, from: number): Promise<Reply<null>>;
  close(): Promise<void>;
};

type Price = { price: number; time: number };

type DeskOptions = {
  venue: Venue;
  /** Markets that are live from the start. */
  markets: readonly string[];
  db: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
};

const statusEveryMs = 1_000;
const pollEveryMs = 30_000;
const retryEveryMs = 2_000;
const bookKeptMs = 1_000;
const priceKeptMs = 1_000;
const tradesKeptMs = 2_000;

/**
 * Runs one exchange: what is asked for goes live, what is live is published, and the rest is asked over REST, once for
 * all who want it.
 */
export function openDesk({ venue, markets, db, bus, clock, log: parentLog }: DeskOptions): Desk {
  const exchange = venue.exchange.id;
  const log = parentLog.child({ exchange });
  const stopping = new AbortController();
  const nonces = openNonces(clock);
  const listing = openListing({ db, venue, clock, log });
  const books = keepAnswers<Book>(clock, bookKeptMs);
  const prices = keepAnswers<Price>(clock, priceKeptMs);
  const refreshes = keepAnswers<void>(clock, tradesKeptMs);
  const recorder = openRecorder({
    db,
    venue,
    clock,
    log,
    published: (market, trades) =>
      bus.publish(tradeMessages(exchange), [{ market, trades: [...trades] }]),
  });
  const publisher = openBookPublisher({ exchange, bus, clock, nonces });
  const liveSide = openLiveSide({ venue, publisher, recorder, clock, log });
  let index: { of: readonly ListedMarket[]; markets: MarketIndex } | undefined;
  let status: CexStatus | undefined;

  async function findMarket(text: string): Promise<ListedMarket> {
    const { value } = await listing();
    if (index?.of !== value) index = { of: value, markets: openMarketIndex(value) };
    const market = index.markets.find(text);
    if (market) return market;
    throw new CallerError("not_found", `${venue.exchange.name} has no market ${text}.`);
  }

  async function findWanted(text: string): Promise<ListedMarket> {
    const market = await findMarket(text);
    if (!stopping.signal.aborted) liveSide.want(market);
    return market;
  }

  async function findBook(text: string): Promise<Finding<Book>> {
    const market = await findWanted(text);
    const live = liveSide.book(market.id);
    if (live) {
      const value = publisher.repeat(market.id, live.book);
      return { value, at: live.confirmedAt, source: "websocket" };
    }
    const dated = await books(market.id, async () => {
      const { nonce, ...levels } = await venue.book(market);
      liveSide.overtake(market.id);
      return { nonce: nonces.next(market.id, "whole", nonce), ...levels };
    });
    return { ...dated, source: "rest" };
  }

  async function findPrice(text: string): Promise<Finding<Price>> {
    const market = await findWanted(text);
    const last = recorder.progressOf(market.id).lastTrade;
    const at = liveSide.confirmedAt(market.id);
    if (last && at !== undefined) {
      return { value: { price: Number(last.price), time: last.time }, at, source: "websocket" };
    }
    const dated = await prices(market.id, async () => {
      const { price, time } = await venue.price(market);
      return { price, time: time ?? clock.now() };
    });
    return { ...dated, source: "rest" };
  }

  async function findHistory(text: string): Promise<Finding<null>> {
    const market = await findWanted(text);
    if (liveSide.canStream) await recorder.follow(market);
    else await refreshes(market.id, () => recorder.refresh(market));
    const at = liveSide.confirmedAt(market.id) ?? clock.now();
    return { value: null, at, source: "store" };
  }

  async function findCandles(
    text: string,
    timeframe: string,
    from: number,
  ): Promise<Finding<null>> {
    const market = await findMarket(text);
    await recorder.ensureCandles(market, timeframe, from);
    return { value: null, at: clock.now(), source: "store" };
  }

  /** Asks something small, to see whether anybody answers. */
  async function probe(): Promise<void> {
    const { value } = await listing();
    const market = value.find(({ active }) => active) ?? value[0];
    if (market) await venue.price(market);
  }

  /** What the exchange says of itself; where it says nothing, whether we hear from it. */
  async function findStatus(): Promise<CexStatus> {
    try {
      const told = await venue.status();
      if (told) return told;
      if (!liveSide.isHeard()) await probe();
      return { status: "ok", updated: clock.now() };
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "the exchange does not answer");
      return { status: "error", updated: clock.now() };
    }
  }

  /** Does something again and again until the desk closes. */
  async function repeat(everyMs: number, work: () => unknown): Promise<void> {
    while (!stopping.signal.aborted) {
      await work();
      await clock.sleep(everyMs, stopping.signal);
    }
  }

  function tell(): void {
    liveSide.dropUnwanted();
    const known = status ?? { status: "ok", updated: clock.now() };
    const at = clock.now();
    bus.publish(exchangeStatuses, { exchange, at, status: known, markets: liveSide.statuses() });
  }

  /** An exchange that does not answer yet is asked until it does. */
  async function watchConfigured(text: string): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return liveSide.want(await findMarket(text), { isPermanent: true });
      } catch (error) {
        log.warn({ market: text, reason: messageOf(error) }, "a configured market is not live");
        if (error instanceof CallerError) return;
      }
      await clock.sleep(retryEveryMs, stopping.signal);
    }
  }

  const stopListening = bus.subscribe(wantedMarkets, (wanted) => {
    if (wanted.exchange === exchange) liveSide.keep(wanted.markets);
  });
  const running = [
    ...markets.map(watchConfigured),
    repeat(statusEveryMs, tell),
    repeat(pollEveryMs, async () => {
      status = await findStatus();
    }),
  ];

  return {
    exchange: venue.exchange,
    status: () =>
      replyWith(log, async () => {
        status ??= await findStatus();
        return { value: status, at: status.updated, source: "rest" };
      }),
    markets: () => replyWith(log, async () => ({ ...(await listing()), source: "rest" })),
    book: (market) => replyWith(log, () => findBook(market)),
    price: (market) => replyWith(log, () => findPrice(market)),
    history: (market) => replyWith(log, () => findHistory(market)),
    candles: (market, timeframe, from) =>
      replyWith(log, () => findCandles(market, timeframe, from)),
    async close() {
      stopping.abort();
      stopListening();
      await liveSide.close();
      await recorder.close();
      await venue.close();
      await Promise.all(running);
    },
  };
}
