import type { CexLevel } from "./shapes.ts";
import type { StreamChannel, StreamMessage } from "./stream-shapes.ts";

/** What a message came to: `broken` means that a change was missed, and that the book is empty until a whole one comes. */
export type BookOutcome = "changed" | "ignored" | "broken";

/** The order book that a channel's messages tell, kept up to date. */
export class StreamBook {
  readonly channel: StreamChannel;
  #nonce: number | undefined;
  #bids: CexLevel[] = [];
  #asks: CexLevel[] = [];

  constructor(channel: StreamChannel) {
    this.channel = channel;
  }

  /** The number of the state it is in; undefined while there is no book. */
  get nonce(): number | undefined {
    return this.#nonce;
  }

  /** Best, that is highest, first. The list changes with the book; its levels never do. */
  get bids(): readonly CexLevel[] {
    return this.#bids;
  }

  /** Best, that is lowest, first. */
  get asks(): readonly CexLevel[] {
    return this.#asks;
  }

  /** Takes in any message of a stream; those of other channels and kinds mean nothing here. */
  apply(message: StreamMessage): BookOutcome {
    if (message.type !== "book" && message.type !== "bookChange") return "ignored";
    if (message.channel !== this.channel) return "ignored";
    const { nonce, bids, asks } = message;
    if (message.type === "book") {
      this.#nonce = nonce;
      this.#bids = [...bids];
      this.#asks = [...asks];
      return "changed";
    }
    if (this.#nonce === undefined) return "ignored";
    if (message.after !== this.#nonce) return this.#empty();
    this.#nonce = nonce;
    for (const level of bids) put(this.#bids, level, -1);
    for (const level of asks) put(this.#asks, level, 1);
    return "changed";
  }

  #empty(): BookOutcome {
    this.#nonce = undefined;
    this.#bids = [];
    this.#asks = [];
    return "broken";
  }
}

/** Sets, adds or takes away one level of a side whose prices rise (1) or fall (-1). */
function put(levels: CexLevel[], level: CexLevel, direction: 1 | -1): void {
  const [price, size] = level;
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [other = 0] = levels[middle] ?? [];
    if ((other - price) * direction < 0) low = middle + 1;
    else high = middle;
  }
  const isThere = levels[low]?.[0] === price;
  if (size === 0) levels.splice(low, isThere ? 1 : 0);
  else levels.splice(low, isThere ? 1 : 0, level);
}
