import type { CexMarket } from "@slipway/sdk";

/** A market as we know it: what is promised, and what it takes to ask the exchange about it. */
export type ListedMarket = CexMarket & {
  /** What the exchange itself calls it. */
  nativeId: string;
  /** Digits after the point of prices and sizes; null where the exchange does not tell. */
  priceDecimals: number | null;
  sizeDecimals: number | null;
};

/** Somebody bought from or sold to an order in the book. Figures are decimal text, with all their digits. */
export type Trade = {
  id: string;
  /** Unix milliseconds. */
  time: number;
  price: string;
  size: string;
  /** What the one did who took the order. */
  side: "buy" | "sell";
};

/** What happened to the price in a span of time. Figures are decimal text. */
export type Candle = {
  /** When it starts, in Unix milliseconds. */
  time: number;
  open: string;
  high: string;
  low: string;
  close: string;
  /** In the base currency. */
  volume: string;
};

/** Prices and sizes in turn, best price first. Where it is a change, size 0 takes the price away. */
export type Levels = ArrayLike<number>;

/** An order book at one moment. */
export type Book = {
  /** Grows with every change. */
  nonce: number;
  bids: number[];
  asks: number[];
};
