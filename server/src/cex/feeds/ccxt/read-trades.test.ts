import { describe, expect, test } from "vitest";
import { readTrades } from "./read-trades.ts";

const trade = { id: "1", timestamp: 1_000, price: "10.50", amount: "2", side: "buy" };

describe("trades", () => {
  test("come in order, those of the same moment by their numbers", () => {
    const trades = [
      { ...trade, id: "10" },
      { ...trade, id: "9" },
      { ...trade, id: "11", timestamp: 999 },
    ];
    expect(readTrades(trades).map(({ id }) => id)).toEqual(["11", "9", "10"]);
  });

  test("without an id get the same one each time, whatever zeros they are sent with", () => {
    const { id, ...nameless } = trade;
    const [first] = readTrades([nameless]);
    const [again] = readTrades([{ ...nameless, price: 10.5, amount: "2.000" }]);
    expect(first?.id).toMatch(/^h[0-9a-f]{24}$/);
    expect(again?.id).toBe(first?.id);
    expect(first?.id).not.toBe(id);
  });

  test("without an id that are alike are still two", () => {
    const { id: _, ...nameless } = trade;
    const ids = readTrades([nameless, nameless, nameless]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(readTrades([nameless, nameless]).every(({ id }) => ids.includes(id))).toBe(true);
  });

  test("without a side were bought when the price had risen, sold when it had fallen", () => {
    const prices = ["10", "11", "11", "9", "9", "12"];
    const trades = prices.map((price, index) => ({
      ...trade,
      id: String(index),
      timestamp: index,
      price,
      side: undefined,
    }));
    expect(readTrades(trades).map(({ side }) => side)).toEqual([
      "buy",
      "buy",
      "buy",
      "sell",
      "sell",
      "buy",
    ]);
  });

  test.each([
    ["nothing", undefined],
    ["no list", { trades: 1 }],
    ["no price", [{ ...trade, price: undefined }]],
    ["a price of zero", [{ ...trade, price: "0" }]],
    ["a size below zero", [{ ...trade, amount: "-1" }]],
    ["no size", [{ ...trade, amount: null }]],
    ["no time", [{ ...trade, timestamp: undefined }]],
    ["a price that is no number", [{ ...trade, price: "NaN" }]],
    ["holes", [null, 1, "x", []]],
  ])("that are none are left out: %s", (_, value) => {
    expect(readTrades(value)).toEqual([]);
  });
});
