import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldCandles, foldTradeCandles, foldTrades, type TradeCandle } from "./candles.ts";
import type { Trade } from "./market.ts";
import { timeframes } from "./timeframes.ts";
import { compareKeys } from "./trade-key.ts";

const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 1, max: 20 }))
  .map(([digits, scale]) => {
    const text = String(digits).padStart(scale + 1, "0");
    return `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });
const tapes = fc.uniqueArray(
  fc.record({
    id: fc.oneof(fc.nat({ max: 50 }).map(String), fc.uuid()),
    time: fc.integer({ min: 0, max: 600_000 }),
    price: decimals,
    size: decimals,
    side: fc.constantFrom<"buy" | "sell">("buy", "sell"),
  }),
  { selector: ({ time, id }) => `${time} ${id}`, minLength: 1, maxLength: 60 },
);

/** A figure with at most twenty digits after the point, as a whole number. */
function whole(text: string): bigint {
  const [digits = "", fraction = ""] = text.split(".");
  return BigInt(digits + fraction.padEnd(20, "0"));
}

/** The same in the plainest way. */
function naive(trades: readonly Trade[], seconds: number) {
  const ordered = [...trades].sort(compareKeys);
  const starts = [...new Set(ordered.map(({ time }) => Math.floor(time / seconds / 1_000)))];
  return starts.map((start) => {
    const own = ordered.filter(({ time }) => Math.floor(time / seconds / 1_000) === start);
    const prices = own.map(({ price }) => whole(price));
    return {
      time: start * seconds * 1_000,
      open: prices[0],
      high: prices.reduce((one, other) => (other > one ? other : one)),
      low: prices.reduce((one, other) => (other < one ? other : one)),
      close: prices.at(-1),
      volume: own.reduce((sum, { size }) => sum + whole(size), 0n),
      trades: own.length,
    };
  });
}

function values(candles: readonly TradeCandle[]) {
  return candles.map(({ time, open, high, low, close, volume, trades }) => ({
    time,
    open: whole(open),
    high: whole(high),
    low: whole(low),
    close: whole(close),
    volume: whole(volume),
    trades,
  }));
}

describe("candles folded from trades", () => {
  test("are what the plainest way gives, to the last digit", () => {
    fc.assert(
      fc.property(tapes, fc.constantFrom(60, 300), (tape, seconds) => {
        expect(values(foldTrades(tape, seconds))).toEqual(naive(tape, seconds));
      }),
    );
  });

  test("are the same in whatever order the trades come", () => {
    fc.assert(
      fc.property(
        tapes.chain((tape) =>
          fc.tuple(fc.constant(tape), fc.shuffledSubarray(tape, { minLength: tape.length })),
        ),
        ([tape, shuffled]) => {
          expect(values(foldTrades(shuffled, 60))).toEqual(values(foldTrades(tape, 60)));
        },
      ),
    );
  });

  test("make longer ones that are those of the trades themselves", () => {
    fc.assert(
      fc.property(tapes, (tape) => {
        for (const seconds of timeframes.values()) {
          const folded = foldTradeCandles(foldTrades(tape, 60), seconds);
          const direct = foldTrades(tape, seconds);
          expect(values(folded)).toEqual(values(direct));
          expect(folded.map(({ first, last }) => [first, last])).toEqual(
            direct.map(({ first, last }) => [first, last]),
          );
        }
      }),
    );
  });

  test("read figures with an exponent", () => {
    const trade = { id: "1", time: 5, price: "1e-7", size: "1.5e3", side: "buy" } as const;
    const other = { ...trade, id: "2", price: "0.0000001", size: "2E-8" };
    expect(foldTrades([trade, other], 60)).toMatchObject([
      { high: "1e-7", low: "1e-7", volume: "1500.00000002" },
    ]);
  });
});

test("candles of an exchange fold into longer ones", () => {
  const hour = (number: number, open: string, high: string, low: string, close: string) => ({
    time: number * 3_600_000,
    open,
    high,
    low,
    close,
    volume: "0.10",
  });
  const hours = [
    hour(6, "9", "10", "8", "9.5"),
    hour(1, "2", "5", "1", "4"),
    hour(0, "1", "3", "0.5", "2"),
  ];
  expect(foldCandles(hours, 21_600)).toEqual([
    { time: 0, open: "1", high: "5", low: "0.5", close: "4", volume: "0.20" },
    { time: 21_600_000, open: "9", high: "10", low: "8", close: "9.5", volume: "0.10" },
  ]);
});
