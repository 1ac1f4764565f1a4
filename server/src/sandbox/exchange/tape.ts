import { assert } from "../../lib/errors.ts";
import { type Chance, chanceOf } from "../chain/market/chance.ts";
import { fairPrices } from "../chain/market/fair-price.ts";
import type { Market } from "./market.ts";

/** Somebody took an order: prices in ticks, sizes in lots. */
export type TapeTrade = {
  /** Without holes from the exchange's first day on. */
  id: number;
  /** Unix microseconds; no two trades of a market have the same. */
  time: number;
  price: number;
  size: number;
  side: "buy" | "sell";
  kind: "market" | "limit";
};

/** What trades came to in a span of time. */
export type Summary = {
  open: number;
  high: number;
  low: number;
  close: number;
  /** In lots. */
  volume: number;
  /** Average price, in ticks. */
  average: number;
  count: number;
};

/** What a market's trades are, at any time: no memory, no order book and no other epoch is needed to tell. */
export type Tape = {
  /** Best prices in ticks, as the fair price has them at a moment in Unix microseconds. */
  quotes(time: number): { bid: number; ask: number };
  trades(epoch: number): TapeTrade[];
  /** What `trades` of a whole epoch come to, without making them. */
  summary(epoch: number): Summary;
};

/** Time is cut into epochs, in microseconds. Each has as many trades as any other of the market. */
export const epochMicros = 900_000_000;

/** When trading began: the first trade of this epoch has the id 1. */
export const firstEpoch = (Date.UTC(2024, 0, 1) * 1_000) / epochMicros;

/** How many of an epoch's trades decide how high and low its prices go; the others keep between. */
const landmarkCount = 10;
const followsWithProbability = 0.22;

/** Which epoch a moment in Unix microseconds is in. */
export function epochAt(time: number): number {
  return Math.floor(time / epochMicros);
}

/** The tape of a market, the same for the same seed on any machine. */
export function openTape(seed: number, market: Market): Tape {
  const { tradesPerEpoch: count, halfSpread } = market;
  const basePrice = fairPrices(seed, market.base);
  const quotePrice = fairPrices(seed, market.quote);
  const ticksPerUnit = 10 ** market.priceDecimals;
  const landmarks = landmarksOf(count);
  const isLandmark = new Set(landmarks);

  function quotes(time: number): { bid: number; ask: number } {
    const seconds = time / 1e6;
    const fair = (basePrice(seconds) / quotePrice(seconds)) * ticksPerUnit;
    const bid = Math.floor(fair * (1 - halfSpread));
    return { bid, ask: Math.max(bid + 1, Math.ceil(fair * (1 + halfSpread))) };
  }

  /** When, on which side and at which price a trade is made, if nothing is known of the others. */
  function lone(
    chance: Chance,
    epoch: number,
    index: number,
  ): Pick<TapeTrade, "time" | "side" | "price"> {
    const time = timeOf(epoch, index, count, chance);
    const side = chance.happens(0.5) ? "buy" : "sell";
    const { bid, ask } = quotes(time);
    return { time, side, price: side === "buy" ? ask : bid };
  }

  function summary(epoch: number): Summary {
    const prices = landmarks.map(
      (index) => lone(chanceOf(seed, market.chance, epoch, index), epoch, index).price,
    );
    return {
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
      volume: volumeOf(seed, market, epoch),
      average: prices.reduce((sum, price) => sum + price, 0) / prices.length,
      count,
    };
  }

  /** A whole trade but for its size, which is a share by weight. */
  function draw(epoch: number, index: number) {
    const chance = chanceOf(seed, market.chance, epoch, index);
    // What summaries need is drawn first, so that they need not draw the rest.
    const drawn = lone(chance, epoch, index);
    const kind: TapeTrade["kind"] = chance.happens(0.6) ? "market" : "limit";
    const follows = chance.happens(followsWithProbability) && !isLandmark.has(index);
    const weight = (-Math.log(1 - chance.unit())) ** 1.6 + 0.01;
    const id = (epoch - firstEpoch) * count + index + 1;
    return { trade: { id, ...drawn, size: 0, kind }, follows, weight };
  }

  function trades(epoch: number): TapeTrade[] {
    const { high, low, volume } = summary(epoch);
    const drawn = Array.from({ length: count }, (_, index) => draw(epoch, index));
    const sizes = sharesOf(
      volume,
      drawn.map(({ weight }) => weight),
    );
    return drawn.map(({ trade, follows }, index) => {
      const before = drawn[index - 1]?.trade;
      if (follows && before) follow(trade, before);
      trade.price = Math.min(high, Math.max(low, trade.price));
      trade.size = sizes[index] ?? 0;
      return trade;
    });
  }

  return { quotes, trades, summary };
}

/** Makes a trade the next fill of the same order: a little later, and not at a better price. */
function follow(trade: TapeTrade, before: TapeTrade): void {
  trade.time = before.time + 1;
  trade.side = before.side;
  trade.kind = before.kind;
  trade.price = before.price + (before.side === "buy" ? 1 : -1) * (trade.id % 3 === 0 ? 1 : 0);
}

/** The first, the last and some between, at equal distances. */
function landmarksOf(count: number): number[] {
  const last = Math.min(landmarkCount, count) - 1;
  return Array.from({ length: last + 1 }, (_, at) => Math.round((at * (count - 1)) / last));
}

/** Each trade has a part of the epoch for itself, and some room before the next for its followers. */
function timeOf(epoch: number, index: number, count: number, chance: Chance): number {
  const width = epochMicros / count;
  const millisecond = Math.floor((index * width + chance.between(0.02, 0.98) * width) / 1_000);
  // In the middle of a millisecond, so that it is in the same one however it is rounded.
  const micros = 200 + Math.floor(chance.unit() * 600);
  return epoch * epochMicros + millisecond * 1_000 + micros;
}

/** How many lots change hands in an epoch: more in some, less in others. */
function volumeOf(seed: number, market: Market, epoch: number): number {
  const chance = chanceOf(seed, market.chance, epoch, -1);
  return Math.round(market.lotsPerEpoch * Math.exp(0.5 * chance.normal() - 0.125));
}

/** Divides a whole number by weights into whole numbers, some of them round; the largest share gets what is left. */
function sharesOf(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight, index) => {
    const share = Math.max(1, Math.floor((total * weight) / sum));
    const roundTo = index % 3 === 0 ? 10 ** Math.max(0, Math.floor(Math.log10(share)) - 1) : 1;
    return share - (share % roundTo);
  });
  const largest = shares.indexOf(Math.max(...shares));
  const left = total - shares.reduce((all, share) => all + share, 0);
  shares[largest] = (shares[largest] ?? 0) + left;
  assert((shares[largest] ?? 0) > 0, "an epoch's volume is enough for its trades");
  return shares;
}
