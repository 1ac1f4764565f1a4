import { beforeAll } from "vitest";
import { openLiveMarkets } from "../src/cex/live/live-markets.ts";
import { insertGaps } from "../src/cex/store/gaps.ts";
import { openMarket } from "../src/cex/store/markets.ts";
import { putExchangeCandles } from "../src/cex/store/write-candles.ts";
import { copyTrades } from "../src/cex/store/write-trades.ts";
import { systemRandom } from "../src/lib/random.ts";
import {
  bytes,
  dexChains,
  hex,
  insertBars,
  insertDeployment,
  insertPools,
  insertTokens,
  insertTrades,
} from "./dex-fixture.ts";
import { FakeExchangeFeed } from "./fake-exchange-feed.ts";
import { steppingClock } from "./stepping-clock.ts";
import { useApp } from "./test-app.ts";

/** When it is. */
export const chartsNow = Date.UTC(2026, 0, 1, 0, 0, 30);
/** The pool whose bars there are. */
export const chartedPool = hex(0xa1);
/** Minutes before now at which Kraken's BTC-USD has a candle: some lack. */
export const storedMinutes = [0, 1, 2, 4, 5, 6, 10, 11, 40];
/** Hours before now at which the pool has a bar. */
export const storedHours = [0, 1, 3, 50];

const minuteMs = 60_000;
const dayMs = 86_400_000;
const midnight = chartsNow - 30_000;
const lastHour = midnight / 3_600_000;

/** The API with a market of an exchange and a pool, and some of what happened there. */
export function useChartsScene() {
  const clock = steppingClock(chartsNow);
  const feed = new FakeExchangeFeed(clock, "BTC-USD", "ETH-USD", "BTC-EUR");
  const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
  const served = { exchanges: [kraken], otherExchanges: false };
  const { bus } = feed;
  const app = useApp({}, clock, {
    bus,
    chains: dexChains,
    live: (db) => openLiveMarkets({ db, bus, clock, random: systemRandom, ...served }),
  });

  beforeAll(async () => {
    feed.setBook("BTC-USD", [64_000.1, 1.5, 63_999.9, 2], [64_000.2, 0.25]);
    feed.price = { price: 64_000.1, time: chartsNow - 1_000 };
    await feed.goLive("BTC-USD");
    await storeMarket();
    await storePool();
  });

  async function storeMarket(): Promise<void> {
    const { id } = await openMarket(app.db, { exchange: "kraken", market: "BTC-USD" });
    const candle = (time: number, lengthMs: number, close: string) => ({
      ...{ time, open: "63999.90", high: "64100.00", low: "63000.000000010", close },
      ...{ volume: "0.01076655", until: time + lengthMs - 1 },
    });
    const minutes = storedMinutes.map((ago) =>
      candle(midnight - ago * minuteMs, minuteMs, `640${String(ago).padStart(2, "0")}.50`),
    );
    await putExchangeCandles(app.db, id, 60, minutes);
    const days = [candle(midnight, dayMs, "64000.10"), candle(midnight - dayMs, dayMs, "62000.00")];
    await putExchangeCandles(app.db, id, 86_400, days);
    const trades = [1, 2, 3].map((number) => ({
      ...{ id: String(number), time: midnight - number, price: "64000.10", size: "0.010" },
      side: "buy" as const,
    }));
    await app.db.transact((tx) => copyTrades(tx, [{ market: id, trades }]));
    const gap = { isOpen: false, from: midnight - 9_000, to: midnight - 8_000, reason: "silence" };
    await insertGaps(app.db, id, [gap], new Date(chartsNow));
  }

  async function storePool(): Promise<void> {
    const deployment = await insertDeployment(app.db);
    await insertTokens(app.db, [
      { deployment, token: 0, address: bytes(0x0a), name: "USD Coin", symbol: "USDC" },
      { deployment, token: 1, address: bytes(0x0b), name: '=HYPERLINK("x")', symbol: "WETH" },
    ]);
    const figures = { token0: 0, token1: 1, total_value_locked_usd: "5000000.25" };
    await insertPools(app.db, [{ deployment, pool: 0, address: bytes(0xa1), ...figures }]);
    const prices = { open: "3000.5", high: "3400.0000000000000000001", low: "2900", close: "3001" };
    const bar = { deployment, pool: 0, ...prices, volume_usd: "12345.678" };
    await insertBars(app.db, [
      ...storedHours.map((ago) => ({ ...bar, number: lastHour - ago })),
      { ...bar, seconds: 86_400, number: lastHour / 24 },
    ]);
    const trade = { deployment, pool: 0, block: 900, transaction_hash: bytes(0x77, 32) };
    await insertTrades(app.db, [
      { ...trade, log_index: 1, kind: "swap", amount0: "-1.5", amount1: "2", amount_usd: "3" },
      { ...trade, log_index: 2, kind: "mint", amount0: "1", amount1: "2", amount_usd: "3" },
      { ...trade, log_index: 3, kind: "burn", amount0: "1", amount1: "2", amount_usd: "3" },
    ]);
  }

  return { app, clock, feed };
}
