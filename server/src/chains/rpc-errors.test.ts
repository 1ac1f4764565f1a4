import { describe, expect, test } from "vitest";
import { failureOf, isRevert, retryAfterMs } from "./rpc-errors.ts";

describe("too many requests", () => {
  test.each([
    ["Alchemy", 429, "Your app has exceeded its compute units per second capacity."],
    ["Infura", -32005, "daily request count exceeded, request rate limited"],
    ["QuickNode", -32012, "credits limited to 6000/sec"],
    ["QuickNode, requests", -32007, "50/second request limit reached - reduce calls per second"],
    ["TheRPC", -32029, "Too Many Requests"],
    ["dRPC", 15, "Too many request, try again later"],
    ["Ankr", -32055, "Too many requests. Monthly quota is exhausted"],
    ["any", -32000, "rate limit exceeded"],
  ])("%s", (_, code, message) => {
    expect(failureOf({ code, message }).kind).toBe("limited");
  });

  test("how long to wait is believed, wherever it stands", () => {
    const data = { rate: { allowed_rps: 5, backoff_seconds: 30, current_rps: 5.2 } };
    const wait = (message: string, more: object = {}) =>
      failureOf({ code: -32005, message, ...more }).details.waitMs;
    expect(wait("exceeded project rate limit", { data })).toBe(30_000);
    expect(wait("rate limited, retry in 711ms")).toBe(711);
    expect(wait("rate limited, try again in 2s")).toBe(2_000);
    expect(wait("rate limited")).toBeUndefined();
  });
});

test.each([
  "header not found",
  "unknown block",
  "missing trie node 0xabc (path )",
  "Block not found",
])("%j is something the node lacks", (message) =>
  expect(failureOf({ code: -32000, message }).kind).toBe("missing"),
);

test("everything else is no answer", () => {
  expect(failureOf({ code: -32603, message: "internal error" }).kind).toBe("broken");
});

describe("a contract that refuses", () => {
  test.each([
    ["geth", 3, "execution reverted: STF"],
    ["Parity", -32015, "VM execution error."],
    ["Hardhat", -32603, "Error: VM Exception while processing transaction: reverted"],
    ["geth", -32000, "invalid opcode: opcode 0xfe not defined"],
    ["geth", -32000, "out of gas"],
    ["reth", -32003, "EVM error: InvalidJump"],
    ["Besu", -32000, "Execution reverted"],
  ])("%s", (_, code, message) => expect(isRevert({ code, message })).toBe(true));

  test.each([
    [-32000, "header not found"],
    [-32005, "rate limit exceeded"],
    [-32603, "internal error"],
    [-32601, "the method eth_call does not exist"],
  ])("%i %s is not one", (code, message) => expect(isRevert({ code, message })).toBe(false));
});

test("Retry-After is seconds or a date", () => {
  const now = Date.UTC(2026, 0, 1);
  expect(retryAfterMs("3", now)).toBe(3_000);
  expect(retryAfterMs("Thu, 01 Jan 2026 00:00:10 GMT", now)).toBe(10_000);
  expect(retryAfterMs("Wed, 31 Dec 2025 00:00:10 GMT", now)).toBe(0);
  expect(retryAfterMs("soon", now)).toBeUndefined();
  expect(retryAfterMs(null, now)).toBeUndefined();
});
