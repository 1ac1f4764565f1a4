import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareKeys, placeOf } from "./trade-key.ts";

describe("the place of a trade within its millisecond", () => {
  test.each([
    ["12", 12n],
    ["0012", 12n],
    ["9223372036854775807", 9223372036854775807n],
    ["9223372036854775808", 0n],
    ["99999999999999999999", 0n],
    ["-1", 0n],
    ["1.5", 0n],
    ["1e3", 0n],
    ["", 0n],
    ["5f0c2b1e-8b3c-4a53-9d0e-0f7f6a1c2d3e", 0n],
  ])("of %j is %s", (id, place) => {
    expect(placeOf(id)).toBe(place);
  });
});

test("trades are in order by time, then by number, then by text", () => {
  const ordered = [
    { time: 1, id: "99" },
    { time: 2, id: "a" },
    { time: 2, id: "b" },
    { time: 2, id: "ｚ" },
    { time: 2, id: "😀" },
    { time: 2, id: "9" },
    { time: 2, id: "010" },
    { time: 2, id: "10" },
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(ordered, { minLength: ordered.length }), (shuffled) => {
      expect(shuffled.sort(compareKeys)).toEqual(ordered);
    }),
  );
});
