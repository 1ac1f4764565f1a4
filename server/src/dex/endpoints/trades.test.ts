import type { TradeOptions } from "@slipway/sdk";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertDeployment,
  insertOrigins,
  insertPools,
  insertTokens,
  insertTrades,
  timeOf,
} from "../../../test/dex-fixture.ts";
import { useApp } from "../../../test/test-app.ts";
import type { Hex } from "../../chains/hex.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";

type FindOrigins = (blockchain: string, hashes: readonly Hex[]) => Promise<Map<Hex, Hex>>;

const nobody: FindOrigins = async () => new Map();
let findOrigins = nobody;
let isPatient = true;
let asked: { blockchain: string; hashes: readonly Hex[] }[] = [];
beforeEach(() => {
  findOrigins = nobody;
  isPatient = true;
  asked = [];
});

const clock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => (isPatient ? systemClock.sleep(ms, signal) : Promise.resolve()),
};

const app = useApp({}, clock, {
  chains: dexChains,
  findOrigins(blockchain, hashes) {
    asked.push({ blockchain, hashes });
    return findOrigins(blockchain, hashes);
  },
});

const [pool, otherPool, freshPool] = [0xa1, 0xa2, 0xa3];
const origin = 0x77;

beforeAll(async () => {
  const deployment = await insertDeployment(app.db);
  const tokens = [0, 1].map((token) => ({ deployment, token, address: bytes(token) }));
  await insertTokens(app.db, tokens);
  await insertPools(
    app.db,
    [pool, otherPool, freshPool].map((address, number) => ({
      deployment,
      pool: number,
      address: bytes(address),
      token0: 0,
      token1: 1,
    })),
  );
  const known = { deployment, pool: 0, transaction_hash: bytes(0x11, 32) };
  const earlier = { ...known, transaction_hash: bytes(0x10, 32) };
  await insertTrades(app.db, [
    { ...known, block: 10, kind: "mint", amount0: "1000", amount1: "0.5", amount_usd: "2000" },
    { ...known, block: 20, kind: "swap", amount0: "10", amount1: "-0.004", amount_usd: "9.5" },
    { ...known, block: 20, log_index: 7, kind: "swap", amount0: "-9", amount_usd: "100" },
    { ...earlier, block: 30, kind: "swap", amount0: "2", amount_usd: "99" },
    { ...known, block: 40, log_index: 3, kind: "burn", amount0: "500", amount1: "0.25" },
    { ...known, pool: 1, block: 25, kind: "swap" },
    { ...known, pool: 2, block: 50, kind: "swap", transaction_hash: bytes(0x22, 32) },
    { ...known, pool: 2, block: 50, log_index: 1, kind: "mint", transaction_hash: bytes(0x22, 32) },
    { ...known, pool: 2, block: 51, kind: "swap", transaction_hash: bytes(0x33, 32) },
    { ...known, pool: 2, block: 52, kind: "swap" },
  ]);
  await insertOrigins(
    app.db,
    [known, earlier].map(({ transaction_hash }) => ({ transaction_hash, origin: bytes(origin) })),
  );
});

const trades = (options: TradeOptions = {}, address: string = hex(pool)) =>
  app.as("master").dex.trades("uniswap-v3", "ethereum", address, options);
const path = `/v2/dex/uniswap-v3/ethereum/pool/${hex(pool)}/trades`;
const transaction = hex(0x11, 32);

describe("GET /v2/dex/{exchange}/{blockchain}/pool/{pool}/trades", () => {
  test("200: swaps, mints and burns, each with the fields of its kind", async () => {
    expect(await trades({ limit: 1 })).toEqual({
      poolAddress: hex(pool),
      burns: [
        {
          id: `${transaction}#3`,
          amount0: "500",
          amount1: "0.25",
          amountUSD: "0",
          logIndex: "3",
          origin: hex(origin),
          timestamp: String(timeOf(40)),
          amount: "5000",
          owner: hex(0x53),
        },
      ],
      mints: [
        {
          id: `${transaction}#0`,
          amount0: "1000",
          amount1: "0.5",
          amountUSD: "2000",
          logIndex: "0",
          origin: hex(origin),
          timestamp: String(timeOf(10)),
          amount: "5000",
          owner: hex(0x53),
          sender: hex(0x51),
        },
      ],
      swaps: [
        {
          id: `${hex(0x10, 32)}#0`,
          amount0: "2",
          amount1: "0",
          amountUSD: "99",
          logIndex: "0",
          origin: hex(origin),
          timestamp: String(timeOf(30)),
          sender: hex(0x51),
          recipient: hex(0x52),
          sqrtPriceX96: "79228162514264337593543950336",
        },
      ],
    });
    expect(asked).toEqual([]);
  });

  test("200: tells how fresh it is", async () => {
    const { headers } = await app.ask(path);
    expect(headers.get("slipway-as-of")).toContain("block=1000");
    expect(headers.get("etag")).toBeTruthy();
  });

  test.each<[string, TradeOptions, string[]]>([
    ["false leaves a kind out", { swap: false }, ["poolAddress", "burns", "mints"]],
    ["two kinds", { mint: false, burn: false }, ["poolAddress", "swaps"]],
    ["all", { swap: false, mint: false, burn: false }, ["poolAddress"]],
    ["true changes nothing", { swap: true }, ["poolAddress", "burns", "mints", "swaps"]],
  ])("200: %s", async (_, options, keys) => {
    expect(Object.keys(await trades(options))).toEqual(keys);
  });

  const ms = (block: number) => timeOf(block) * 1_000;
  test.each<[string, TradeOptions, string[], number, number]>([
    ["newest first", {}, ["30/0", "20/7", "20/0"], 1, 1],
    ["oldest first", { orderDirection: "asc" }, ["20/0", "20/7", "30/0"], 1, 1],
    ["limit and skip, for each kind", { limit: 1, skip: 1 }, ["20/7"], 0, 0],
    ["block: up to and including it", { block: 20 }, ["20/7", "20/0"], 1, 0],
    ["block: a moment before", { block: 19 }, [], 1, 0],
    ["block: before everything", { block: 0 }, [], 0, 0],
    ["block: between trades of others", { block: 29 }, ["20/7", "20/0"], 1, 0],
    ["block: the newest there is", { block: 1_000 }, ["30/0", "20/7", "20/0"], 1, 1],
    ["from", { from: ms(30) }, ["30/0"], 0, 1],
    ["from, a moment later", { from: ms(30) + 1 }, [], 0, 1],
    ["to", { to: ms(20) }, ["20/7", "20/0"], 1, 0],
    ["to, in seconds", { to: timeOf(20) - 1 }, [], 1, 0],
    ["from, to and block", { from: ms(10), to: ms(30), block: 20 }, ["20/7", "20/0"], 1, 0],
    ["orderBy, as numbers", { orderBy: "amountUSD" }, ["20/7", "30/0", "20/0"], 1, 1],
    ["orderBy with signs", { orderBy: "amount0" }, ["20/0", "30/0", "20/7"], 1, 1],
    ["orderBy id", { orderBy: "id", orderDirection: "asc" }, ["30/0", "20/0", "20/7"], 1, 1],
    [
      "orderBy what swaps lack",
      { orderBy: "amount", orderDirection: "asc" },
      ["30/0", "20/7", "20/0"],
      1,
      1,
    ],
  ])("200: %s", async (_, options, expected, mintCount, burnCount) => {
    const { swaps = [], mints, burns } = await trades(options);
    const places = swaps.map(
      ({ timestamp, logIndex }) => `${(Number(timestamp) - timeOf(0)) / 12}/${logIndex}`,
    );
    expect(places).toEqual(expected);
    expect([mints?.length, burns?.length]).toEqual([mintCount, burnCount]);
  });

  test("400: every fault of a query", async () => {
    const response = await app.ask(`${path}?limit=0&orderBy=price&block=x&swap=maybe&from=never`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [
        { message: "limit must be a whole number from 1 to 10000" },
        { message: expect.stringContaining("orderBy must be one of id, amount0, amount1") },
        { message: expect.stringContaining("from must be a Unix time") },
        { message: expect.stringContaining("block must be a block number") },
        { message: expect.stringContaining("swap must be true or false") },
      ],
    });
  });

  test.each([
    [400, { from: 5, to: 4 }, hex(pool), "from must not be later than to"],
    [400, {}, "0xzz", "pool must be an address"],
    [404, { block: 1_001 }, hex(pool), "has been indexed up to block 1000"],
    [404, {}, hex(0xee), `Pool ${hex(0xee)} was not found on uniswap-v3 on ethereum.`],
  ])("%i: %o of %s", async (status, options, address, message) => {
    await expect(trades(options, address)).rejects.toMatchObject({
      status,
      messages: [expect.stringContaining(message)],
    });
  });
});

describe("origins that are not stored yet", () => {
  const originsOf = async () => {
    const { swaps = [], mints = [] } = await trades({}, hex(freshPool));
    return [...swaps, ...mints].map((trade) => trade.origin);
  };

  test("are asked for, each transaction once", async () => {
    findOrigins = async () =>
      new Map([
        [hex(0x22, 32), hex(0x78)],
        [hex(0x33, 32), hex(0x79)],
      ]);
    expect(await originsOf()).toEqual([hex(origin), hex(0x79), hex(0x78), hex(0x78)]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.blockchain).toBe("ethereum");
    expect([...(asked[0]?.hashes ?? [])].sort()).toEqual([hex(0x22, 32), hex(0x33, 32)]);
  });

  test.each<[string, FindOrigins]>([
    ["nobody knows", nobody],
    ["the node is away", () => Promise.reject(new Error("away"))],
  ])("are empty when %s", async (_, find) => {
    findOrigins = find;
    expect(await originsOf()).toEqual([hex(origin), "", "", ""]);
  });

  test("are not waited for any longer when our patience is over", async () => {
    isPatient = false;
    findOrigins = () => new Promise(() => {});
    expect(await originsOf()).toEqual([hex(origin), "", "", ""]);
  });
});
