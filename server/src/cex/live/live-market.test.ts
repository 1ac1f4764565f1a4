import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Trade } from "../market.ts";
import type { BookMessage } from "../messages.ts";
import { flatLevels, OrderBook } from "../order-book.ts";
import { LiveMarket } from "./live-market.ts";

const price = fc.integer({ min: 1, max: 12 });
const size = fc.integer({ min: 0, max: 3 });
const levels = fc.array(fc.tuple(price, size), { maxLength: 4 }).map((pairs) => pairs.flat());
const event = fc.record({
  kind: fc.constantFrom("change", "change", "change", "whole", "lost"),
  bids: levels,
  asks: levels,
  isHeard: fc.boolean(),
});

const stateOf = ({ bids, asks }: OrderBook) => [flatLevels(bids), flatLevels(asks)];

test("whatever gets lost: a book that is served is one that the exchange had under this nonce", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const source = new OrderBook();
      let nonce = 100;
      const had = new Map<number, unknown>();
      const market = new LiveMarket("kraken", "BTC-USD");
      const tell = (message: BookMessage, isHeard: boolean) => {
        had.set(nonce, stateOf(source));
        if (isHeard) market.hearBook(message, nonce);
        if (market.book) expect(stateOf(market.book.levels)).toEqual(had.get(market.book.nonce));
      };
      const whole = (): BookMessage => {
        const [bids = [], asks = []] = stateOf(source);
        return { market: "BTC-USD", kind: "whole", nonce, bids, asks };
      };
      for (const { kind, bids, asks, isHeard } of events) {
        const after = nonce;
        if (kind === "lost") {
          tell({ market: "BTC-USD", kind, reason: "a checksum is wrong" }, isHeard);
          continue;
        }
        source.apply(bids, asks);
        nonce++;
        tell(
          kind === "whole"
            ? whole()
            : { market: "BTC-USD", kind: "change", after, nonce, bids, asks },
          isHeard,
        );
      }
      tell(whole(), true);
      expect(market.book?.nonce).toBe(nonce);
    }),
    { numRuns: 2_000 },
  );
});

const bookOf = (nonce: number): BookMessage => ({
  market: "BTC-USD",
  kind: "whole",
  nonce,
  bids: [1, 1],
  asks: [2, 1],
});
const changeOf = (after: number, nonce: number): BookMessage => ({
  market: "BTC-USD",
  kind: "change",
  after,
  nonce,
  bids: [1, 5],
  asks: [],
});

describe("the book of a live market", () => {
  test("is gone when a change was missed, and is remembered as of its last change", () => {
    const market = new LiveMarket("kraken", "BTC-USD");
    market.hearBook(bookOf(1), 1_000);
    market.hearBook(changeOf(1, 2), 2_000);
    market.confirmedAt = 9_000;
    market.hearBook(changeOf(7, 8), 9_500);
    expect(market.book).toBeUndefined();
    expect(market.earlierBook).toMatchObject({ at: 2_000, value: { nonce: 2 } });
  });

  test("is gone for good when it may have been wrong", () => {
    const market = new LiveMarket("kraken", "BTC-USD");
    market.hearBook(bookOf(1), 1_000);
    market.hearBook({ market: "BTC-USD", kind: "lost", reason: "crossed" }, 2_000);
    expect(market.book).toBeUndefined();
    expect(market.earlierBook).toBeUndefined();
  });

  test("stays the same when it is repeated for others", () => {
    const market = new LiveMarket("kraken", "BTC-USD");
    market.hearBook(bookOf(1), 1_000);
    const answer = market.book?.answer(10);
    market.hearBook(bookOf(1), 2_000);
    expect(market.book?.answer(10)).toBe(answer);
    market.hearBook(changeOf(1, 2), 3_000);
    expect(market.book?.answer(10)).not.toBe(answer);
  });
});

test("the price is that of the newest trade, also when an older one is told late", () => {
  const market = new LiveMarket("kraken", "BTC-USD");
  expect(market.price).toBeUndefined();
  const trade = (time: number, price: string): Trade => ({
    id: String(time),
    time,
    price,
    size: "1",
    side: "buy",
  });
  market.hearTrades([trade(5, "0.00000001"), trade(6, "7.10")]);
  market.hearTrades([trade(4, "3")]);
  expect(JSON.parse(String(market.price?.plain))).toEqual({
    exchange: "kraken",
    market: "BTC-USD",
    timestamp: "6",
    price: 7.1,
  });
});
