import { type BookView, changesBetween, checksumOf, viewOf } from "./book-view.ts";
import type { FaultDesk } from "./faults.ts";
import type { Floor } from "./floor.ts";
import type { Market } from "./market.ts";
import { bookText } from "./stream-messages.ts";

/** The book of one market in one depth, as its subscribers have it. */
export class BookChannel {
  readonly #market: Market;
  readonly #depth: number;
  readonly #floor: Floor;
  readonly #faults: FaultDesk;
  #version = "";
  #view: BookView;
  /** Held back so that it comes after the one that follows. */
  #late: string | undefined;

  constructor(market: Market, depth: number, floor: Floor, faults: FaultDesk) {
    this.#market = market;
    this.#depth = depth;
    this.#floor = floor;
    this.#faults = faults;
    this.#view = viewOf(floor.live(market).book, depth);
  }

  /** The whole book for a new subscriber. Others must have got `updates` just before. */
  snapshot(): string {
    const view = viewOf(this.#floor.live(this.#market).book, this.#depth);
    return bookText("snapshot", this.#market, view, checksumOf(view), this.#floor.now);
  }

  /** What subscribers have to hear since the last time, faults included. */
  updates(): string[] {
    const live = this.#floor.live(this.#market);
    if (live.version === this.#version) return [];
    this.#version = live.version;
    const view = viewOf(live.book, this.#depth);
    const changes = changesBetween(this.#view, view, this.#depth);
    this.#view = view;
    if (changes.bids.length + changes.asks.length === 0) return [];
    return this.#withFaults(changes);
  }

  #withFaults(changes: BookView): string[] {
    const crossed = this.#crossed(changes);
    if (crossed) return [crossed];
    const happens = (kind: Parameters<FaultDesk["take"]>[0]) =>
      this.#faults.take(kind, this.#market.symbol) !== undefined;
    const text = this.#text(changes, checksumOf(this.#view) ^ (happens("wrongChecksum") ? 1 : 0));
    if (happens("dropBookChange")) return [];
    if (!this.#late && happens("swapBookChanges")) {
      this.#late = text;
      return [];
    }
    const texts = happens("repeatBookChange") ? [text, text] : [text];
    if (this.#late) texts.push(this.#late);
    this.#late = undefined;
    return texts;
  }

  /** A message with a bid above the best ask, if that fault is due. */
  #crossed(changes: BookView): string | undefined {
    const [best] = this.#view.asks;
    const [bid] = this.#view.bids;
    if (!best || !bid) return undefined;
    const wrong = { price: best.price + 1, size: bid.size };
    const withWrong = { asks: changes.asks, bids: [wrong, ...changes.bids] };
    if (this.#faults.take("crossBook", this.#market.symbol)) {
      // Subscribers have it now: the next change takes it away again.
      this.#view = {
        asks: this.#view.asks,
        bids: [wrong, ...this.#view.bids].slice(0, this.#depth),
      };
      this.#version = "";
      return this.#text(withWrong, checksumOf(this.#view));
    }
    if (this.#faults.take("crossBookUnchecked", this.#market.symbol)) {
      return this.#text(withWrong, checksumOf(this.#view));
    }
    return undefined;
  }

  #text(changes: BookView, checksum: number): string {
    return bookText("update", this.#market, changes, checksum >>> 0, this.#floor.now);
  }
}
