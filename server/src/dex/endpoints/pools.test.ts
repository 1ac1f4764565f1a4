import { beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertDeployment,
  insertPools,
  insertTokens,
} from "../../../test/dex-fixture.ts";
import { useApp } from "../../../test/test-app.ts";

const app = useApp({}, undefined, { chains: dexChains });
const [usdc, weth, meme] = [0x0a, 0x0b, 0x0c];
const [small, large] = [0xa1, 0xa2];

beforeAll(async () => {
  const deployment = await insertDeployment(app.db);
  await insertTokens(app.db, [
    { deployment, token: 0, address: bytes(usdc), name: "USD Coin", symbol: "USDC" },
    { deployment, token: 1, address: bytes(weth), name: "Wrapped Ether", symbol: "WETH" },
    { deployment, token: 2, address: bytes(meme), name: 'A "meme"', symbol: "MEME" },
  ]);
  await insertPools(app.db, [
    {
      deployment,
      pool: 0,
      address: bytes(small),
      token0: 1,
      token1: 2,
      fee: 10_000,
      total_value_locked_usd: "9.5",
      volume_usd: "100",
    },
    {
      deployment,
      pool: 1,
      address: bytes(large),
      token0: 0,
      token1: 1,
      liquidity: "340282366920938463463374607431768211455",
      total_value_locked_usd: "10.25",
      volume_usd: "99.5",
      tx_count: 7,
      token0_price: "3400.123",
      token1_price: "0.0002941",
    },
  ]);
});

const pools = (options = {}) => app.as("master").dex.pools("uniswap-v3", "ethereum", options);
const ids = async (options: object) => (await pools(options)).map(({ id }) => id);

describe("GET /v2/dex/{exchange}/{blockchain}/pools", () => {
  test("200: pools with their tokens, those with the most locked in them first", async () => {
    const [first, second] = await pools();
    expect(first).toEqual({
      id: hex(large),
      token0: { name: "USD Coin", id: hex(usdc), symbol: "USDC" },
      token1: { name: "Wrapped Ether", id: hex(weth), symbol: "WETH" },
      feeTier: "3000",
      liquidity: "340282366920938463463374607431768211455",
      tvlUSD: "10.25",
      volumeUSD: "99.5",
      txCount: "7",
      token0Price: "3400.123",
      token1Price: "0.0002941",
    });
    expect(second).toMatchObject({ id: hex(small), token1: { name: 'A "meme"' } });
  });

  test("200: tells how fresh it is", async () => {
    const { headers } = await app.ask("/v2/dex/uniswap-v3/ethereum/pools");
    expect(headers.get("slipway-as-of")).toContain("block=1000");
  });

  test.each([
    ["orderBy", { orderBy: "volumeUSD" }, [small, large]],
    ["orderDirection", { orderDirection: "asc" }, [small, large]],
    ["limit", { limit: 1 }, [large]],
    ["skip", { skip: 1 }, [small]],
    ["token", { token: hex(meme) }, [small]],
    ["a token in both", { token: hex(weth).toUpperCase() }, [large, small]],
    ["a token that nobody knows", { token: hex(0xee) }, []],
    ["an address", { pool: hex(small).toUpperCase() }, [small]],
    ["an address of no pool", { pool: hex(0xee) }, []],
  ])("200: %s", async (_, options, expected) => {
    expect(await ids(options)).toEqual(expected.map((value) => hex(value)));
  });

  test("200: nothing where nothing has been indexed", async () => {
    expect(await app.as("master").dex.pools("uniswap-v3", "base")).toEqual([]);
  });

  test.each([
    [{ token: "weth" }, "token must be an address"],
    [{ pool: "0x1" }, "pool must be an address"],
    [{ orderBy: "token0" }, "orderBy must be one of id, feeTier"],
  ])("400: %o", async (options, message) => {
    await expect(pools(options)).rejects.toMatchObject({
      status: 400,
      messages: [expect.stringContaining(message)],
    });
  });
});
