import type { Levels } from "./market.ts";

const firstCapacity = 256;
/** Moving a few elements by hand is faster than a call of `copyWithin`. */
const fewElements = 48;

/**
 * One side, sorted with the best last, because that is where changes happen: little has to move.
 * Asks are kept as negative prices, so that more is better on both sides.
 */
class Side {
  #ranks = new Float64Array(firstCapacity);
  #sizes = new Float64Array(firstCapacity);
  #count = 0;
  readonly #sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get count(): number {
    return this.#count;
  }

  get best(): number | undefined {
    return this.priceAt(0);
  }

  /** The price of a level, counted from the best. */
  priceAt(position: number): number | undefined {
    const rank = this.#ranks[this.#count - 1 - position];
    return position < this.#count && rank !== undefined ? this.#sign * rank : undefined;
  }

  set(price: number, size: number): void {
    const rank = this.#sign * price;
    const at = this.#find(rank);
    const isThere = at < this.#count && this.#ranks[at] === rank;
    if (size === 0) {
      if (isThere) this.#remove(at);
      return;
    }
    if (!isThere) this.#insert(at, rank);
    this.#sizes[at] = size;
  }

  /** Puts other levels in the place of all there are. They may be in any order; the last word on a price counts. */
  reset(levels: Levels): void {
    this.#count = 0;
    this.#reserve(levels.length / 2);
    for (let at = levels.length - 2; at >= 0; at -= 2) {
      const [rank, size] = [this.#sign * (levels[at] ?? 0), levels[at + 1] ?? 0];
      const last = this.#ranks[this.#count - 1];
      // Levels come best first as a rule; at the first that does not, all are sorted instead.
      if (size === 0 || (this.#count > 0 && last !== undefined && rank <= last)) {
        this.#resetUnsorted(levels);
        return;
      }
      this.#ranks[this.#count] = rank;
      this.#sizes[this.#count] = size;
      this.#count++;
    }
  }

  /** Forgets all but the best `count` levels, and tells which were forgotten. */
  trim(count: number, forgotten?: (price: number) => void): void {
    const excess = this.#count - count;
    if (excess <= 0) return;
    for (let at = 0; forgotten && at < excess; at++) forgotten(this.#sign * (this.#ranks[at] ?? 0));
    this.#ranks.copyWithin(0, excess, this.#count);
    this.#sizes.copyWithin(0, excess, this.#count);
    this.#count = count;
  }

  /** Calls back for each of the best `limit` levels, best first. */
  forEach(limit: number, use: (price: number, size: number) => void): void {
    const end = Math.max(0, this.#count - limit);
    for (let at = this.#count - 1; at >= end; at--) {
      use(this.#sign * (this.#ranks[at] ?? 0), this.#sizes[at] ?? 0);
    }
  }

  /** Where a rank is or belongs. Looks from the best end in growing steps, then halves the last of them. */
  #find(rank: number): number {
    const ranks = this.#ranks;
    let high = this.#count;
    let low = high - 1;
    for (let step = 1; low >= 0 && (ranks[low] ?? 0) >= rank; step *= 2) {
      high = low;
      low -= step;
    }
    low = Math.max(low + 1, 0);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ranks[middle] ?? 0) < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(at: number, rank: number): void {
    const [count, ranks, sizes] = [this.#count, this.#ranks, this.#sizes];
    if (count === ranks.length) {
      this.#reserve(count + 1);
      this.#insert(at, rank);
      return;
    }
    if (count - at > fewElements) {
      ranks.copyWithin(at + 1, at, count);
      sizes.copyWithin(at + 1, at, count);
    } else {
      for (let to = count; to > at; to--) {
        ranks[to] = ranks[to - 1] ?? 0;
        sizes[to] = sizes[to - 1] ?? 0;
      }
    }
    ranks[at] = rank;
    this.#count = count + 1;
  }

  #remove(at: number): void {
    const [count, ranks, sizes] = [this.#count, this.#ranks, this.#sizes];
    if (count - at > fewElements) {
      ranks.copyWithin(at, at + 1, count);
      sizes.copyWithin(at, at + 1, count);
    } else {
      for (let to = at; to < count - 1; to++) {
        ranks[to] = ranks[to + 1] ?? 0;
        sizes[to] = sizes[to + 1] ?? 0;
      }
    }
    this.#count = count - 1;
  }

  #resetUnsorted(levels: Levels): void {
    const sizes = new Map<number, number>();
    for (let at = 0; at < levels.length; at += 2)
      sizes.set(this.#sign * (levels[at] ?? 0), levels[at + 1] ?? 0);
    this.#count = 0;
    for (const rank of Float64Array.from(sizes.keys()).sort()) {
      const size = sizes.get(rank) ?? 0;
      if (size === 0) continue;
      this.#ranks[this.#count] = rank;
      this.#sizes[this.#count] = size;
      this.#count++;
    }
  }

  /** Makes room for this many levels, keeping those that are there. */
  #reserve(count: number): void {
    if (count <= this.#ranks.length) return;
    const [ranks, sizes] = [this.#ranks, this.#sizes];
    const capacity = Math.max(count, 2 * ranks.length);
    this.#ranks = new Float64Array(capacity);
    this.#sizes = new Float64Array(capacity);
    this.#ranks.set(ranks);
    this.#sizes.set(sizes);
  }
}

/** The orders that rest at an exchange, summed by price. */
export class OrderBook {
  readonly bids = new Side(1);
  readonly asks = new Side(-1);

  /** Puts other levels in the place of all there are. */
  reset(bids: Levels, asks: Levels): void {
    this.bids.reset(bids);
    this.asks.reset(asks);
  }

  /** Sets the sizes at some prices. */
  apply(bids: Levels, asks: Levels): void {
    setAll(this.bids, bids);
    setAll(this.asks, asks);
  }

  trim(levels: number): void {
    this.bids.trim(levels);
    this.asks.trim(levels);
  }

  /** Somebody offers to buy for more than somebody else asks: no exchange has such a book for long. */
  get isCrossed(): boolean {
    const [bid, ask] = [this.bids.best, this.asks.best];
    return bid !== undefined && ask !== undefined && bid >= ask;
  }
}

export type BookSide = InstanceType<typeof Side>;

function setAll(side: Side, levels: Levels): void {
  for (let at = 0; at < levels.length; at += 2) side.set(levels[at] ?? 0, levels[at + 1] ?? 0);
}

/** The best `limit` levels of a side, in one row: prices and sizes in turn, best first. */
export function flatLevels(side: BookSide, limit = Number.POSITIVE_INFINITY): number[] {
  const flat: number[] = [];
  side.forEach(limit, (price, size) => flat.push(price, size));
  return flat;
}
