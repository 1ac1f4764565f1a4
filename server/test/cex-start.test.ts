import { type CexOrderBook, Slipway } from "@slipway/sdk";
import { expect, test } from "vitest";
import { startService } from "./test-service.ts";

const place = ["kraken", "BTC-USD"] as const;

test("a first start fills every CEX endpoint with data that moves, and a second goes on from there", async () => {
  const env = { SANDBOX_EXCHANGE: "true" };
  const service = await startService({ env });
  const { cex, analytics, health } = clientOf(service.url);

  expect(await cex.exchange("kraken")).toMatchObject({
    id: "kraken",
    name: "Kraken (sandbox)",
    countries: ["US"],
    hasTrades: true,
    hasAggregates: true,
    aggregateTimeframes: { "1m": 60, "5m": 300, "15m": 900, "1h": 3600, "6h": 21600, "1d": 86400 },
  });
  expect((await cex.exchanges()).map(({ id }) => id)).toEqual(["kraken"]);
  expect((await cex.status("kraken")).status).toBe("ok");
  const ids = (await cex.markets("kraken")).map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["BTC-USD", "ETH-USD", "ETH-BTC", "SOL-USD", "USDC-USD"]),
  );
  expect(await cex.market("kraken", "xxbtzusd")).toMatchObject({ id: "BTC-USD", type: "spot" });

  const book = await cex.book(...place);
  expect(book.bids.length).toBe(200);
  expect(book.bids[0]?.[0]).toBeLessThan(book.asks[0]?.[0] ?? 0);
  const { price } = await cex.price(...place);
  expect(Math.abs(price / midOf(book) - 1)).toBeLessThan(0.01);
  const { trades } = await cex.trades(...place);
  expect(trades.length).toBe(200);
  for (const timeframe of ["1m", "5m", "15m", "1h", "6h", "1d"]) {
    const { aggregates } = await cex.candles(...place, { timeframe });
    expect(aggregates.length, timeframe).toBeGreaterThan(10);
    expect(aggregates[0]?.closed).toBe(false);
    expect(aggregates[1]?.closed).toBe(true);
  }
  expect((await cex.gaps(...place)).gaps).toEqual([]);

  await expect.poll(async () => (await cex.book(...place)).nonce).toBeGreaterThan(book.nonce);
  const newest = trades[0]?.id ?? "";
  await expect
    .poll(async () => (await cex.trades(...place, { limit: 1 })).trades[0]?.id, { timeout: 20_000 })
    .not.toBe(newest);
  await expect.poll(async () => (await health()).cex?.kraken?.state).toBe("ok");
  await expect(cex.book("kraken", "BTC-USDD")).rejects.toThrow(
    /no such market. Did you mean "BTC-USD"/,
  );

  const { nonce, liquidity, whole } = await liquidityAndBook(service.url);
  expect(liquidity, `of nonce ${nonce}`).toBeCloseTo(capitalOf(whole), 4);
  expect((await analytics.liquidity(...place, { depth: 0.001 })).liquidity).toBeLessThan(liquidity);

  const last = await cex.book(...place);
  await service.stop();
  const again = await startService({ env: { ...env, SLIPWAY_DATA: service.dataFolder } });
  const { cex: later } = clientOf(again.url);
  await expect
    .poll(async () => (await later.book(...place).catch(() => undefined))?.nonce, {
      timeout: 20_000,
    })
    .toBeGreaterThan(last.nonce);
  const seen = new Set<string>();
  const pages = later.trades(...place, { limit: 50 }).pages();
  for (let count = 0; count < 8; count++) {
    const { value } = await pages.next();
    for (const { id } of value?.trades ?? []) {
      expect(seen.has(id), id).toBe(false);
      seen.add(id);
    }
  }
  const numbers = [...seen].map(Number);
  expect(Math.max(...numbers) - Math.min(...numbers) + 1).toBe(numbers.length);
  await again.stop();
}, 120_000);

function clientOf(url: string) {
  const client = new Slipway({ baseUrl: url, apiKey: "slp_sandbox_master" });
  return { cex: client.cex, analytics: client.analytics, health: () => client.health() };
}

function midOf({ bids, asks }: CexOrderBook): number {
  return ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2;
}

function capitalOf(book: CexOrderBook): number {
  const paid = book.bids.reduce((sum, [price, size]) => sum + price * size, 0);
  return paid + midOf(book) * book.asks.reduce((sum, [, size]) => sum + size, 0);
}

/** Asks until both are of the same state of the book, which moves all the time. */
async function liquidityAndBook(url: string) {
  const { cex, analytics } = clientOf(url);
  for (;;) {
    const [{ nonce, liquidity }, whole] = await Promise.all([
      analytics.liquidity(...place),
      cex.book(...place, { limit: 50_000 }),
    ]);
    if (nonce === whole.nonce) return { nonce, liquidity, whole };
  }
}
