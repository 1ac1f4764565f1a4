import type { DexToken } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertDeployment,
  insertSupplies,
  insertTokens,
  insertVersions,
  timeOf,
} from "../../../test/dex-fixture.ts";
import { manualClock } from "../../../test/manual-clock.ts";
import { useApp } from "../../../test/test-app.ts";

const clock = manualClock(timeOf(1_000) * 1_000 + 7_500);
const app = useApp({}, clock, { chains: dexChains });

const [usdc, weth, odd] = [0x0a, 0x0b, 0x0c];
const oddName = 'Ünïcode "quoted" \\ back\tslash 🦄';

beforeAll(async () => {
  const deployment = await insertDeployment(app.db);
  await insertDeployment(app.db, { exchange: "pancakeswap-v3", block: 5 });
  await insertTokens(app.db, [
    {
      deployment,
      token: 0,
      address: bytes(usdc),
      name: "USD Coin",
      symbol: "USDC",
      decimals: 6,
      volume: "123456789.123456",
      volume_usd: "9.5",
      untracked_volume_usd: "123456790.5",
      fees_usd: "0.000000000000000000000000000000000000000123",
      tx_count: "9007199254740993",
      pool_count: 2,
      total_value_locked: "1000000",
      total_value_locked_usd: "1000000.0000000000000000000000000001",
      total_value_locked_usd_untracked: "1000001",
      derived_eth: "0.0002941176470588235294117647058823529",
    },
    {
      deployment,
      token: 1,
      address: bytes(weth),
      name: "Wrapped",
      symbol: "WETH",
      volume_usd: 100,
    },
    { deployment, token: 2, address: bytes(odd), name: oddName, symbol: "WETH", volume_usd: -1 },
  ]);
  await insertSupplies(app.db, [
    { address: bytes(usdc), block: 100, supply: "26000000000000000" },
    { address: bytes(usdc), block: 200, supply: "27000000000000000" },
  ]);
  await insertVersions(app.db, [
    { deployment, token: 0, block: 50, volume: "1", tx_count: 1, pool_count: 1 },
    { deployment, token: 0, block: 150, volume: "2", tx_count: 2, pool_count: 2 },
    { deployment, token: 0, block: 1_000, volume: "3", tx_count: 3, pool_count: 2 },
  ]);
});

const usdCoin: DexToken = {
  id: hex(usdc),
  name: "USD Coin",
  symbol: "USDC",
  decimals: "6",
  supply: "27000000000000000",
  totalValueLocked: "1000000",
  totalValueLockedUSD: "1000000.0000000000000000000000000001",
  volume: "123456789.123456",
  volumeUSD: "9.5",
  untrackedVolumeUSD: "123456790.5",
  txCount: "9007199254740993",
  derivedETH: "0.0002941176470588235294117647058823529",
  feesUSD: "0.000000000000000000000000000000000000000123",
  totalValueLockedUSDUntracked: "1000001",
  poolCount: "2",
};

const dex = () => app.as("master").dex;
const tokens = (options = {}) => dex().tokens("uniswap-v3", "ethereum", options);
const ids = async (options: object) => (await tokens(options)).map(({ id }) => id);
const token = (address: string, block?: number) =>
  dex().token("uniswap-v3", "ethereum", address, block === undefined ? {} : { block });
const refusal = (status: number, message: string) => ({
  status,
  messages: [expect.stringContaining(message)],
});

describe("GET /v1/dex/{exchange}/{blockchain}/tokens", () => {
  const path = "/v1/dex/uniswap-v3/ethereum/tokens";

  test("200: tokens to the last digit, those with the highest volume first", async () => {
    const found = await tokens();
    expect(found.map(({ id }) => id)).toEqual([hex(weth), hex(usdc), hex(odd)]);
    expect(found[1]).toEqual(usdCoin);
    expect(found[2]).toMatchObject({ name: oddName, supply: "0", volumeUSD: "-1" });
  });

  test("200: the old path answers the same, and names the new one", async () => {
    const response = await app.ask(path);
    expect(await response.json()).toEqual(await tokens());
    expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(response.headers.get("link")).toBe(
      '</v2/dex/uniswap-v3/ethereum/tokens>; rel="successor-version"',
    );
    expect(response.headers.get("slipway-maturity")).toBe("alpha");
  });

  test("200 and 304 tell how fresh they are", async () => {
    const first = await app.ask(path);
    const etag = first.headers.get("etag") ?? "";
    const again = await app.ask(path, { headers: { "if-none-match": etag } });
    expect([first.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [first, again]) {
      expect(headers.get("slipway-as-of")).toBe("2025-06-15T18:26:40Z; block=1000");
      expect(headers.get("age")).toBe("7");
      expect(headers.get("slipway-source")).toBe("chain");
    }
  });

  test.each([
    ["tokenSymbol", { tokenSymbol: "WETH" }, [weth, odd]],
    ["tokenSymbol is exact", { tokenSymbol: "weth" }, []],
    ["tokenId", { tokenId: hex(usdc) }, [usdc]],
    ["tokenId in upper case", { tokenId: hex(usdc).toUpperCase() }, [usdc]],
    ["tokenId of nothing", { tokenId: hex(0xee) }, []],
    ["tokenName", { tokenName: oddName }, [odd]],
    ["tokeName", { tokeName: "USD Coin" }, [usdc]],
    ["both spellings", { tokeName: "USD Coin", tokenName: "USD Coin" }, [usdc]],
    ["several at once", { tokenSymbol: "WETH", tokenName: "Wrapped" }, [weth]],
    ["limit and skip", { limit: 1, skip: 1 }, [usdc]],
    ["skip beyond the end", { skip: 1_000_000_000 }, []],
    ["orderBy", { orderBy: "symbol", orderDirection: "asc" }, [usdc, weth, odd]],
    ["orderBy supply", { orderBy: "supply" }, [usdc, weth, odd]],
    ["orderDirection", { orderDirection: "ASC" }, [odd, usdc, weth]],
    ["what we do not know", { page: 3 }, [weth, usdc, odd]],
  ])("200: %s", async (_, options, expected) => {
    expect(await ids(options)).toEqual(expected.map((value) => hex(value)));
  });

  test("200: logo=true says where the pictures are, and they are there", async () => {
    const [first] = await tokens({ logo: true, tokenSymbol: "USDC" });
    expect(first).toEqual({ ...usdCoin, logo: `${app.url}/logo/ethereum/${hex(usdc)}.svg` });
    expect((await fetch(first?.logo ?? "")).status).toBe(200);
    expect(await tokens({ logo: false, tokenSymbol: "USDC" })).toEqual([usdCoin]);
  });

  test("200: nothing where nothing has been indexed, and no word of freshness", async () => {
    const response = await app.ask("/v1/dex/uniswap-v3/base/tokens");
    expect(await response.json()).toEqual([]);
    expect(response.headers.get("slipway-as-of")).toBeNull();
  });

  test("200: another exchange's tokens are its own", async () => {
    expect(await dex().tokens("pancakeswap-v3", "ethereum")).toEqual([]);
  });

  test.each([
    [{ tokenId: "0x12" }, "tokenId must be an address: 0x and 40 hexadecimal digits"],
    [{ orderBy: "logo" }, "orderBy must be one of id, name, symbol"],
    [{ limit: 10_001 }, "limit must be a whole number from 1 to 10000"],
    [{ limit: 0 }, "limit must be a whole number from 1 to 10000"],
    [{ logo: "perhaps" }, "logo must be true or false"],
    [{ tokenName: "a", tokeName: "b" }, "tokenName and tokeName must be the same"],
    [{ tokenSymbol: "\u0000" }, "U+0000"],
  ])("400: %o", async (options, message) => {
    await expect(tokens(options)).rejects.toMatchObject(refusal(400, message));
  });

  test("401: no key", async () => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ Unauthorized: "Invaild API Key" });
  });
});

describe("GET /v1/dex/{exchange}/{blockchain}/token/{token}", () => {
  test("200: as it is now, whatever the case of its address", async () => {
    expect(await token(hex(usdc))).toEqual(usdCoin);
    expect(await token(hex(usdc).toUpperCase())).toEqual(usdCoin);
    const response = await app.ask(`/v1/dex/uniswap-v3/ethereum/token/${hex(usdc)}`);
    expect(await response.json()).toEqual(usdCoin);
    expect(response.headers.get("link")).toContain(
      `/v2/dex/uniswap-v3/ethereum/token/${hex(usdc)}>`,
    );
    expect(response.headers.get("slipway-as-of")).toContain("block=1000");
  });

  test.each([
    [50, "1", "26000000000000000"],
    [149, "1", "26000000000000000"],
    [150, "2", "26000000000000000"],
    [200, "2", "27000000000000000"],
    [999, "2", "27000000000000000"],
    [1_000, "3", "27000000000000000"],
  ])("200: as of block %i", async (block, volume, supply) => {
    expect(await token(hex(usdc), block)).toMatchObject({
      name: "USD Coin",
      decimals: "6",
      volume,
      supply,
      txCount: volume,
    });
  });

  test("200: a version has the same fields as the present", async () => {
    expect(Object.keys(await token(hex(usdc), 150))).toEqual(Object.keys(await token(hex(usdc))));
  });

  test.each([
    ["0x12", undefined, 400, "token must be an address: 0x and 40 hexadecimal digits"],
    ["usdc", undefined, 400, "token must be an address"],
    [`${hex(usdc)}0`, undefined, 400, "token must be an address"],
    [hex(0xee), undefined, 404, `Token ${hex(0xee)} was not found on uniswap-v3 on ethereum.`],
    [hex(usdc), 49, 404, `Token ${hex(usdc)} as of block 49 was not found`],
    [hex(usdc), 1_001, 404, "has been indexed up to block 1000"],
    [hex(usdc), Number.MAX_SAFE_INTEGER, 404, "has been indexed up to block 1000"],
    [hex(usdc), -1, 400, "block must be a block number"],
  ])("%s at %s: %i, %s", async (address, block, status, message) => {
    await expect(token(address, block)).rejects.toMatchObject(refusal(status, message));
  });

  test.each([undefined, 5])("404: nothing has been indexed yet (block %s)", async (block) => {
    const asked = dex().token(
      "uniswap-v3",
      "base",
      hex(usdc),
      block === undefined ? {} : { block },
    );
    await expect(asked).rejects.toMatchObject(
      refusal(404, "Nothing of uniswap-v3 on base has been indexed yet."),
    );
  });
});
