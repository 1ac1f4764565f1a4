import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallerError } from "../lib/errors.ts";
import { candleCursor, readCandleCursor, readTradeCursor, tradeCursor } from "./cursor.ts";

describe("a cursor", () => {
  const keys = fc.record({
    time: fc.integer({ min: 0, max: 999_999_999_999_999 }),
    id: fc
      .string({ minLength: 1, maxLength: 100, unit: "grapheme" })
      .filter((id) => id.length <= 200 && !id.includes("\0")),
  });

  test("of trades leads back to its trade", () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(readTradeCursor(tradeCursor(key), "after")).toEqual(key);
      }),
    );
  });

  test("of candles leads back to its candle", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (time) => {
        expect(readCandleCursor(candleCursor(time), "before")).toBe(time);
      }),
    );
  });

  test("that nobody gave out is refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readTradeCursor(text, "after")).toThrow(CallerError);
        expect(() => readCandleCursor(text, "after")).toThrow(CallerError);
      }),
    );
  });

  test.each([
    ["of another list", candleCursor(5)],
    ["without an id", Buffer.from("t1.5.").toString("base64url")],
    ["with padding", `${tradeCursor({ time: 5, id: "12" })}=`],
    ["with a character that no text may have", tradeCursor({ time: 5, id: "1\0" })],
    ["with an endless id", tradeCursor({ time: 5, id: "1".repeat(201) })],
    ["with a time beyond all calendars", tradeCursor({ time: 1e15, id: "1" })],
    ["of a later version", Buffer.from("t2.5.1").toString("base64url")],
  ])("%s is refused in words that help", (_, text) => {
    expect(() => readTradeCursor(text, "after")).toThrow(
      "after must be a cursor as the headers of an earlier page of trades give it; leave it out to begin with the newest",
    );
  });
});
