import type { ServedBook } from "../../cex/live/served-book.ts";
import type { Levels } from "../../cex/market.ts";
import { type BookMessage, bookMessages } from "../../cex/messages.ts";
import { type BookSide, flatLevels, OrderBook } from "../../cex/order-book.ts";
import type { MarketName } from "../../cex/store/markets.ts";
import { messageOf } from "../../lib/errors.ts";
import { Saying } from "../message.ts";
import { type StateSource, type StateUpdate, staleSaying } from "../source.ts";
import { type CexSourceContext, watchMarket } from "./market-watch.ts";

/** Changes are told together, so many times a second at most. */
const bundleMs = 100;
/** How often the exchange is asked for a book that is not live. */
const askEveryTicks = 3;

/** A market's book. Everybody is told the same states: in between there are others that nobody hears of. */
export function openBookSource(name: MarketName, context: CexSourceContext): StateSource {
  const { bus, live, clock, log } = context;
  const listeners = new Set<(update: StateUpdate) => void>();
  const closing = new AbortController();
  const told = new ToldBook();
  let isBundling = false;
  let toldAt = Number.NEGATIVE_INFINITY;
  let ticks = 0;

  function tell(update: StateUpdate | undefined): void {
    if (!update) return;
    toldAt = clock.now();
    for (const hear of [...listeners]) hear(update);
  }

  function flush(): void {
    isBundling = false;
    if (closing.signal.aborted) return;
    const book = watch.market()?.book;
    if (book) tell(told.update(book));
  }

  function bundle(): void {
    if (isBundling) return;
    isBundling = true;
    const waitMs = Math.max(0, Math.min(bundleMs, toldAt + bundleMs - clock.now()));
    void clock.sleep(waitMs, closing.signal).then(flush);
  }

  function hear(messages: readonly BookMessage[]): void {
    let isOurs = false;
    for (const message of messages) {
      if (message.market !== name.market) continue;
      isOurs = true;
      told.note(message);
    }
    if (isOurs) bundle();
  }

  /** A book that is not live comes as an answer of the exchange, now and then. */
  async function ask(): Promise<void> {
    try {
      const { value } = await live.book(name.exchange, name.market);
      if (!closing.signal.aborted && !watch.market()?.book) tell(told.whole(value));
    } catch (error) {
      log.debug({ ...name, reason: messageOf(error) }, "a book that is listened to cannot be had");
    }
  }

  const watch = watchMarket(name, context, {
    tick() {
      if (watch.market()?.book) bundle();
      else if (ticks++ % askEveryTicks === 0) void ask();
    },
    silent: (reason) => tell({ kind: "note", saying: staleSaying(reason) }),
  });
  const stopListening = bus.subscribe(bookMessages(name.exchange), hear);

  return {
    kind: "state",
    ready: Promise.resolve(),
    listeners,
    whole: () => told.saying(),
    close() {
      closing.abort();
      stopListening();
      watch.close();
    },
  };
}

/** The book as everybody has been told of it, and what has happened to it since. */
class ToldBook {
  readonly #levels = new OrderBook();
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();
  /** The state that was told; nothing before the first. */
  #nonce: number | undefined;
  /** The state after the changes that were noted; nothing when one is missing. */
  #reached: number | undefined;
  #whole: Saying | undefined;

  /** Remembers what a message changes. */
  note(message: BookMessage): void {
    if (message.kind === "change" && message.after === this.#reached) {
      setAll(this.#bids, message.bids);
      setAll(this.#asks, message.asks);
      this.#reached = message.nonce;
    } else if (message.kind !== "whole" || message.nonce !== this.#reached) {
      this.#reached = undefined;
    }
  }

  /** What leads to the book as it is now; nothing when that has been told. */
  update(book: ServedBook): StateUpdate | undefined {
    if (this.#nonce === undefined || book.nonce !== this.#reached) return this.whole(book);
    if (book.nonce === this.#nonce) return undefined;
    const [after, bids, asks] = [this.#nonce, [...this.#bids].flat(), [...this.#asks].flat()];
    this.#levels.apply(bids, asks);
    this.#become(book.nonce);
    const levels = `"bids":[${pairs(bids)}],"asks":[${pairs(asks)}]`;
    const saying = new Saying("bookChange", `"after":${after},"nonce":${book.nonce},${levels}`);
    return { kind: "change", saying };
  }

  /** Another book in the place of the one that was told; nothing when it is the same. */
  whole({ nonce, levels }: ServedBook): StateUpdate | undefined {
    if (nonce === this.#nonce) {
      this.#become(nonce);
      return undefined;
    }
    this.#levels.reset(flatLevels(levels.bids), flatLevels(levels.asks));
    this.#become(nonce);
    const saying = this.saying();
    return saying && { kind: "whole", saying };
  }

  #become(nonce: number): void {
    this.#nonce = nonce;
    this.#reached = nonce;
    this.#bids.clear();
    this.#asks.clear();
    this.#whole = undefined;
  }

  /** The whole book as it was told, written once. */
  saying(): Saying | undefined {
    if (this.#nonce === undefined) return undefined;
    const side = (levels: BookSide) => pairs(flatLevels(levels));
    this.#whole ??= new Saying(
      "book",
      `"nonce":${this.#nonce},"bids":[${side(this.#levels.bids)}],"asks":[${side(this.#levels.asks)}]`,
    );
    return this.#whole;
  }
}

function setAll(sizes: Map<number, number>, levels: Levels): void {
  for (let at = 0; at < levels.length; at += 2) sizes.set(levels[at] ?? 0, levels[at + 1] ?? 0);
}

/** Adding up text is several times as fast as `JSON.stringify` of the same pairs. */
function pairs(levels: readonly number[]): string {
  let text = "";
  for (let at = 0; at < levels.length; at += 2) {
    text += `${at === 0 ? "" : ","}[${levels[at]},${levels[at + 1]}]`;
  }
  return text;
}
