import { crc32 } from "node:zlib";
import type { ListedMarket } from "../../market.ts";
import type { BookSide, OrderBook } from "../../order-book.ts";
import type { BookCheck, Change } from "./protocol.ts";

const checkedLevels = 10;
const decimalsMost = 12;
/** Below this, the product of a price and a power of ten is off by less than a half. */
const exactMost = 2 ** 50;

type Decimals = { price: number; size: number };

/**
 * Kraken's checksum: CRC32 over the digits of the ten best asks and bids, without points and leading zeros.
 * The text of a side is kept, and made anew only when one of its ten best levels changed.
 */
export function openKrakenCheck(market: ListedMarket): BookCheck {
  let decimals: Decimals = { price: market.priceDecimals ?? 0, size: market.sizeDecimals ?? 0 };
  let [asks, bids] = ["", ""];

  return {
    whole(book, checksum) {
      // Listings are not always right about decimals. A whole book tells: a chance match is one in four billion.
      const right = [decimals, ...allDecimals].find((each) => checksumOf(book, each) === checksum);
      decimals = right ?? decimals;
      asks = digitsOf(book.asks, decimals);
      bids = digitsOf(book.bids, decimals);
      return right !== undefined;
    },

    change(book, change, checksum) {
      if (isNearBest(book.asks, change.asks, -1)) asks = digitsOf(book.asks, decimals);
      if (isNearBest(book.bids, change.bids, 1)) bids = digitsOf(book.bids, decimals);
      return crc32(asks + bids) === checksum;
    },
  };
}

const allDecimals: Decimals[] = Array.from({ length: (decimalsMost + 1) ** 2 }, (_, at) => ({
  price: Math.floor(at / (decimalsMost + 1)),
  size: at % (decimalsMost + 1),
}));

function checksumOf(book: OrderBook, decimals: Decimals): number {
  return crc32(digitsOf(book.asks, decimals) + digitsOf(book.bids, decimals));
}

/** Whether any of the prices is, or was before the change, among the best that the checksum is about. */
function isNearBest(side: BookSide, changed: Change["bids"], sign: 1 | -1): boolean {
  const worst = side.priceAt(checkedLevels - 1);
  if (worst === undefined) return changed.length > 0;
  for (let at = 0; at < changed.length; at += 2) {
    if (sign * (changed[at] ?? 0) >= sign * worst) return true;
  }
  return false;
}

function digitsOf(side: BookSide, decimals: Decimals): string {
  const [priceScale, sizeScale] = [10 ** decimals.price, 10 ** decimals.size];
  let text = "";
  side.forEach(checkedLevels, (price, size) => {
    text += digits(price, priceScale, decimals.price) + digits(size, sizeScale, decimals.size);
  });
  return text;
}

function digits(value: number, scale: number, decimals: number): string {
  const scaled = value * scale;
  if (scaled < exactMost) return String(Math.round(scaled));
  return value.toFixed(decimals).replace(".", "").replace(/^0+/, "");
}
