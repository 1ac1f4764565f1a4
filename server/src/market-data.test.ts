import { afterAll, beforeAll, expect, test } from "vitest";
import {
  bytes,
  dexChains,
  hex,
  insertDeployment,
  insertPools,
  insertTokens,
  timeOf,
} from "../test/dex-fixture.ts";
import { FakeExchangeFeed } from "../test/fake-exchange-feed.ts";
import { steppingClock } from "../test/stepping-clock.ts";
import { useDatabase } from "../test/test-database.ts";
import { type LiveMarkets, openLiveMarkets } from "./cex/live/live-markets.ts";
import { systemRandom } from "./lib/random.ts";
import { marketDataOf } from "./market-data.ts";
import type { MarketData } from "./ramp/rails/prices/market-prices.ts";

const held = useDatabase();
const clock = steppingClock();
const feed = new FakeExchangeFeed(clock, "ETH-USD", "SHIB-USD", "SOL-USD");
const [native, stablePool, wbtc, usdc, fake] = [2, 3, 4, 5, 6];
let live: LiveMarkets;
let data: MarketData;
afterAll(() => live.close());

beforeAll(async () => {
  const { db } = held;
  const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
  const served = { exchanges: [kraken], otherExchanges: false };
  live = openLiveMarkets({ db, bus: feed.bus, clock, random: systemRandom, ...served });
  const [ethereum] = dexChains;
  const rules = { whitelist: [hex(native), hex(wbtc), hex(usdc)], stablecoins: [hex(usdc)] };
  const chains = ethereum
    ? [{ ...ethereum, deployments: ethereum.deployments.map((each) => ({ ...each, ...rules })) }]
    : [];
  data = marketDataOf({ live, db, chains });
  const deployment = await insertDeployment(db);
  const token = (number: number, symbol: string, derived_eth: string) => ({
    ...{ deployment, token: number, address: bytes(number), symbol, derived_eth },
  });
  await insertTokens(db, [
    token(usdc, "USDC", "0.00028"),
    token(native, "WETH", "1"),
    token(wbtc, "WBTC", "28.5"),
    token(fake, "WBTC", "9999"),
  ]);
  const prices = { token0_price: "3500.1234567890123456789", token1_price: "0.0002857" };
  const pool = { deployment, pool: 1, address: bytes(stablePool), token0: usdc, token1: native };
  await insertPools(db, [{ ...pool, ...prices }]);
});

test("a market says its best offers and what lies near them", async () => {
  feed.setBook("ETH-USD", [3_499.5, 2, 3_400, 100], [3_500.5, 1, 3_501, 3]);
  await feed.goLive("ETH-USD");
  expect(await data.quotes("kraken/ETH-USD")).toEqual({
    market: "kraken/ETH-USD",
    bid: "3499.5",
    ask: "3500.5",
    volume: String(3_499.5 * 2 + 3_500 * 4),
    at: clock.now(),
  });
});

test("prices far below a cent are plain decimals too", async () => {
  feed.setBook("SHIB-USD", [0.00000012, 1_000], [0.00000013, 1_000]);
  expect(await data.quotes("kraken/SHIB-USD")).toMatchObject({
    bid: "0.00000012",
    ask: "0.00000013",
  });
});

test("a book with one side says nothing, and a market that is not there is an error", async () => {
  feed.setBook("SOL-USD", [200, 1], []);
  expect(await data.quotes("kraken/SOL-USD")).toBeUndefined();
  await expect(data.quotes("kraken/XYZ-USD")).rejects.toThrow("kraken has no such market");
  await expect(data.quotes("nowhere/ETH-USD")).rejects.toThrow("exchange");
});

test("the decentralized exchange prices what it believes, as of its newest block", async () => {
  const at = timeOf(1_000) * 1_000;
  const source = "dex ethereum";
  const ether = { source, priceE18: 3_500_123_456_789_012_345_678n, at };
  expect(await data.crossPrice("ETH")).toEqual(ether);
  expect(await data.crossPrice("WETH")).toEqual(ether);
  expect(await data.crossPrice("WBTC")).toEqual({
    ...{ source, at },
    priceE18: 99_753_518_518_486_851_851_848n,
  });
});

test("there it has no word on stablecoins, which are worth a dollar by definition, nor on strangers", async () => {
  expect(await data.crossPrice("USDC")).toBeUndefined();
  expect(await data.crossPrice("LINK")).toBeUndefined();
  const { db } = held;
  const none = marketDataOf({ live: { book: () => Promise.reject(new Error()) }, db, chains: [] });
  expect(await none.crossPrice("ETH")).toBeUndefined();
});
