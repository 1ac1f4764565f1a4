import { BookChannel } from "./book-channel.ts";
import type { FaultDesk } from "./faults.ts";
import type { Floor } from "./floor.ts";
import type { Market } from "./market.ts";
import { dayOf } from "./rest.ts";
import { candlesText, tickerText, tradesText } from "./stream-messages.ts";
import type { Subscription } from "./stream-requests.ts";
import type { TapeTrade } from "./tape.ts";

const tradesInSnapshot = 50;
const candlesInSnapshot = 100;

/** What the channels of the exchange say, whoever hears it. */
export class Channels {
  readonly #floor: Floor;
  readonly #faults: FaultDesk;
  readonly #books = new Map<string, BookChannel>();

  constructor(floor: Floor, faults: FaultDesk) {
    this.#floor = floor;
    this.#faults = faults;
  }

  /** The state that a newcomer starts with; books and trades at once, so that nothing happens between. */
  snapshot(subscription: Subscription): string | Promise<string> {
    const { channel, market, depth = 0 } = subscription;
    if (channel === "book") return this.#book(market, depth).snapshot();
    if (channel !== "trade") return this.#figures("snapshot", subscription, candlesInSnapshot);
    const { time } = this.#floor.live(market);
    const trades = this.#floor.history(market).latest(time, tradesInSnapshot);
    return tradesText("snapshot", market, trades);
  }

  /** What has changed in a book since the last time, faults included. */
  bookUpdates(market: Market, depth: number): string[] {
    return this.#book(market, depth).updates();
  }

  /** Nobody hears of this book any more. */
  forgetBook(market: Market, depth: number): void {
    this.#books.delete(bookKey(market, depth));
  }

  /** New trades, faults included. */
  tradeUpdates(market: Market, trades: readonly TapeTrade[]): string[] {
    if (this.#faults.take("dropTrades", market.symbol)) return [];
    const text = tradesText("update", market, trades);
    return this.#faults.take("repeatTrades", market.symbol) ? [text, text] : [text];
  }

  /** A ticker or a candle after trades. */
  figureUpdate(subscription: Subscription): Promise<string> {
    return this.#figures("update", subscription, 1);
  }

  async #figures(
    kind: "snapshot" | "update",
    { channel, market, interval = 1 }: Subscription,
    candlesMost: number,
  ): Promise<string> {
    if (channel === "ticker") return tickerText(kind, market, await dayOf(this.#floor, market));
    const { now } = this.#floor;
    const candles = await this.#floor.history(market).candles(interval * 60, now, candlesMost);
    return candlesText(kind, market, interval, candles, now);
  }

  #book(market: Market, depth: number): BookChannel {
    const key = bookKey(market, depth);
    const book = this.#books.get(key) ?? new BookChannel(market, depth, this.#floor, this.#faults);
    this.#books.set(key, book);
    return book;
  }
}

function bookKey({ symbol }: Market, depth: number): string {
  return `${symbol} ${depth}`;
}
