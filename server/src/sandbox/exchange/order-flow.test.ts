import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesBetween, type Quote, viewOf } from "./book-view.ts";
import { LiveMarket } from "./live-market.ts";
import { type Market, markets } from "./market.ts";
import { openEpochBook } from "./order-flow.ts";
import { epochMicros, openTape } from "./tape.ts";

const seed = 7;
const someEpoch = 1_980_000;
const epochMs = epochMicros / 1_000;
const bitcoin = markets[0] as Market;
const someMarket = fc.constantFrom(...markets);
const someMs = fc.integer({ min: 0, max: epochMs });

/** A subscriber who sets what it is told, and cuts its book to the depth it asked for. */
function told(book: Quote[], changes: readonly Quote[], depth: number, sign: 1 | -1): Quote[] {
  const prices = new Map(book.map(({ price, size }) => [price, size]));
  for (const { price, size } of changes) {
    if (size === 0) prices.delete(price);
    else prices.set(price, size);
  }
  return [...prices]
    .map(([price, size]) => ({ price, size }))
    .sort((one, other) => sign * (other.price - one.price))
    .slice(0, depth);
}

describe("an epoch's book", () => {
  test("makes the tape's trades by matching, in every market", () => {
    for (const market of markets) {
      const tape = openTape(seed, market);
      const { advance } = openEpochBook(seed, market, tape, someEpoch);
      expect(advance((someEpoch + 1) * epochMicros)).toEqual(tape.trades(someEpoch));
    }
  });

  test("is the same however often it is looked at on the way", () => {
    fc.assert(
      fc.property(someMarket, fc.array(someMs, { maxLength: 6 }), (market, moments) => {
        const start = someEpoch * epochMs;
        const seen = new LiveMarket(seed, market, start);
        const unseen = new LiveMarket(seed, market, start);
        const sorted = moments.sort((one, other) => one - other);
        const parts = sorted.flatMap((moment) => seen.advance(start + moment));
        expect(parts).toEqual(unseen.advance(start + (sorted.at(-1) ?? 0)));
        expect(viewOf(seen.book, 1_000)).toEqual(viewOf(unseen.book, 1_000));
      }),
      { numRuns: 25 },
    );
  });

  test("is never crossed, deep enough, with a small spread, and it changes all the time", () => {
    const start = someEpoch * epochMs;
    const live = new LiveMarket(seed, bitcoin, start);
    let changes = 0;
    for (let ms = 0; ms < 300_000; ms += 100) {
      const { version } = live;
      live.advance(start + ms);
      if (live.version !== version) changes++;
      const { bids, asks } = live.book;
      const [bid = 0, ask = 0] = [bids.best?.price, asks.best?.price];
      expect(bid).toBeLessThan(ask);
      expect(ask / bid - 1).toBeLessThan(0.002);
      expect(Math.min(bids.levels.length, asks.levels.length)).toBeGreaterThan(300);
    }
    expect(changes).toBeGreaterThan(300 * 4);
  });
});

describe("changes of a book", () => {
  test("make the book again when each is applied to the one before, in any depth and over epochs", () => {
    fc.assert(
      fc.property(
        someMarket,
        fc.constantFrom(10, 25, 100, 1_000),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 60 }),
        (market, depth, pauses) => {
          let time = (someEpoch + 1) * epochMs - 5_000;
          const live = new LiveMarket(seed, market, time);
          let view = viewOf(live.book, depth);
          let [bids, asks] = [view.bids, view.asks];
          for (const pause of pauses) {
            time += pause;
            live.advance(time);
            const next = viewOf(live.book, depth);
            const changes = changesBetween(view, next, depth);
            bids = told(bids, changes.bids, depth, 1);
            asks = told(asks, changes.asks, depth, -1);
            view = next;
            expect({ bids, asks }).toEqual(view);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("between epochs leave most of the deep orders where they are", () => {
    const end = (someEpoch + 1) * epochMs;
    const live = new LiveMarket(seed, bitcoin, end - 1);
    const before = viewOf(live.book, 1_000);
    live.advance(end);
    const sizes = new Map(viewOf(live.book, 1_000).bids.map(({ price, size }) => [price, size]));
    const stayed = before.bids.filter(({ price, size }) => sizes.get(price) === size);
    expect(stayed.length).toBeGreaterThan(before.bids.length / 2);
  });

  test("are none between a book and itself", () => {
    const view = viewOf(new LiveMarket(seed, bitcoin, someEpoch * epochMs).book, 100);
    expect(changesBetween(view, view, 100)).toEqual({ bids: [], asks: [] });
  });
});
