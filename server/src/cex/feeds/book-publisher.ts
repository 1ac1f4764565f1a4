import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Book } from "../market.ts";
import { type BookMessage, bookMessages } from "../messages.ts";
import type { Nonces } from "../nonces.ts";
import { flatLevels, type OrderBook } from "../order-book.ts";
import type { BookUpdate } from "./venue.ts";

/** How long changes are collected: so many messages a second at most, however wild the market is. */
const bundleMs = 5;

export type BookPublisher = {
  /** Tells what a feed said about a book. */
  update(market: string, update: BookUpdate): void;
  /** Tells a whole book to whoever missed something, and returns it. */
  repeat(market: string, book: OrderBook): Book;
};

type PublisherOptions = { exchange: string; bus: Bus; clock: Clock; nonces: Nonces };

/** Numbers the changes of an exchange's books and sends them in bundles. */
export function openBookPublisher({
  exchange,
  bus,
  clock,
  nonces,
}: PublisherOptions): BookPublisher {
  const topic = bookMessages(exchange);
  /** What those who listen have. Books that were asked for over REST get numbers too, but not here. */
  const told = new Map<string, number>();
  let bundle: BookMessage[] = [];
  /** The newest message of each market in the bundle. */
  let newest = new Map<string, BookMessage>();

  function flush(): void {
    const messages = bundle;
    bundle = [];
    newest = new Map();
    bus.publish(topic, messages);
  }

  function add(message: BookMessage): void {
    if (bundle.length === 0) void clock.sleep(bundleMs).then(flush);
    bundle.push(message);
    newest.set(message.market, message);
  }

  function change(market: string, update: BookUpdate & { kind: "change" }): void {
    const after = told.get(market) ?? 0;
    const nonce = nonces.next(market, "change", update.nonce);
    told.set(market, nonce);
    const before = newest.get(market);
    if (before?.kind === "change") {
      append(before.bids, update.bids);
      append(before.asks, update.asks);
      before.nonce = nonce;
      return;
    }
    const [bids, asks] = [Array.from(update.bids), Array.from(update.asks)];
    add({ market, kind: "change", after, nonce, bids, asks });
  }

  function whole(market: string, book: Book): void {
    told.set(market, book.nonce);
    add({ market, kind: "whole", ...book });
  }

  return {
    update(market, update) {
      if (update.kind === "lost") add({ market, ...update });
      else if (update.kind === "change") change(market, update);
      else {
        const nonce = nonces.next(market, "whole", update.nonce);
        whole(market, { nonce, bids: Array.from(update.bids), asks: Array.from(update.asks) });
      }
    },
    repeat(market, book) {
      const isNewest = told.get(market) === nonces.last(market);
      const nonce = (isNewest && told.get(market)) || nonces.next(market, "change", undefined);
      const repeated = { nonce, bids: flatLevels(book.bids), asks: flatLevels(book.asks) };
      whole(market, repeated);
      return repeated;
    },
  };
}

function append(levels: number[], more: ArrayLike<number>): void {
  for (let at = 0; at < more.length; at++) levels.push(more[at] ?? 0);
}
