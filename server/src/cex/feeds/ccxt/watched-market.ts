import { backoffMs } from "../../../lib/backoff.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import type { ListedMarket } from "../../market.ts";
import { OrderBook } from "../../order-book.ts";
import type { FeedFault, FeedSink } from "../venue.ts";
import { changeBetween } from "./book-change.ts";
import { isKind, withoutUrls } from "./calls.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import type { Connections } from "./connections.ts";
import { readLevels, streamDepth } from "./read-book.ts";
import { readTrades } from "./read-trades.ts";

type WatchOptions = {
  exchange: CcxtExchange;
  connections: Connections;
  sink: FeedSink;
  clock: Clock;
  random: Random;
  log: Log;
};

/** At least a second between two subscriptions, and more each time. */
const pause = { firstMs: 2_000, mostMs: 60_000 };
/** What went well for so long earns a fresh start. */
const steadyMs = 30_000;
const giveUpMs = 3_600_000;
/** Where more than so much of a book is different, all of it is told. */
const wholeShare = 0.5;

/** One market that is streamed through ccxt. */
export class WatchedMarket {
  readonly market: ListedMarket;
  readonly #options: WatchOptions;
  readonly #stopping = new AbortController();
  readonly #book = new OrderBook();
  #isLive = false;

  constructor(market: ListedMarket, options: WatchOptions) {
    this.market = market;
    this.#options = options;
  }

  get book(): OrderBook | undefined {
    return this.#isLive ? this.#book : undefined;
  }

  start(): void {
    const { exchange } = this.#options;
    if (exchange.has.watchOrderBook === true) void this.#followBook();
    if (exchange.has.watchTrades === true) void this.#followTrades();
  }

  stop(): void {
    this.#stopping.abort();
    this.#isLive = false;
  }

  async #followBook(): Promise<void> {
    const { exchange, sink } = this.#options;
    const { symbol, id } = this.market;
    const levels = streamDepth(exchange.id, this.market);
    await this.#insist({
      subscribe: () => sink.snapshot(id),
      next: () => exchange.watchOrderBook(symbol, levels),
      hear: (book) => this.#hearBook(book),
      lost: (error) => this.#lose(faultOf(error), withoutUrls(error)),
    });
  }

  async #followTrades(): Promise<void> {
    const { exchange, sink } = this.#options;
    const { symbol, id } = this.market;
    let areFlowing = false;
    await this.#insist({
      subscribe: () => {},
      next: () => exchange.watchTrades(symbol),
      hear(value) {
        const trades = readTrades(value);
        if (!areFlowing) sink.tradesBegin(id);
        areFlowing = true;
        sink.trades(id, trades);
      },
      lost: () => {
        areFlowing = false;
      },
    });
  }

  /** Hears one thing after another, and begins anew when something goes wrong, until told to stop. */
  async #insist(subscription: Subscription): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stopping;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const begun = clock.now();
      subscription.subscribe();
      try {
        await this.#hearAll(subscription);
      } catch (error) {
        if (signal.aborted) return;
        subscription.lost(error);
        if (isHopeless(error)) await this.#giveUp(error);
      }
      if (clock.now() - begun >= steadyMs) attempt = 0;
      await clock.sleep(backoffMs(attempt, pause, random), signal);
    }
  }

  async #hearAll({ next, hear }: Subscription): Promise<void> {
    const { connections } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const value = await untilAborted(connections.use(this.market.id, next), signal);
      if (!signal.aborted) hear(value);
    }
  }

  /** What ccxt hands out goes on changing, so that everything is read at once. */
  #hearBook(value: unknown): void {
    const { sink } = this.#options;
    const { id } = this.market;
    const { bids, asks } = isObject(value) ? value : {};
    const levels = { bids: readLevels(bids), asks: readLevels(asks) };
    const change = changeBetween(this.#book, levels);
    this.#book.apply(change.bids, change.asks);
    if (this.#book.isCrossed) throw new CrossedBook();
    if (this.#isLive && sizeOf(change) === 0) return;
    const isWhole = !this.#isLive || sizeOf(change) > wholeShare * sizeOf(levels);
    this.#isLive = true;
    if (isWhole) sink.book(id, { kind: "whole", ...levels, nonce: undefined });
    else sink.book(id, { kind: "change", ...change, nonce: undefined });
  }

  #lose(fault: FeedFault, reason: string): void {
    const { sink, exchange, connections } = this.#options;
    const { id, symbol } = this.market;
    sink.fault(id, fault);
    if (this.#isLive) sink.book(id, { kind: "lost", reason });
    this.#isLive = false;
    if (fault === "crossed") connections.drop(id);
    // Where the connection goes on, ccxt has forgotten the book itself, and may be about to get it anew.
    if (fault !== "checksum" && fault !== "sequence") delete exchange.orderbooks[symbol];
  }

  /** It may have been a misunderstanding: after a long time it is worth another try. */
  async #giveUp(error: unknown): Promise<void> {
    const { log, clock } = this.#options;
    const { id: market } = this.market;
    log.warn({ market, reason: withoutUrls(error) }, "the exchange does not stream a market to us");
    await clock.sleep(giveUpMs, this.#stopping.signal);
  }
}

/** Something that is heard of again and again. */
type Subscription = {
  subscribe(): void;
  next(): Promise<unknown>;
  hear(value: unknown): void;
  lost(error: unknown): void;
};

/** Somebody offers to buy for more than somebody else asks: something was missed. */
class CrossedBook extends Error {
  constructor() {
    super("the book is crossed");
    this.name = "CrossedBook";
  }
}

/** The outcome of something, or nothing as soon as the signal aborts. */
function untilAborted(outcome: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined);
    signal.addEventListener("abort", leave);
    outcome.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function faultOf(error: unknown): FeedFault {
  if (error instanceof CrossedBook) return "crossed";
  if (isKind(error, "ChecksumError")) return "checksum";
  if (isKind(error, "InvalidNonce")) return "sequence";
  return isKind(error, "RequestTimeout") ? "silent" : "closed";
}

/** Trying again soon would not help. */
function isHopeless(error: unknown): boolean {
  return ["BadSymbol", "NotSupported", "AuthenticationError", "ArgumentsRequired"].some((kind) =>
    isKind(error, kind),
  );
}

function sizeOf({ bids, asks }: { bids: number[]; asks: number[] }): number {
  return bids.length + asks.length;
}
