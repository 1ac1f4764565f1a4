import { flatLevels, OrderBook } from "../../order-book.ts";
import type { BookSnapshot, BookUpdate, FeedFault } from "../venue.ts";
import type { BookCheck, Change } from "./protocol.ts";

/** Far more than come while a snapshot is under way. */
const heldMost = 20_000;

/** What to do after something was heard of a book. */
export type Verdict =
  /** It is right, and different. */
  | { kind: "told"; update: BookUpdate }
  /** Nothing is new. */
  | { kind: "nothing" }
  /** What there was cannot be trusted any more. */
  | { kind: "broken"; fault: FeedFault; reason: string }
  /** A snapshot that is older than the first change that was heard after it: another one is needed. */
  | { kind: "stale" };

type TrackerOptions = { levelsMost: number; check: BookCheck | undefined };

const nothing: Verdict = { kind: "nothing" };

/** The book of one market as its stream tells it. Decides what can be trusted; knows no sockets and no time. */
export class BookTracker {
  readonly #book = new OrderBook();
  readonly #options: TrackerOptions;
  #isLive = false;
  #nonce: number | undefined;
  /** Changes that came before there was a book to apply them to. */
  #held: Change[] = [];

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /** Nothing while there is none that can be trusted. */
  get book(): OrderBook | undefined {
    return this.#isLive ? this.#book : undefined;
  }

  /** Forgets everything: what comes next does not follow what came before. */
  lose(): void {
    this.#isLive = false;
    this.#nonce = undefined;
    this.#held = [];
  }

  /** The stream told the whole book. */
  whole(bids: number[], asks: number[], checksum: number | undefined): Verdict {
    const { levelsMost, check } = this.#options;
    this.lose();
    this.#book.reset(bids, asks);
    this.#book.trim(levelsMost);
    if (checksum !== undefined && check && !check.whole(this.#book, checksum))
      return this.#break("checksum", "the checksum of a whole book does not match");
    return this.#begin();
  }

  /** The whole book came over REST. Changes that were heard since are applied to it. */
  snapshot({ bids, asks, nonce }: BookSnapshot): Verdict {
    const held = this.#held;
    if (this.#isLive) return nothing;
    if (nonce === undefined || (held[0] && isBefore(nonce, held[0]))) return { kind: "stale" };
    this.#book.reset(bids, asks);
    this.#nonce = nonce;
    this.#held = [];
    for (const change of held) {
      if (change.nonce !== undefined && change.nonce <= nonce) continue;
      const verdict = this.#apply(change);
      if (verdict.kind === "broken") return verdict;
    }
    return this.#begin();
  }

  /** The stream told a change. */
  change(change: Change): Verdict {
    if (this.#isLive) return this.#apply(change);
    // Without serial numbers nobody could tell which of them a snapshot contains.
    if (change.nonce === undefined) return nothing;
    // When the oldest are forgotten, snapshots that lack them are found stale.
    if (this.#held.length === heldMost) this.#held = [];
    this.#held.push(change);
    return nothing;
  }

  #begin(): Verdict {
    if (this.#book.isCrossed) return this.#break("crossed", "a whole book is crossed");
    this.#isLive = true;
    const [bids, asks] = [flatLevels(this.#book.bids), flatLevels(this.#book.asks)];
    return { kind: "told", update: { kind: "whole", bids, asks, nonce: this.#nonce } };
  }

  #apply(change: Change): Verdict {
    const missing = this.#follow(change);
    if (missing) return missing;
    const { bids, asks, checksum } = change;
    this.#book.apply(bids, asks);
    this.#forgetDeepLevels(change);
    if (this.#book.isCrossed) return this.#break("crossed", "the book is crossed");
    const { check } = this.#options;
    if (checksum !== undefined && check && !check.change(this.#book, change, checksum))
      return this.#break("checksum", "the checksum of the book does not match");
    return { kind: "told", update: change };
  }

  /** Whether a change follows what we have: nothing is returned when it does. */
  #follow({ first, nonce }: Change): Verdict | undefined {
    const known = this.#nonce;
    if (nonce === undefined) return undefined;
    if (known !== undefined) {
      // With serial numbers that have no holes, what is old is known already.
      if (first !== undefined && nonce <= known) return nothing;
      if (first !== undefined && first > known + 1)
        return this.#break("sequence", `changes ${known + 1} to ${first - 1} are missing`);
      if (first === undefined && nonce < known)
        return this.#break("sequence", `change ${nonce} came after change ${known}`);
    }
    this.#nonce = nonce;
    return undefined;
  }

  /** Whoever follows the changes hears of the forgotten levels as of any that are gone. */
  #forgetDeepLevels({ bids, asks }: Change): void {
    const { levelsMost } = this.#options;
    this.#book.bids.trim(levelsMost, (price) => bids.push(price, 0));
    this.#book.asks.trim(levelsMost, (price) => asks.push(price, 0));
  }

  #break(fault: FeedFault, reason: string): Verdict {
    this.lose();
    return { kind: "broken", fault, reason };
  }
}

/** Whether changes may be missing between a snapshot and the first that was held. */
function isBefore(snapshotNonce: number, { first, nonce = 0 }: Change): boolean {
  return snapshotNonce < (first === undefined ? nonce : first - 1);
}
