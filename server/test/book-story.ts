import type { ListedMarket } from "../src/cex/market.ts";
import { flatLevels, OrderBook } from "../src/cex/order-book.ts";
import { listedMarket } from "./listed-market.ts";

/** Levels of both sides: all of a book, or those that change. */
export type Sides = { bids: number[]; asks: number[] };

/** What happened to the book of a market: how it was at first, every change, and how it was after each. */
export type BookStory = { market: ListedMarket; start: Sides; changes: Sides[]; books: Sides[] };

export type StoryOptions = {
  symbol?: string;
  seed: number;
  /** At most, on each side. */
  levels: number;
  changes: number;
  /** How many levels to keep of the book after each change; all of them unless said. */
  levelsKept?: number;
};

const [priceDecimals, sizeDecimals] = [1, 8];
const toPrice = (ticks: number) => ticks / 10 ** priceDecimals;

/** A book that never crosses: orders come and go, most of them near the best price, which wanders. */
export function bookStory(options: StoryOptions): BookStory {
  const { symbol = "BTC/USD", levels, levelsKept } = options;
  const below = seededChance(options.seed);
  const book = new OrderBook();
  const size = () => (below(2 ** 31) + 1) / 10 ** sizeDecimals;
  const ladder = (from: number, step: 1 | -1) =>
    Array.from({ length: levels }, (_, at) => [toPrice(from + step * at * 2), size()]).flat();
  book.reset(ladder(600_000, -1), ladder(600_002, 1));
  const start = sidesOf(book);

  /** Some ticks from the best price of the other side, mostly few. */
  function place(side: "bids" | "asks"): [price: number, size: number] {
    const away = 1 + below(1 + below(1 + below(3 * levels)));
    const [other, sign] = side === "bids" ? [book.asks.best, -1] : [book.bids.best, 1];
    const price = Math.round(10 * (other ?? 60_000)) + sign * away;
    return [toPrice(price), book[side].count < levels ? size() : 0];
  }

  function change(): Sides {
    const changed: Sides = { bids: [], asks: [] };
    for (let count = 1 + below(3); count > 0; count--) {
      const side = below(2) === 0 ? "bids" : "asks";
      const isRemoval = book[side].count > 3 && below(3) === 0;
      const position = below(1 + below(book[side].count));
      const level: [number, number] = isRemoval
        ? [book[side].priceAt(position) ?? 1, 0]
        : place(side);
      book[side].set(...level);
      changed[side].push(...level);
    }
    return changed;
  }

  const [changes, books]: [Sides[], Sides[]] = [[], []];
  while (changes.length < options.changes) {
    changes.push(change());
    books.push(sidesOf(book, levelsKept));
  }
  return { market: listedMarket(symbol, { priceDecimals, sizeDecimals }), start, changes, books };
}

/** Both sides of a book, or the best levels of them. */
export function sidesOf(book: OrderBook, levels?: number): Sides {
  return { bids: flatLevels(book.bids, levels), asks: flatLevels(book.asks, levels) };
}

/** Whole numbers below a limit, the same for the same seed. */
function seededChance(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
