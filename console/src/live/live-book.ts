import type { CexLevel, StreamLevels, StreamMessage } from "@slipway/sdk";

/** An order book as it is now, best prices first. */
export type Book = { nonce: number; bids: readonly CexLevel[]; asks: readonly CexLevel[] };

/** Follows an order book by what the stream says of it. */
export class LiveBook {
  #nonce: number | undefined;
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();

  /** Takes a message in; says whether the book is known and right. */
  hear(message: StreamMessage): boolean {
    if (message.type === "book") this.#start(message);
    else if (message.type === "bookChange") this.#change(message);
    return this.#nonce !== undefined;
  }

  get book(): Book | undefined {
    if (this.#nonce === undefined) return undefined;
    const bids = [...this.#bids].sort(([one], [other]) => other - one);
    const asks = [...this.#asks].sort(([one], [other]) => one - other);
    return { nonce: this.#nonce, bids, asks };
  }

  #start({ nonce, bids, asks }: StreamLevels & { nonce: number }): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#put({ bids, asks });
    this.#nonce = nonce;
  }

  /** What does not follow on what we have makes the book unknown, until a whole one comes. */
  #change(change: StreamLevels & { after: number; nonce: number }): void {
    if (change.after !== this.#nonce) {
      this.#nonce = undefined;
      return;
    }
    this.#put(change);
    this.#nonce = change.nonce;
  }

  #put({ bids, asks }: StreamLevels): void {
    for (const level of bids) put(this.#bids, level);
    for (const level of asks) put(this.#asks, level);
  }
}

function put(side: Map<number, number>, [price, size]: CexLevel): void {
  if (size === 0) side.delete(price);
  else side.set(price, size);
}
