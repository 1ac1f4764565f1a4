import type { Levels } from "./market.ts";

const firstCapacity = 256;

/** One side: prices in a sorted array with the best last, because that is where changes happen. */
class Side {
  #prices = new Float64Array(firstCapacity);
  #sizes = new Float64Array(firstCapacity);
  #count = 0;
  /** 1 for bids, where more is better; -1 for asks. */
  readonly #sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get count(): number {
    return this.#count;
  }

  get best(): number | undefined {
    return this.#count > 0 ? this.#prices[this.#count - 1] : undefined;
  }

  clear(): void {
    this.#count = 0;
  }

  set(price: number, size: number): void {
    const at = this.#find(price);
    const isThere = at < this.#count && this.#prices[at] === price;
    if (size === 0) {
      if (isThere) this.#remove(at);
      return;
    }
    if (!isThere) this.#insert(at, price);
    this.#sizes[at] = size;
  }

  /** Forgets all but the best `count` levels. */
  trim(count: number): void {
    const excess = this.#count - count;
    if (excess <= 0) return;
    this.#prices.copyWithin(0, excess, this.#count);
    this.#sizes.copyWithin(0, excess, this.#count);
    this.#count = count;
  }

  /** Calls back for each of the best `limit` levels, best first. */
  forEach(limit: number, use: (price: number, size: number) => void): void {
    const end = Math.max(0, this.#count - limit);
    for (let at = this.#count - 1; at >= end; at--) {
      use(this.#prices[at] ?? 0, this.#sizes[at] ?? 0);
    }
  }

  /** Where a price is or belongs. It looks from the best end: most changes are near it. */
  #find(price: number): number {
    const sign = this.#sign;
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sign * (this.#prices[middle] ?? 0) < sign * price) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(at: number, price: number): void {
    if (this.#count === this.#prices.length) this.#grow();
    this.#prices.copyWithin(at + 1, at, this.#count);
    this.#sizes.copyWithin(at + 1, at, this.#count);
    this.#prices[at] = price;
    this.#count++;
  }

  #remove(at: number): void {
    this.#prices.copyWithin(at, at + 1, this.#count);
    this.#sizes.copyWithin(at, at + 1, this.#count);
    this.#count--;
  }

  #grow(): void {
    const [prices, sizes] = [this.#prices, this.#sizes];
    this.#prices = new Float64Array(2 * prices.length);
    this.#sizes = new Float64Array(2 * sizes.length);
    this.#prices.set(prices);
    this.#sizes.set(sizes);
  }
}

/** The orders that rest at an exchange, summed by price. */
export class OrderBook {
  readonly bids = new Side(1);
  readonly asks = new Side(-1);

  /** Puts other levels in the place of all there are. */
  reset(bids: Levels, asks: Levels): void {
    this.bids.clear();
    this.asks.clear();
    this.apply(bids, asks);
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
    const { bids, asks } = this;
    return bids.best !== undefined && asks.best !== undefined && bids.best >= asks.best;
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
