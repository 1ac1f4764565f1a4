import { describe, expect, test } from "vitest";
import { type RangeAdvice, readRangeError } from "./range-errors.ts";

/** Texts as providers send them, for a request of 20,000 blocks from 0x100000. */
const refusals: [provider: string, text: string, advice: RangeAdvice][] = [
  [
    "Alchemy, too much to answer",
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x100000, 0x1003e7]",
    { fittingBlocks: 1_000, mostLogs: 10_000 },
  ],
  [
    "Alchemy, free plan",
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x100000, 0x100009]. Upgrade to PAYG for expanded block range.",
    { mostBlocks: 10, fittingBlocks: 10 },
  ],
  [
    "Alchemy, other chains",
    "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x100000, 0x1001f3]",
    { mostBlocks: 500, fittingBlocks: 500 },
  ],
  [
    "Alchemy, too slow",
    "Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x100000, 0x1001e8]",
    { fittingBlocks: 489 },
  ],
  [
    "Infura, results",
    "query returned more than 10000 results. Try with this block range [0x100000, 0x1004CF].",
    { mostLogs: 10_000, fittingBlocks: 1_232 },
  ],
  ["Infura, range", "range 20000 exceeds limit of 10000", { mostBlocks: 10_000 }],
  ["geth and others", "query returned more than 10000 results", { mostLogs: 10_000 }],
  ["QuickNode", "eth_getLogs is limited to a 10,000 range", { mostBlocks: 10_000 }],
  [
    "QuickNode, older",
    "eth_getLogs and eth_newFilter are limited to a 10,000 blocks range",
    { mostBlocks: 10_000 },
  ],
  ["Ankr", "block range is too wide", {}],
  ["Ankr, named", "maximum [from, to] blocks distance: 5000", { mostBlocks: 5_000 }],
  ["Cloudflare", "Max range: 800", { mostBlocks: 800 }],
  ["BlockPi", "eth_getLogs is limited to 1024 block range", { mostBlocks: 1_024 }],
  ["1RPC", "eth_getLogs is limited to 0 - 50 blocks range", { mostBlocks: 50 }],
  ["1RPC, size", "response size should not greater than 10000000 bytes", {}],
  [
    "Chainstack",
    "Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits",
    {},
  ],
  ["dRPC", "ranges over 10000 blocks are not supported on freetier", { mostBlocks: 10_000 }],
  ["publicnode, BNB", "exceed maximum block range: 5000", { mostBlocks: 5_000 }],
  [
    "Avalanche",
    "requested too many blocks from 1048576 to 1068575, maximum is set to 2048",
    { mostBlocks: 2_048 },
  ],
  ["thirdweb", "Maximum allowed number of requested blocks is 1000", { mostBlocks: 1_000 }],
  [
    "reth, LlamaRPC",
    "query exceeds max results 20000, retry with the range 1048576-1049575",
    { mostLogs: 20_000, fittingBlocks: 1_000 },
  ],
  ["reth", "query exceeds max block range 10000", { mostBlocks: 10_000 }],
  ["Optimism", "backend response too large", {}],
  ["Optimism, range", "Block range is too large", {}],
  ["Arbitrum", "logs matched by query exceeds limit of 10000", { mostLogs: 10_000 }],
  [
    "Blast",
    "eth_getLogs exceeds the range allowed for your plan (20000 > 500)",
    { mostBlocks: 500 },
  ],
  ["Coinbase", "please limit the query to at most 1,000 blocks", { mostBlocks: 1_000 }],
  ["Swell", "block range greater than 10000 max", { mostBlocks: 10_000 }],
  ["Somnia", "block range exceeds 1000", { mostBlocks: 1_000 }],
  ["Merkle", "eth_getLogs range is too large, max is 10k blocks", { mostBlocks: 10_000 }],
  ["Harmony", "GetLogs query must be smaller than size 1024", { mostBlocks: 1_024 }],
  ["Moonriver", "block range is too wide (maximum 1024)", { mostBlocks: 1_024 }],
  [
    "Morph",
    "block range is larger than max block range, block range = 20000, max block range = 5000",
    { mostBlocks: 5_000 },
  ],
  [
    "Tenderly, in the data",
    'invalid params {"error_id":"4ed94073","payload":"range 20000 is bigger than range limit 2000"}',
    { mostBlocks: 2_000 },
  ],
  ["Candle", "block range too high", {}],
  ["Scroll", "block range is bigger than maxBlockRange", {}],
  ["a gateway", "Response size is larger than 150MB limit.", {}],
];

test.each(refusals)("%s", (_, text, advice) => {
  expect(readRangeError(text, 20_000)).toEqual(advice);
});

describe("what is not about ranges is left to others", () => {
  test.each([
    "credits limited to 6000/sec",
    "Your app has exceeded its compute units per second capacity.",
    "daily request count exceeded, request rate limited",
    "execution reverted",
    "header not found",
    "block range extends beyond current head block",
    "invalid block range",
    "method eth_getLogs does not exist/is not available",
    "",
  ])("%j", (text) => expect(readRangeError(text, 20_000)).toBeUndefined());
});

test("a limit that was not exceeded is not the reason", () => {
  expect(readRangeError("exceed maximum block range: 5000", 100)).toEqual({});
});

test("a text without end is not read to its end", () => {
  const text = `${"block range ".repeat(100_000)}limited to a 10`;
  expect(readRangeError(text, 100)).toEqual({});
});
