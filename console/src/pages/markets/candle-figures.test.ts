import type { CexCandle } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { dayFigures, drawnCandles, withCandle } from "./candle-figures.ts";

const hourMs = 3_600_000;
const start = 1_794_700_800_000;

function candle(hour: number, price: number): CexCandle {
  const timestamp = String(start + hour * hourMs);
  return { timestamp, o: price, h: price + 2, l: price - 2, c: price + 1, volume: 1, closed: true };
}

const hours = Array.from({ length: 30 }, (_, index) => candle(29 - index, 100 + (29 - index)));

describe("what the last day was like", () => {
  test("counts 24 whole hours and the running one", () => {
    const figures = dayFigures(hours, 210);
    expect(figures?.change).toBeCloseTo(210 / 105 - 1);
    expect(figures?.high).toBe(210);
    expect(figures?.low).toBe(103);
    expect(figures?.volume).toBe(25);
  });

  test("is not compared with less than a day", () => {
    expect(dayFigures(hours.slice(0, 10), 210)?.change).toBeUndefined();
    expect(dayFigures([], 210)).toBeUndefined();
  });
});

describe("candles that the stream tells", () => {
  test("replace their older selves", () => {
    const told = candle(29, 500);
    expect(withCandle(hours, told)).toEqual([told, ...hours.slice(1)]);
  });

  test("begin a new time", () => {
    const told = candle(30, 500);
    expect(withCandle(hours, told)).toEqual([told, ...hours]);
  });

  test("are forgotten when the answer is newer than they are", () => {
    expect(withCandle(hours, candle(28, 500))).toBe(hours);
    expect(withCandle(hours, undefined)).toBe(hours);
  });

  test("are drawn from the oldest on", () => {
    const times = drawnCandles(hours).map(({ time }) => time);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times[0]).toBe(start / 1_000);
  });
});
