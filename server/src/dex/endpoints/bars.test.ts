import { beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertBars,
  insertDeployment,
  insertPools,
  insertTokens,
} from "../../../test/dex-fixture.ts";
import { useApp } from "../../../test/test-app.ts";

const app = useApp({}, undefined, { chains: dexChains });
const pool = 0xa1;
const quietPool = 0xa2;
const firstHour = 486_111;
const path = `/v2/dex/uniswap-v3/ethereum/pool/${hex(pool)}/aggregate`;

beforeAll(async () => {
  const deployment = await insertDeployment(app.db);
  await insertTokens(app.db, [
    { deployment, token: 0, address: bytes(0x0a), name: "USD Coin", symbol: "USDC" },
    { deployment, token: 1, address: bytes(0x0b), name: "Wrapped Ether", symbol: "WETH" },
  ]);
  await insertPools(app.db, [
    { deployment, pool: 0, address: bytes(pool), token0: 0, token1: 1 },
    { deployment, pool: 1, address: bytes(quietPool), token0: 0, token1: 1 },
  ]);
  const hours = [0, 1, 3].map((hour) => ({ number: firstHour + hour, volume_usd: 10 - hour }));
  await insertBars(app.db, [
    { deployment, pool: 0, number: firstHour + 4, volume_usd: 9.5, ...figures },
    ...hours.map((hour) => ({ deployment, pool: 0, ...figures, ...hour, tick: null })),
    { deployment, pool: 0, seconds: 86_400, number: 20_254, ...figures },
  ]);
});

const figures = {
  open: "1.5",
  high: "3400.0000000000000000000000000001",
  low: "0.00000000000000000000000000000000000001",
  close: "2.5",
  volume0: "1000",
  volume1: "0.3",
  fees_usd: "30.1",
  tx_count: 12,
  liquidity: "340282366920938463463374607431768211455",
  sqrt_price: "79228162514264337593543950336",
  tick: -887_272,
  token0_price: "2.5",
  token1_price: "0.4",
  tvl_usd: "5000000.25",
  fee_growth0: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
  fee_growth1: "7",
};

type Options = Partial<Parameters<ReturnType<typeof app.as>["dex"]["bars"]>[3]>;
const bars = (options: Options = {}, address = hex(pool)) =>
  app.as("master").dex.bars("uniswap-v3", "ethereum", address, { timeframe: "hour", ...options });
const hours = async (options: Options) =>
  (await bars(options)).poolAggregates.map(({ timestamp }) => timestamp / 3_600 - firstHour);

describe("GET /v2/dex/{exchange}/{blockchain}/pool/{pool}/aggregate", () => {
  test("200: the pool's tokens, and its bars to the last digit", async () => {
    expect(await bars({ limit: 1 })).toEqual({
      timeframe: "hour",
      token0: { name: "USD Coin", id: hex(0x0a), symbol: "USDC" },
      token1: { name: "Wrapped Ether", id: hex(0x0b), symbol: "WETH" },
      poolAggregates: [
        {
          id: `${hex(pool)}-${firstHour + 4}`,
          timestamp: (firstHour + 4) * 3_600,
          feeGrowthGlobal0X128: figures.fee_growth0,
          feeGrowthGlobal1X128: "7",
          feesUSD: "30.1",
          o: "1.5",
          h: figures.high,
          l: figures.low,
          c: "2.5",
          volumeUSD: "9.5",
          volumeToken0: "1000",
          volumeToken1: "0.3",
          token0Price: "2.5",
          token1Price: "0.4",
          liquidity: figures.liquidity,
          txCount: "12",
          tvlUSD: "5000000.25",
          sqrtPrice: figures.sqrt_price,
          tick: "-887272",
        },
      ],
    });
  });

  test("200: days", async () => {
    const { timeframe, poolAggregates } = await bars({ timeframe: "day" });
    expect(timeframe).toBe("day");
    expect(poolAggregates.map(({ id }) => id)).toEqual([`${hex(pool)}-20254`]);
    expect(poolAggregates[0]?.timestamp).toBe(20_254 * 86_400);
  });

  test("200: a pool without a price has no tick, and is not called null", async () => {
    const { poolAggregates } = await bars({ skip: 1, limit: 1 });
    expect(poolAggregates[0]?.tick).toBeNull();
  });

  test("200: a pool in which nothing happened has no bars", async () => {
    expect((await bars({}, hex(quietPool))).poolAggregates).toEqual([]);
  });

  const start = firstHour * 3_600;
  test.each<[string, Options, number[]]>([
    ["newest first", {}, [4, 3, 1, 0]],
    ["oldest first", { orderDirection: "asc" }, [0, 1, 3, 4]],
    ["limit and skip", { limit: 2, skip: 1 }, [3, 1]],
    ["orderBy, as numbers", { orderBy: "volumeUSD" }, [0, 4, 1, 3]],
    ["orderBy tick: those without one are below all", { orderBy: "tick" }, [4, 0, 1, 3]],
    ["from, the start included", { from: (start + 3_600) * 1_000 }, [4, 3, 1]],
    ["from, a moment later", { from: (start + 3_600) * 1_000 + 1 }, [4, 3]],
    ["to, the start included", { to: (start + 3_600) * 1_000 }, [1, 0]],
    ["to, a moment earlier", { to: (start + 3_600) * 1_000 - 1 }, [0]],
    ["from and to in seconds", { from: start + 3_600, to: start + 3 * 3_600 }, [3, 1]],
    ["from in a far future", { from: Number.MAX_SAFE_INTEGER }, []],
  ])("200: %s", async (_, options, expected) => {
    expect(await hours(options)).toEqual(expected);
  });

  test("200: interval is another name for timeframe", async () => {
    for (const query of ["interval=hour", "interval=hour&timeframe=hour"]) {
      const response = await app.ask(`${path}?${query}`);
      expect(await response.json()).toEqual(await bars());
      expect(response.headers.get("slipway-as-of")).toContain("block=1000");
    }
  });

  test.each([
    [path, "Required field is missing: timeframe"],
    [`${path}?timeframe=week`, "timeframe must be hour or day"],
    [`${path}?interval=`, "interval must be hour or day"],
    [`${path}?interval=hour&timeframe=day`, "timeframe and interval must be the same"],
    [`${path}?timeframe=hour&from=2&to=1`, "from must not be later than to"],
    [`${path}?timeframe=hour&orderBy=price`, "orderBy must be one of id, timestamp"],
    [path.replace(hex(pool), "0x12"), "pool must be an address: 0x and 40 hexadecimal digits"],
  ])("400: %s", async (url, message) => {
    const response = await app.ask(url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringContaining(message) }],
    });
  });

  test.each([
    ["ethereum", `Pool ${hex(0xee)} was not found on uniswap-v3 on ethereum.`],
    ["base", "Nothing of uniswap-v3 on base has been indexed yet."],
  ])("404: no such pool on %s", async (blockchain, message) => {
    const asked = app.as("master").dex.bars("uniswap-v3", blockchain, hex(0xee), {
      timeframe: "day",
    });
    await expect(asked).rejects.toMatchObject({ status: 404, messages: [message] });
  });
});
