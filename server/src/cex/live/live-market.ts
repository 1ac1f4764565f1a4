import type { CexPrice } from "@slipway/sdk";
import { Ready } from "../../http/ready.ts";
import type { Finding } from "../feeds/replies.ts";
import type { Trade } from "../market.ts";
import type { BookMessage, MarketStatus } from "../messages.ts";
import { ServedBook } from "./served-book.ts";

/** One market as its messages tell of it. */
export class LiveMarket {
  readonly exchange: string;
  readonly id: string;
  status: MarketStatus | undefined;
  /** When the exchange was last heard of this market, by our clock. */
  confirmedAt = 0;
  /** Whether its trades are in the tables and stay complete. */
  hasHistory = false;
  /** Since when candles are in the tables, by timeframe. */
  readonly candlesFrom = new Map<string, number>();
  /** The book as it is now; nothing when a change was missed. */
  book: ServedBook | undefined;
  /** The book as it was when we last had it. */
  #earlierBook: Finding<ServedBook> | undefined;
  #changedAt = 0;
  #lastTrade: Trade | undefined;
  #price: Ready | undefined;

  constructor(exchange: string, id: string) {
    this.exchange = exchange;
    this.id = id;
  }

  /** The last book that was right at its time. */
  get earlierBook(): Finding<ServedBook> | undefined {
    const { book, confirmedAt } = this;
    return book ? { value: book, at: confirmedAt, source: "websocket" } : this.#earlierBook;
  }

  hearBook(message: BookMessage, now: number): void {
    if (message.kind === "lost") {
      this.book = undefined;
      this.#earlierBook = undefined;
      return;
    }
    if (message.kind === "whole") this.#begin(message);
    else if (this.book?.nonce === message.after) this.book.change(message);
    else {
      this.#loseTrack();
      return;
    }
    this.#changedAt = now;
    this.confirmedAt = Math.max(this.confirmedAt, now);
  }

  /** What we have is repeated for others who lost it; then nothing has changed for us. */
  #begin(message: BookMessage & { kind: "whole" }): void {
    if (this.book?.nonce === message.nonce) return;
    this.book = new ServedBook(this.exchange, this.id, message);
  }

  /** The exchange may have been heard after what we missed, so the book is only as new as its last change. */
  #loseTrack(): void {
    if (!this.book) return;
    this.#earlierBook = { value: this.book, at: this.#changedAt, source: "websocket" };
    this.book = undefined;
  }

  hearTrades(trades: readonly Trade[]): void {
    for (const trade of trades) {
      if (this.#lastTrade && trade.time < this.#lastTrade.time) continue;
      this.#lastTrade = trade;
      this.#price = undefined;
    }
  }

  /** What the last trade paid, as an answer; nothing before the first. */
  get price(): Ready | undefined {
    if (!this.#lastTrade) return undefined;
    const { price, time } = this.#lastTrade;
    this.#price ??= priceAnswer(this.exchange, this.id, { price: Number(price), time });
    return this.#price;
  }
}

/** A price as it is answered. */
export function priceAnswer(
  exchange: string,
  market: string,
  { price, time }: { price: number; time: number },
): Ready {
  const answer: CexPrice = { exchange, market, timestamp: String(time), price };
  return new Ready(JSON.stringify(answer));
}
