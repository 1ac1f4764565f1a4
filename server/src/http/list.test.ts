import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { queryCheck } from "./check.ts";
import { blockField, pageFields, pageOf, timeFields, timeWindowOf } from "./list.ts";

const check = queryCheck(
  Type.Object({ ...pageFields(["number", "author"]), ...timeFields, ...blockField }),
);

describe("a list's query", () => {
  test.each([
    ["limit", "0", "limit must be a whole number from 1 to 10000"],
    ["limit", "10001", "limit must be a whole number from 1 to 10000"],
    ["limit", "all", "limit must be a whole number from 1 to 10000"],
    ["skip", "-1", "skip must be a whole number from 0 to 1000000000"],
    ["skip", "1000000001", "skip must be a whole number from 0 to 1000000000"],
    ["orderBy", "height", "orderBy must be one of number, author"],
    ["orderBy", "", "orderBy must be one of number, author"],
    ["orderDirection", "up", "orderDirection must be asc or desc"],
    ["from", "yesterday", "from must be a Unix time in milliseconds"],
    ["to", "-1", "to must be a Unix time in milliseconds"],
    ["block", "1.5", "block must be a block number from 0 to 9007199254740991"],
    ["block", "9007199254740992", "block must be a block number from 0 to 9007199254740991"],
  ])("%s=%s is refused: %s", (name, value, message) => {
    expect(() => check({ [name]: value })).toThrow(message);
  });

  test("takes the ends of every range, and a direction in any case", () => {
    const given = { limit: "10000", skip: "1000000000", orderDirection: "ASC", orderBy: "author" };
    expect(check({ ...given, block: "9007199254740991" })).toEqual({
      limit: 10_000,
      skip: 1_000_000_000,
      orderDirection: "ASC",
      orderBy: "author",
      block: 9_007_199_254_740_991,
    });
  });

  test("has a usual limit and order, and each can be chosen without the other", () => {
    const usual = { limit: 100, skip: 0, orderBy: "number", direction: "desc" };
    expect(pageOf({}, "number")).toEqual(usual);
    expect(pageOf({ orderDirection: "Asc" }, "number")).toEqual({ ...usual, direction: "asc" });
    expect(pageOf({ orderBy: "author" }, "number")).toEqual({ ...usual, orderBy: "author" });
  });
});

describe("a window of time", () => {
  test("is open where it is not given", () => {
    expect(timeWindowOf({})).toEqual({ from: undefined, to: undefined });
    expect(timeWindowOf({ from: 0 })).toEqual({ from: 0, to: undefined });
  });

  test("is the same in seconds and in milliseconds, and holds the seconds that lie in it as a whole", () => {
    const seconds = fc.integer({ min: 100_000_001, max: 99_999_999_999 });
    fc.assert(
      fc.property(seconds, fc.nat(999), fc.nat(999), (second, before, after) => {
        expect(timeWindowOf({ from: second, to: second })).toEqual({ from: second, to: second });
        const [from, to] = [second * 1_000 - before, second * 1_000 + after];
        expect(timeWindowOf({ from, to })).toEqual({ from: second, to: second });
      }),
    );
  });

  test.each([
    [1_700_000_001, 1_700_000_000],
    [1_700_000_000_001, 1_700_000_000],
    [1_700_000_000_002, 1_700_000_000_001],
  ])("from %i to %i is refused", (from, to) => {
    expect(() => timeWindowOf({ from, to })).toThrow("from must not be later than to");
  });
});
