import type { Candle, Trade } from "./market.ts";
import { compareKeys, type TradeKey } from "./trade-key.ts";

/** A candle that is folded from trades, with what it takes to add others to it in any order. */
export type TradeCandle = Candle & {
  trades: number;
  /** The trades that gave open and close. */
  first: TradeKey;
  last: TradeKey;
};

/** When the candle starts that a moment belongs to. */
export function startOf(time: number, seconds: number): number {
  return time - (time % (seconds * 1_000));
}

/** Folds trades, in whatever order they come, into candles that are in order. */
export function foldTrades(trades: Iterable<Trade>, seconds: number): TradeCandle[] {
  const candles = new Map<number, TradeSum>();
  let sum: TradeSum | undefined;
  for (const trade of trades) {
    const start = startOf(trade.time, seconds);
    if (sum?.time !== start) sum = candles.get(start);
    if (sum) sum.add(trade);
    else {
      sum = new TradeSum(start, trade);
      candles.set(start, sum);
    }
  }
  return inOrder(candles.values()).map((found) => found.candle());
}

/** Folds candles of trades into longer ones, in whatever order they come. */
export function foldTradeCandles(candles: readonly TradeCandle[], seconds: number): TradeCandle[] {
  return groups(candles, seconds).map(([start, group]) => {
    const byFirst = group.reduce((one, other) =>
      compareKeys(other.first, one.first) < 0 ? other : one,
    );
    const byLast = group.reduce((one, other) =>
      compareKeys(other.last, one.last) > 0 ? other : one,
    );
    return {
      time: start,
      open: byFirst.open,
      ...extremes(group),
      close: byLast.close,
      trades: group.reduce((sum, { trades }) => sum + trades, 0),
      first: byFirst.first,
      last: byLast.last,
    };
  });
}

/** Folds candles of an exchange into longer ones, in whatever order they come. */
export function foldCandles(candles: readonly Candle[], seconds: number): Candle[] {
  return groups(candles, seconds).map(([start, group]) => {
    const ordered = inOrder(group);
    const [open = "0", close = "0"] = [ordered[0]?.open, ordered.at(-1)?.close];
    return { time: start, open, ...extremes(group), close };
  });
}

function groups<Item extends Candle>(items: readonly Item[], seconds: number): [number, Item[]][] {
  const found = new Map<number, Item[]>();
  for (const item of items) {
    const start = startOf(item.time, seconds);
    const group = found.get(start);
    if (group) group.push(item);
    else found.set(start, [item]);
  }
  return [...found].sort(([one], [other]) => one - other);
}

function extremes(candles: readonly Candle[]): Pick<Candle, "high" | "low" | "volume"> {
  const volume = new ExactSum();
  for (const candle of candles) volume.add(candle.volume);
  return {
    high: candles.map(({ high }) => high).reduce(greater),
    low: candles.map(({ low }) => low).reduce(lesser),
    volume: volume.toString(),
  };
}

function inOrder<Item extends { time: number }>(items: Iterable<Item>): Item[] {
  return [...items].sort((one, other) => one.time - other.time);
}

function greater(one: string, other: string): string {
  return compareDecimals(other, one) > 0 ? other : one;
}

function lesser(one: string, other: string): string {
  return compareDecimals(other, one) < 0 ? other : one;
}

/** Decimals are compared as numbers, and digit by digit only when those are the same. */
function compareDecimals(one: string, other: string): number {
  const difference = Number(one) - Number(other);
  if (difference !== 0 || one === other) return difference;
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

type ExactDecimal = { digits: bigint; scale: number };

/** Reads decimal text with or without an exponent. The value is digits / 10^scale. */
function parseDecimal(text: string): ExactDecimal {
  const [mantissa = "", exponent = "0"] = text.split(/e/i);
  const point = mantissa.indexOf(".");
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;
  const digits = BigInt(
    point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1),
  );
  const scale = fraction - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function scaled({ digits, scale }: ExactDecimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}

/** Adds decimals without losing a digit. */
class ExactSum {
  #sum: ExactDecimal = { digits: 0n, scale: 0 };
  /** What is not in the sum yet: plain figures of one scale, as long as a number holds them exactly. */
  #plain = 0;
  #plainScale = 0;

  add(text: string): void {
    const digits = plainDigits(text);
    if (digits < 0) {
      this.#addExact(parseDecimal(text));
      return;
    }
    const point = text.indexOf(".");
    const scale = point < 0 ? 0 : text.length - point - 1;
    if (scale !== this.#plainScale || this.#plain + digits > Number.MAX_SAFE_INTEGER) {
      this.#settle();
      this.#plainScale = scale;
    }
    this.#plain += digits;
  }

  #settle(): void {
    this.#addExact({ digits: BigInt(this.#plain), scale: this.#plainScale });
    this.#plain = 0;
  }

  #addExact(addend: ExactDecimal): void {
    const scale = Math.max(addend.scale, this.#sum.scale);
    this.#sum = { digits: scaled(this.#sum, scale) + scaled(addend, scale), scale };
  }

  toString(): string {
    this.#settle();
    const { digits, scale } = this.#sum;
    if (scale === 0) return String(digits);
    const text = String(digits).padStart(scale + 1, "0");
    return `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  }
}

const plainLengthMost = 16;
const [pointCode, zeroCode, nineCode] = [46, 48, 57];

/** The digits of a short figure without an exponent as a number, its point left out; -1 for any other. */
function plainDigits(text: string): number {
  if (text.length > plainLengthMost) return -1;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === pointCode) continue;
    if (code < zeroCode || code > nineCode) return -1;
    digits = 10 * digits + code - zeroCode;
  }
  return digits <= Number.MAX_SAFE_INTEGER ? digits : -1;
}

/** The greatest or the least of some decimals. */
class Extreme {
  text: string;
  #value: number;
  readonly #sign: 1 | -1;

  constructor(text: string, value: number, sign: 1 | -1) {
    this.text = text;
    this.#value = value;
    this.#sign = sign;
  }

  /** Takes a decimal into account whose value is about this. */
  add(text: string, value: number): void {
    const difference = (value - this.#value) * this.#sign;
    if (difference < 0) return;
    if (difference === 0 && compareDecimals(text, this.text) * this.#sign <= 0) return;
    this.text = text;
    this.#value = value;
  }
}

/** A candle that is still being folded. */
class TradeSum {
  readonly time: number;
  readonly #volume = new ExactSum();
  readonly #high: Extreme;
  readonly #low: Extreme;
  #first: Trade;
  #last: Trade;
  #trades = 1;

  constructor(time: number, trade: Trade) {
    this.time = time;
    this.#first = trade;
    this.#last = trade;
    this.#high = new Extreme(trade.price, Number(trade.price), 1);
    this.#low = new Extreme(trade.price, Number(trade.price), -1);
    this.#volume.add(trade.size);
  }

  add(trade: Trade): void {
    const { price, size } = trade;
    if (price !== this.#last.price) {
      const value = Number(price);
      this.#high.add(price, value);
      this.#low.add(price, value);
    }
    if (compareKeys(trade, this.#last) > 0) this.#last = trade;
    else if (compareKeys(trade, this.#first) < 0) this.#first = trade;
    this.#volume.add(size);
    this.#trades++;
  }

  candle(): TradeCandle {
    const [first, last] = [this.#first, this.#last];
    return {
      time: this.time,
      open: first.price,
      high: this.#high.text,
      low: this.#low.text,
      close: last.price,
      volume: this.#volume.toString(),
      trades: this.#trades,
      first: { time: first.time, id: first.id },
      last: { time: last.time, id: last.id },
    };
  }
}
