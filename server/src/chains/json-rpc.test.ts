import { describe, expect, test } from "vitest";
import { matchReplies, resultOf, toWire } from "./json-rpc.ts";

const one = toWire([{ method: "a", params: [] }], 7);
const two = toWire(
  [
    { method: "a", params: [] },
    { method: "b", params: [] },
  ],
  7,
);
const reply = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });

test("replies come in the order of the requests, whatever order they came in", () => {
  expect(matchReplies([reply(8, "second"), reply(7, "first")], two)).toEqual([
    { result: "first" },
    { result: "second" },
  ]);
  expect(matchReplies(reply("7", null), one)).toEqual([{ result: null }]);
  expect(matchReplies([reply(7, 1)], one)).toEqual([{ result: 1 }]);
});

test("an error is a reply", () => {
  const error = { code: -32000, message: "no" };
  expect(matchReplies({ id: null, error }, one)).toEqual([{ error }]);
  expect(() => matchReplies({ id: 7, error }, one).map(resultOf)).toThrow("no (-32000)");
});

describe("an answer is worthless", () => {
  test.each([
    ["with another id", reply(6, 1), one],
    ["without id", { result: 1 }, one],
    ["without result", { id: 7 }, one],
    ["that is a text", "hello", one],
    ["that is nothing", null, one],
    ["to a batch that lacks one", [reply(7, 1)], two],
    ["to a batch that has one twice", [reply(7, 1), reply(7, 1)], two],
    ["to a batch that has a foreign one", [reply(7, 1), reply(9, 1)], two],
    ["to a batch with one too many", [reply(7, 1), reply(8, 1), reply(9, 1)], two],
    ["to a batch that is no list", "hello", two],
    ["to a batch that holds something else", [1, 2], two],
  ])("%s", (_, body, requests) => {
    expect(() => matchReplies(body, requests)).toThrow(
      expect.objectContaining({ kind: "broken", details: {} }),
    );
  });
});

test.each([
  "batch requests are not supported",
  "batch limit 100 exceeded: 142 requests given",
  "too many requests in batch",
])("%j refuses the batch, not what is in it", (message) => {
  const body = { jsonrpc: "2.0", id: null, error: { code: -32000, message } };
  for (const answer of [body, [body]])
    expect(() => matchReplies(answer, two)).toThrow(
      expect.objectContaining({ details: { refusesBatch: true } }),
    );
});

test("a batch may also come too soon", () => {
  const body = { id: null, error: { code: 429, message: "too many requests" } };
  expect(() => matchReplies(body, two)).toThrow(expect.objectContaining({ kind: "limited" }));
});
