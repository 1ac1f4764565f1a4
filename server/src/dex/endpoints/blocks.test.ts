import type { Block, BlockListOptions } from "@slipway/sdk";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { dexChains } from "../../../test/dex-fixture.ts";
import { hashOf } from "../../../test/fake-chain.ts";
import { manualClock } from "../../../test/manual-clock.ts";
import { useApp } from "../../../test/test-app.ts";
import { testChain } from "../../../test/test-nodes.ts";
import type { Header } from "../../chains/chain.ts";
import { replaceBlocks } from "../store/blocks.ts";

const oldest = 1_000;
const count = 250;
const newest = oldest + count - 1;
const startTime = 1_700_000_000;
const timeOf = (number: number) => startTime + Math.floor((number - oldest) / 2) * 3;
const clock = manualClock((timeOf(newest) + 30) * 1_000);
const app = useApp({}, clock, { chains: dexChains });

/** Two blocks share a second; figures are of different lengths, and some are equal. */
const headerOf = (number: number): Header => ({
  number,
  hash: hashOf(`block ${number}`),
  parentHash: hashOf(`block ${number - 1}`),
  time: timeOf(number),
  logsBloom: "0x",
  author: number % 3 === 0 ? `0x${"0a".repeat(20)}` : `0x${"c0".repeat(20)}`,
  size: (number * 37) % 1_500,
  gasLimit: 30_000_000n,
  gasUsed: BigInt((number * 7_919) % 20_011) ** 4n,
  totalDifficulty: BigInt(number) ** 8n,
});

const blockOf = (number: number): Block => {
  const { time, size, gasLimit, gasUsed, totalDifficulty, author } = headerOf(number);
  return {
    number: String(number),
    timestamp: String(time),
    size: String(size),
    gasLimit: String(gasLimit),
    gasUsed: String(gasUsed),
    totalDifficulty: String(totalDifficulty),
    author,
  };
};
const all = Array.from({ length: count }, (_, index) => blockOf(oldest + index));

beforeAll(async () => {
  const blocks = all.map(({ number }) => headerOf(Number(number)));
  const chain = testChain([], { id: "ethereum" });
  await replaceBlocks(app.db, chain, { newest: undefined, base: undefined, blocks });
});

const list = (options: BlockListOptions = {}) => app.as("master").dex.blocks("ethereum", options);
const numbers = async (options: BlockListOptions) =>
  (await list(options)).map(({ number }) => Number(number));

async function messageOf(query: string, path = "/v1/blocks/ethereum") {
  const response = await app.ask(`${path}${query}`);
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return { status: response.status, message: errors.map(({ message }) => message).join(" ") };
}

describe.each(["/v1/blocks", "/v2/blocks"])("GET %s", (path) => {
  test("200: blockchains with blocks", async () => {
    const response = await app.ask(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([
      { id: "ethereum", name: "Ethereum" },
      { id: "base", name: "Base" },
    ]);
    expect(response.headers.get("deprecation") !== null).toBe(path === "/v1/blocks");
  });

  test("200: the newest hundred blocks of one, newest first", async () => {
    const response = await app.ask(`${path}/ethereum`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(all.slice(-100).reverse());
    expect(response.headers.get("slipway-as-of")).toMatch(new RegExp(`; block=${newest}$`));
    expect(response.headers.get("age")).toBe("30");
    expect(response.headers.get("link")).toBe(
      path === "/v1/blocks" ? '</v2/blocks/ethereum>; rel="successor-version"' : null,
    );
  });
});

describe("GET /v1/blocks/{blockchain}", () => {
  test("200: nothing yet of a blockchain that is new here", async () => {
    const response = await app.ask("/v1/blocks/base");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
    expect(response.headers.get("slipway-as-of")).toBeNull();
  });

  test("200: block gives the blocks up to that one", async () => {
    expect(await numbers({ block: 1_100, limit: 3 })).toEqual([1_100, 1_099, 1_098]);
    expect(await numbers({ block: newest, limit: 1 })).toEqual([newest]);
    expect(await numbers({ block: oldest })).toEqual([oldest]);
  });

  test("200: from and to, both included, in milliseconds or seconds", async () => {
    const [first, last] = [timeOf(1_010), timeOf(1_013)];
    const wanted = [1_013, 1_012, 1_011, 1_010];
    expect(await numbers({ from: first, to: last })).toEqual(wanted);
    expect(await numbers({ from: first * 1_000, to: last * 1_000 + 999 })).toEqual(wanted);
    expect(await numbers({ from: first * 1_000 + 1, to: last * 1_000 })).toEqual([1_013, 1_012]);
    expect(await numbers({ from: timeOf(newest) + 1 })).toEqual([]);
    expect(await numbers({ to: startTime - 1 })).toEqual([]);
    expect(await numbers({ from: timeOf(newest) })).toEqual([newest, newest - 1]);
    expect(await numbers({ to: startTime, from: 0 })).toEqual([oldest + 1, oldest]);
    expect(await numbers({ from: first, to: last, block: 1_011 })).toEqual([1_011, 1_010]);
  });

  test("200: any order, any part: the same as cutting it out of the sorted whole", async () => {
    const fields = Object.keys(blockOf(oldest)) as (keyof Block)[];
    const compare = (one: Block, other: Block, field: keyof Block): number => {
      const [a, b] = [one[field], other[field]];
      if (field === "author") return a < b ? -1 : Number(a > b);
      return Number(BigInt(a) - BigInt(b));
    };
    const second = fc.integer({ min: startTime - 10, max: timeOf(newest) + 10 });
    const windows: fc.Arbitrary<{ from?: number; to?: number }> = fc.oneof(
      fc.constant({}),
      fc.tuple(second, second).map(([one, other]) => ({
        from: Math.min(one, other),
        to: Math.max(one, other),
      })),
    );
    const options = fc.record({
      window: windows,
      orderBy: fc.constantFrom(...fields),
      orderDirection: fc.constantFrom("asc" as const, "desc" as const),
      limit: fc.integer({ min: 1, max: 300 }),
      skip: fc.integer({ min: 0, max: 260 }),
      block: fc.integer({ min: oldest, max: newest }),
    });
    await fc.assert(
      fc.asyncProperty(options, async ({ window, block, limit, skip, ...order }) => {
        const { orderBy, orderDirection } = order;
        const { from = 0, to = Number.POSITIVE_INFINITY } = window;
        const sign = orderDirection === "asc" ? 1 : -1;
        const sorted = all
          .filter(({ number }) => Number(number) <= block)
          .filter(({ timestamp }) => Number(timestamp) >= from && Number(timestamp) <= to)
          .sort((a, b) => sign * (compare(a, b, orderBy) || compare(a, b, "number")));
        const found = await list({ ...window, ...order, limit, skip, block });
        expect(found).toEqual(sorted.slice(skip, skip + limit));
      }),
      { numRuns: 60 },
    );
  });

  test("304: nothing new", async () => {
    const etag = (await app.ask("/v1/blocks/ethereum")).headers.get("etag") ?? "";
    const response = await app.ask("/v1/blocks/ethereum", { headers: { "if-none-match": etag } });
    expect(response.status).toBe(304);
    expect(response.headers.get("age")).toBe("30");
  });

  test.each([
    ["limit=0", "limit must be a whole number from 1 to 10000"],
    ["limit=10001", "limit must be a whole number from 1 to 10000"],
    ["limit=ten", "limit must be a whole number from 1 to 10000"],
    ["skip=-1", "skip must be a whole number from 0"],
    ["orderBy=hash", "orderBy must be one of number, timestamp, size, gasLimit, gasUsed"],
    ["orderDirection=up", "orderDirection must be asc or desc"],
    ["block=-1", "block must be a block number"],
    ["block=newest", "block must be a block number"],
    ["from=yesterday", "from must be a Unix time"],
    ["from=2000&to=1000", "from must not be later than to"],
  ])("400: %s", async (query, message) => {
    expect(await messageOf(`?${query}`)).toEqual({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  test("401: no key", async () => {
    const response = await fetch(`${app.url}/v1/blocks/ethereum`);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ Unauthorized: "Invaild API Key" });
  });

  test.each([
    [`?block=${newest + 1}`, `from ${oldest} to ${newest}`],
    [`?block=${oldest - 1}`, `from ${oldest} to ${newest}`],
    [`?block=${Number.MAX_SAFE_INTEGER}`, `from ${oldest} to ${newest}`],
  ])("404: %s is a block that is not there", async (query, message) => {
    expect(await messageOf(query)).toEqual({
      status: 404,
      message: expect.stringContaining(message),
    });
  });

  test("404: a block of a blockchain that has none yet", async () => {
    expect(await messageOf("?block=0", "/v1/blocks/base")).toEqual({
      status: 404,
      message: "Block 0 is not there: there are none of base yet.",
    });
  });

  test.each(["etherum", "__proto__", "a%2Fb"])("404: the blockchain %s", async (blockchain) => {
    const { status, message } = await messageOf("", `/v1/blocks/${blockchain}`);
    expect(status).toBe(404);
    expect(message).toContain("GET /v2/blocks lists those that are.");
    expect(message.includes('Did you mean "ethereum"?')).toBe(blockchain === "etherum");
  });
});
