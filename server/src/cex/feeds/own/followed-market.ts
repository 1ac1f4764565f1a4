import { messageOf } from "../../../lib/errors.ts";
import type { ListedMarket } from "../../market.ts";
import type { OrderBook } from "../../order-book.ts";
import type { FeedFault } from "../venue.ts";
import { BookTracker, type Verdict } from "./book-tracker.ts";
import type { FeedContext } from "./feed-context.ts";
import type { Said } from "./protocol.ts";

type MarketSaid = Exclude<Said, { kind: "gap" | "leave" }>;

/** A whole book that did not come by then is asked for again. */
const answerMs = 10_000;

/** One market of a feed: keeps its book right, and tells the sink. */
export class FollowedMarket {
  readonly id: string;
  readonly #market: ListedMarket;
  readonly #context: FeedContext;
  readonly #tracker: BookTracker;
  /** Has the connection subscribe to the book, or subscribe anew, which brings the whole of it. */
  readonly #subscribeBook: (isAnew: boolean) => void;
  readonly #asking = { attempts: 0, askedAt: 0 };
  #isAsking = false;
  /** Lasts as long as the connection. */
  #session: AbortController | undefined;
  #canAsk = false;
  #isBookSubscribed = false;
  #areTradesFlowing = false;
  #rightSince: number | undefined;

  constructor(
    market: ListedMarket,
    context: FeedContext,
    subscribeBook: (isAnew: boolean) => void,
  ) {
    const { levelsMost, checkOf } = context.protocol;
    this.id = market.id;
    this.#market = market;
    this.#context = context;
    this.#subscribeBook = subscribeBook;
    this.#tracker = new BookTracker({ levelsMost, check: checkOf?.(market) });
  }

  get book(): OrderBook | undefined {
    return this.#tracker.book;
  }

  /** The connection stands. */
  connected(): void {
    this.#session = new AbortController();
    this.#isBookSubscribed = false;
    this.#canAsk = this.#context.protocol.wholeBooks === "stream";
    void this.#askForBook();
  }

  /** The connection is gone: nothing that comes later follows what came before. */
  disconnected(fault: FeedFault, reason: string): void {
    if (!this.#session) return;
    this.stop();
    this.#areTradesFlowing = false;
    this.#tracker.lose();
    this.#tellLost(fault, reason);
  }

  /** Whatever is under way comes to nothing. */
  stop(): void {
    this.#session?.abort();
    this.#session = undefined;
    this.#isAsking = false;
  }

  hear(said: MarketSaid): void {
    switch (said.kind) {
      case "change":
        this.#judge(this.#tracker.change(said));
        break;
      case "whole":
        this.#judge(this.#tracker.whole(said.bids, said.asks, said.checksum));
        break;
      case "trades":
        this.#beginTrades();
        this.#context.sink.trades(this.id, said.trades);
        break;
      case "subscribed":
        if (said.channel === "trades") this.#beginTrades();
        else this.#beginBook();
        break;
      case "refused":
        this.#logRefusal(said.reason);
        break;
      case "garbled":
        this.#distrust();
    }
  }

  /** Another market of the same name is on the connection already: what flows for it flows for this one. */
  join(namesake: FollowedMarket): void {
    if (namesake.#areTradesFlowing) this.#beginTrades();
    this.#isBookSubscribed = namesake.#isBookSubscribed;
    if (namesake.#canAsk) this.#beginBook();
  }

  /** To be called about once a second. */
  look(): void {
    if (this.#context.clock.now() - this.#asking.askedAt >= answerMs) void this.#askForBook();
  }

  #judge(verdict: Verdict): void {
    if (verdict.kind === "nothing") return;
    if (verdict.kind === "told") {
      if (verdict.update.kind === "whole") this.#rightSince = this.#context.clock.now();
      this.#context.sink.book(this.id, verdict.update);
      return;
    }
    if (verdict.kind === "broken") this.#tellLost(verdict.fault, verdict.reason);
    void this.#askForBook();
  }

  /** Nobody knows whether it was about the book or about trades: both are made good. */
  #distrust(): void {
    this.#tracker.lose();
    this.#tellLost("sequence", "a message about the market makes no sense");
    this.#context.sink.tradesBegin(this.id);
    void this.#askForBook();
  }

  #tellLost(fault: FeedFault, reason: string): void {
    const { sink, budget } = this.#context;
    sink.fault(this.id, fault);
    if (this.#rightSince === undefined) return;
    budget.lost(this.#asking, this.#rightSince);
    this.#rightSince = undefined;
    sink.book(this.id, { kind: "lost", reason });
  }

  #logRefusal(reason: string): void {
    const market = this.id;
    this.#context.log.warn({ market, reason }, "the exchange refuses to stream a market");
  }

  #beginTrades(): void {
    if (this.#areTradesFlowing) return;
    this.#areTradesFlowing = true;
    this.#context.sink.tradesBegin(this.id);
  }

  /** From now on changes are heard: a snapshot that is taken later lacks none of those before. */
  #beginBook(): void {
    if (this.#canAsk) return;
    this.#canAsk = true;
    void this.#askForBook();
  }

  async #askForBook(): Promise<void> {
    const session = this.#session;
    if (!session || !this.#canAsk || this.#isAsking || this.book) return;
    const { protocol, budget, clock, sink } = this.#context;
    this.#isAsking = true;
    if (protocol.restLagMs > 0) await clock.sleep(protocol.restLagMs, session.signal);
    await budget.wait(this.#asking, session.signal);
    if (session.signal.aborted) return;
    this.#isAsking = false;
    // One that was late may have come in the meantime.
    if (this.book) return;
    sink.snapshot(this.id);
    if (protocol.wholeBooks === "rest") return this.#fetchBook(session.signal);
    this.#subscribeBook(this.#isBookSubscribed);
    this.#isBookSubscribed = true;
  }

  async #fetchBook(signal: AbortSignal): Promise<void> {
    const { snapshot, log } = this.#context;
    this.#isAsking = true;
    const fetched = await snapshot(this.#market).catch((error) => {
      log.debug({ market: this.id, reason: messageOf(error) }, "cannot get a whole book");
      return undefined;
    });
    if (signal.aborted) return;
    this.#isAsking = false;
    this.#judge(fetched ? this.#tracker.snapshot(fetched) : { kind: "stale" });
  }
}
