import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fairPrice } from "../chain/market/fair-price.ts";
import { summaryOf } from "./history.ts";
import { type Market, markets } from "./market.ts";
import { epochAt, epochMicros, openTape } from "./tape.ts";

const seed = 7;
const someEpoch = 1_980_000;
const someMarket = fc.constantFrom(...markets);
const anEpoch = fc.integer({ min: someEpoch, max: someEpoch + 50_000 });
const marketOf = (symbol: string) => markets.find((market) => market.symbol === symbol) as Market;

describe("the tape of a market", () => {
  test("is the same for the same seed in whatever order it is asked for, and another for another", () => {
    fc.assert(
      fc.property(
        someMarket,
        fc.array(anEpoch, { minLength: 1, maxLength: 4 }),
        (market, epochs) => {
          const tape = openTape(seed, market);
          const backwards = openTape(seed, market);
          const forth = epochs.map((epoch) => tape.trades(epoch));
          const back = epochs.toReversed().map((epoch) => backwards.trades(epoch));
          expect(forth).toEqual(back.reverse());
          expect(openTape(seed + 1, market).trades(epochs[0] ?? 0)).not.toEqual(forth[0]);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("has ids without holes and times that grow, over the ends of epochs too", () => {
    fc.assert(
      fc.property(someMarket, anEpoch, (market, epoch) => {
        const tape = openTape(seed, market);
        const trades = [epoch, epoch + 1, epoch + 2].flatMap(tape.trades);
        expect(trades.length).toBe(3 * market.tradesPerEpoch);
        for (const [at, { id, time }] of trades.entries()) {
          const before = trades[at - 1];
          if (before) expect([id, time > before.time]).toEqual([before.id + 1, true]);
        }
        for (const { time } of tape.trades(epoch)) expect(epochAt(time)).toBe(epoch);
      }),
      { numRuns: 20 },
    );
  });

  test("comes to what its summary says without making the trades", () => {
    fc.assert(
      fc.property(someMarket, anEpoch, (market, epoch) => {
        const tape = openTape(seed, market);
        const { average, ...folded } = summaryOf(tape.trades(epoch)) ?? { average: 0 };
        const { average: about, ...summary } = tape.summary(epoch);
        expect(folded).toEqual(summary);
        expect(Math.abs(average / about - 1)).toBeLessThan(0.02);
      }),
      { numRuns: 40 },
    );
  });

  test("has whole sizes above nothing, and milliseconds that no rounding changes", () => {
    for (const market of markets) {
      for (const { size, price, time } of openTape(seed, market).trades(someEpoch)) {
        expect(Number.isSafeInteger(size) && size > 0).toBe(true);
        expect(Number.isSafeInteger(price) && price > 0).toBe(true);
        expect(Math.trunc((time / 1e6) * 1_000)).toBe(Math.floor(time / 1_000));
      }
    }
  });

  test("keeps near the fair price of which the sandbox's pools are made", () => {
    const market = marketOf("ETH/USD");
    const tape = openTape(seed, market);
    for (let epoch = someEpoch; epoch < someEpoch + 40; epoch++) {
      for (const { price, time } of tape.trades(epoch)) {
        const fair = fairPrice(seed, "ETH", time / 1e6);
        expect(Math.abs(price / 100 / fair - 1)).toBeLessThan(0.005);
      }
    }
  });

  test("of a pair of coins is the ratio of their prices", () => {
    const tape = openTape(seed, marketOf("ETH/BTC"));
    const time = someEpoch * epochMicros;
    const ratio = fairPrice(seed, "ETH", time / 1e6) / fairPrice(seed, "BTC", time / 1e6);
    const { bid, ask } = tape.quotes(time);
    expect(bid / 1e5).toBeLessThan(ratio);
    expect(ask / 1e5).toBeGreaterThan(ratio);
  });
});

describe("the markets", () => {
  test("are more than sixty, each with names of its own", () => {
    expect(markets.length).toBeGreaterThan(60);
    for (const name of ["symbol", "id", "altname", "wsname"] as const) {
      expect(new Set(markets.map((market) => market[name])).size).toBe(markets.length);
    }
    expect(markets.slice(0, 5).map(({ symbol }) => symbol)).toEqual([
      "BTC/USD",
      "ETH/USD",
      "SOL/USD",
      "USDC/USD",
      "ETH/BTC",
    ]);
  });
});
