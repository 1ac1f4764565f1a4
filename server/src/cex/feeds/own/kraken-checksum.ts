import { crc32 } from "node:zlib";
import type { ListedMarket } from "../../market.ts";
import type { BookSide, OrderBook } from "../../order-book.ts";
import type { BookCheck } from "./protocol.ts";

const checkedLevels = 10;
const decimalsMost = 12;
/** Below this, the product of a price and a power of ten is off by less than a half. */
const exactMost = 2 ** 50;

type Decimals = { price: number; size: number };
type Digits = { price: number; size: number; text: string };

/** Kraken's checksum: CRC32 over the digits of the ten best asks and bids, without points and leading zeros. */
export function openKrakenCheck(market: ListedMarket): BookCheck {
  let decimals: Decimals = { price: market.priceDecimals ?? 0, size: market.sizeDecimals ?? 0 };
  let [asks, bids] = [new SideDigits(-1, decimals), new SideDigits(1, decimals)];

  return {
    whole(book, checksum) {
      // Listings are not always right about decimals. A whole book tells: a chance match is one in four billion.
      const right = [decimals, ...allDecimals].find((each) => checksumOf(book, each) === checksum);
      decimals = right ?? decimals;
      [asks, bids] = [new SideDigits(-1, decimals), new SideDigits(1, decimals)];
      asks.follow(book.asks);
      bids.follow(book.bids);
      return right !== undefined;
    },

    change(book, change, checksum) {
      if (asks.isAffected(book.asks, change.asks)) asks.follow(book.asks);
      if (bids.isAffected(book.bids, change.bids)) bids.follow(book.bids);
      return crc32(asks.text + bids.text) === checksum;
    },
  };
}

const allDecimals: Decimals[] = Array.from({ length: (decimalsMost + 1) ** 2 }, (_, at) => ({
  price: Math.floor(at / (decimalsMost + 1)),
  size: at % (decimalsMost + 1),
}));

function checksumOf(book: OrderBook, decimals: Decimals): number {
  const [asks, bids] = [new SideDigits(-1, decimals), new SideDigits(1, decimals)];
  asks.follow(book.asks);
  bids.follow(book.bids);
  return crc32(asks.text + bids.text);
}

function digits(value: number, scale: number, decimals: number): string {
  const scaled = value * scale;
  if (scaled < exactMost) return String(Math.round(scaled));
  return value.toFixed(decimals).replace(".", "").replace(/^0+/, "");
}

/** The digits of one side's ten best levels. Writing out numbers is the dear part, so what was written is kept. */
class SideDigits {
  text = "";
  readonly #sign: 1 | -1;
  readonly #decimals: Decimals;
  readonly #priceScale: number;
  readonly #sizeScale: number;
  #levels: Digits[] = [];

  constructor(sign: 1 | -1, decimals: Decimals) {
    this.#sign = sign;
    this.#decimals = decimals;
    this.#priceScale = 10 ** decimals.price;
    this.#sizeScale = 10 ** decimals.size;
  }

  /** Whether any of the prices is, or was before the change, among the ten best. */
  isAffected(side: BookSide, changed: readonly number[]): boolean {
    const worst = side.priceAt(checkedLevels - 1);
    if (worst === undefined) return changed.length > 0;
    for (let at = 0; at < changed.length; at += 2) {
      if (this.#sign * (changed[at] ?? 0) >= this.#sign * worst) return true;
    }
    return false;
  }

  /** Makes the text anew, from what is known of levels that are as they were. */
  follow(side: BookSide): void {
    const known = this.#levels;
    const levels: Digits[] = [];
    let at = 0;
    let text = "";
    side.forEach(checkedLevels, (price, size) => {
      let old = known[at];
      while (old && this.#sign * old.price > this.#sign * price) old = known[++at];
      const level =
        old && old.price === price && old.size === size ? old : this.#write(price, size);
      levels.push(level);
      text += level.text;
    });
    this.#levels = levels;
    this.text = text;
  }

  #write(price: number, size: number): Digits {
    const priceDigits = digits(price, this.#priceScale, this.#decimals.price);
    return { price, size, text: priceDigits + digits(size, this.#sizeScale, this.#decimals.size) };
  }
}
