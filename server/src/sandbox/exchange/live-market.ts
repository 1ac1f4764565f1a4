import type { Market } from "./market.ts";
import type { Level, MatchingBook } from "./matching-book.ts";
import { type EpochBook, openEpochBook } from "./order-flow.ts";
import { epochAt, epochMicros, openTape, type Tape, type TapeTrade } from "./tape.ts";

/** A market whose book goes with the time. */
export class LiveMarket {
  readonly market: Market;
  readonly #seed: number;
  readonly #tape: Tape;
  #epoch: number;
  #current: EpochBook;
  #time = 0;

  constructor(seed: number, market: Market, nowMs: number) {
    this.market = market;
    this.#seed = seed;
    this.#tape = openTape(seed, market);
    this.#epoch = epochAt(nowMs * 1_000);
    this.#current = openEpochBook(seed, market, this.#tape, this.#epoch);
    this.advance(nowMs);
  }

  get book(): MatchingBook {
    return this.#current.book;
  }

  /** Up to when everything has happened, in Unix microseconds. */
  get time(): number {
    return this.#time;
  }

  /** Changes with every change of the book. */
  get version(): string {
    return `${this.#epoch}.${this.book.version}`;
  }

  /** Lets everything happen up to now. After a long sleep the trades of epochs between are left out. */
  advance(nowMs: number): TapeTrade[] {
    const now = nowMs * 1_000;
    const epoch = epochAt(now);
    if (epoch < this.#epoch) return [];
    const ended =
      epoch > this.#epoch ? this.#current.advance(this.#epoch * epochMicros + epochMicros) : [];
    if (epoch > this.#epoch) {
      this.#epoch = epoch;
      this.#current = openEpochBook(this.#seed, this.market, this.#tape, epoch);
    }
    this.#time = now;
    return [...ended, ...this.#current.advance(now)];
  }
}

/** The best `depth` levels, best first. */
export function bestLevels(levels: readonly Level[], depth: number): Level[] {
  return levels.slice(-depth).reverse();
}
