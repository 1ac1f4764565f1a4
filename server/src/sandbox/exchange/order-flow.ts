import { assert } from "../../lib/errors.ts";
import { type Chance, chanceOf, hashOf } from "../chain/market/chance.ts";
import type { Market } from "./market.ts";
import { MatchingBook, type Order } from "./matching-book.ts";
import { epochMicros, type Tape, type TapeTrade } from "./tape.ts";

/** The order book of one epoch: it only ever goes forward. */
export type EpochBook = {
  book: MatchingBook;
  /** Lets everything happen up to a moment in Unix microseconds; the trades are those of the tape. */
  advance(time: number): TapeTrade[];
};

/** Whoever waits for a taker is there a little before. */
const readyBeforeMicros = 60_000;
/** For how many epochs an order far from the best price stays where it is. */
const epochsOfDeepOrders = 32;
/** Most that happens during an epoch happens in so many levels from the best price on. */
const busyLevels = 60;

/**
 * Makers and takers of a market in one epoch. The takers are those of the tape; makers follow the fair price, and see to
 * it that each taker meets the orders which make the tape's trades when they are matched.
 */
export function openEpochBook(
  seed: number,
  market: Market,
  tape: Tape,
  epoch: number,
  trades: readonly TapeTrade[] = tape.trades(epoch),
): EpochBook {
  const start = epoch * epochMicros;
  const chance = chanceOf(seed, market.chance, epoch, -2);
  const book = new MatchingBook();
  const sweeps = sweepsOf(trades);
  let nextSweep = 0;
  let isReady = false;
  let nextChange = start + pause(market, chance);
  placeDeepOrders(book, seed, market, tape, epoch);

  function takeOrders(sweep: readonly TapeTrade[]): void {
    makeReady(book, sweep);
    const taker = takerOf(sweep);
    const fills = book.submit(taker, "is dropped");
    assert(isAsPlanned(fills, sweep), `the fills of trade ${sweep[0]?.id} are those of the tape`);
  }

  /** Does the earliest thing that is due, if any. */
  function step(until: number): readonly TapeTrade[] | undefined {
    const sweep = sweeps[nextSweep];
    const takesAt = sweep?.[0]?.time ?? Number.POSITIVE_INFINITY;
    const readyAt = isReady ? Number.POSITIVE_INFINITY : takesAt - readyBeforeMicros;
    const earliest = Math.min(takesAt, readyAt, nextChange);
    if (earliest > until) return undefined;
    if (earliest === nextChange) {
      changeOrders(book, market, tape, nextChange, chance);
      nextChange += pause(market, chance);
      return [];
    }
    assert(sweep, "a moment that is due for a taker has one");
    if (earliest === readyAt) {
      makeReady(book, sweep);
      isReady = true;
      return [];
    }
    takeOrders(sweep);
    nextSweep++;
    isReady = false;
    return sweep;
  }

  return {
    book,
    advance(time) {
      const made: TapeTrade[] = [];
      for (let done = step(time); done; done = step(time)) made.push(...done);
      return made;
    },
  };
}

function pause({ changesPerSecond }: Market, chance: Chance): number {
  return Math.ceil((-Math.log(1 - chance.unit()) / changesPerSecond) * 1e6);
}

/** Trades that one order made. */
function sweepsOf(trades: readonly TapeTrade[]): TapeTrade[][] {
  const sweeps: TapeTrade[][] = [];
  for (const trade of trades) {
    const last = sweeps.at(-1);
    if (last?.at(-1)?.time === trade.time - 1) last.push(trade);
    else sweeps.push([trade]);
  }
  return sweeps;
}

function takerOf(sweep: readonly TapeTrade[]): Order {
  const [first, last] = [sweep[0], sweep.at(-1)];
  assert(first && last, "a sweep has trades");
  const size = sweep.reduce((sum, trade) => sum + trade.size, 0);
  return { side: first.side, price: last.price, size, time: first.time };
}

function isAsPlanned(
  fills: readonly { price: number; size: number }[],
  sweep: readonly TapeTrade[],
): boolean {
  return (
    fills.length === sweep.length &&
    fills.every(({ price, size }, at) => price === sweep[at]?.price && size === sweep[at]?.size)
  );
}

/** Makers withdraw and place orders so that the next taker's are filled as the tape says. */
function makeReady(book: MatchingBook, sweep: readonly TapeTrade[]): void {
  const taker = takerOf(sweep);
  if (isAsPlanned(book.preview(taker), sweep)) return;
  const makers = taker.side === "buy" ? "sell" : "buy";
  book.cancelUpTo(makers, taker.price);
  for (const { price, size, time } of sweep) {
    // Nobody on the taker's side may wait where the maker wants to be: they would trade before their time.
    book.cancelUpTo(taker.side, price);
    const spare = time === sweep.at(-1)?.time ? Math.round(size * ((time % 17) / 10)) : 0;
    book.submit({ side: makers, price, size: size + spare, time: time - readyBeforeMicros });
  }
}

/** One thing that makers do: they follow the fair price, place an order, or withdraw one. */
function changeOrders(
  book: MatchingBook,
  market: Market,
  tape: Tape,
  time: number,
  chance: Chance,
): void {
  const { bid, ask } = tape.quotes(time);
  book.cancelUpTo("buy", bid + 1);
  book.cancelUpTo("sell", ask - 1);
  for (const [side, price] of [
    ["buy", bid],
    ["sell", ask],
  ] as const) {
    const best = book.side(side).best?.price;
    if (best !== price && chance.happens(0.7)) {
      book.submit({ side, price, size: sizeOf(market, chance, 0.5), time });
    }
  }
  const side = chance.happens(0.5) ? "buy" : "sell";
  const { levels } = book.side(side);
  const isThin = levels.length < market.levels;
  const isThick = levels.length > 1.1 * market.levels;
  if (isThin || (!isThick && chance.happens(0.5))) {
    placeSomewhere(book, { side, from: side === "buy" ? bid : ask, time }, market, chance, isThin);
  } else withdrawSomething(book, side, chance);
}

function placeSomewhere(
  book: MatchingBook,
  { side, from, time }: { side: Order["side"]; from: number; time: number },
  market: Market,
  chance: Chance,
  isThin: boolean,
): void {
  const near = Math.max(2, from * market.halfSpread * 4);
  const deep = Math.min(busyLevels, market.levels) * market.ticksBetween;
  const distance = isThin ? chance.between(0, deep) : -Math.log(1 - chance.unit()) * near;
  const price = Math.round(side === "buy" ? from - distance : from + distance);
  const size = sizeOf(market, chance, 1 + (2 * distance) / deep);
  if (price > 0) book.submit({ side, price, size, time });
}

/** Withdraws an order, more likely near the best price than far from it. */
function withdrawSomething(book: MatchingBook, side: Order["side"], chance: Chance): void {
  const { levels } = book.side(side);
  const fromBest = Math.floor(Math.min(busyLevels, levels.length) * chance.unit() ** 2);
  const order = levels[levels.length - 1 - fromBest]?.orders.at(-1);
  if (order) book.cancel(order);
}

/** In lots; some are round numbers. */
function sizeOf({ lotsPerEpoch, tradesPerEpoch }: Market, chance: Chance, times: number): number {
  const usual = (3 * lotsPerEpoch) / tradesPerEpoch;
  const size = Math.max(10, Math.round(usual * times * Math.exp(1.1 * chance.normal() - 0.6)));
  const roundTo = chance.happens(0.4) ? 10 ** Math.floor(Math.log10(size)) : 1;
  return size - (size % roundTo);
}

/**
 * The orders that an epoch starts with. Those far from the best price are tied to their prices and stay over several
 * epochs, so that little changes where one epoch ends and the next begins.
 */
function placeDeepOrders(
  book: MatchingBook,
  seed: number,
  market: Market,
  tape: Tape,
  epoch: number,
): void {
  const start = epoch * epochMicros;
  const quotes = tape.quotes(start);
  for (const [side, best, step] of [
    ["buy", quotes.bid, -1],
    ["sell", quotes.ask, 1],
  ] as const) {
    const chance = chanceOf(seed, market.chance, epoch, -3, step);
    book.submit({ side, price: best, size: sizeOf(market, chance, 0.5), time: start });
    const firstRung = Math.floor(best / market.ticksBetween);
    for (let at = 0; at < market.levels + 10; at++) {
      placeRung(book, { seed, market, epoch, side, best, rung: firstRung + step * at });
    }
  }
}

type Rung = {
  seed: number;
  market: Market;
  epoch: number;
  side: Order["side"];
  best: number;
  rung: number;
};

function placeRung(book: MatchingBook, { seed, market, epoch, side, best, rung }: Rung): void {
  const shift = hashOf(market.chance, rung) % epochsOfDeepOrders;
  const since = Math.floor((epoch + shift) / epochsOfDeepOrders) * epochsOfDeepOrders - shift;
  const chance = chanceOf(seed, market.chance, rung, since, -4);
  const price = rung * market.ticksBetween + Math.floor(chance.unit() * market.ticksBetween);
  const isBeyond = side === "buy" ? price < best : price > best;
  if (!isBeyond || price <= 0) return;
  const time = since * epochMicros + Math.floor(chance.unit() * 1e6);
  book.submit({ side, price, size: sizeOf(market, chance, 3), time });
}
