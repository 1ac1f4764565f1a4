import { beforeEach, describe, expect, test } from "vitest";
import { faultOf, useCexApp } from "../../../test/cex-app.ts";
import type { Trade } from "../market.ts";

const { app, clock, feed, freshness } = useCexApp("BTC-USD", "ETH-USD", "SOL-USD");
const ask = (market: string) => app.ask(`/v2/cex/kraken/${market}/currentprice`);
const tradeOf = (time: number, price: string): Trade => ({
  id: String(time),
  time,
  price,
  size: "1",
  side: "buy",
});
beforeEach(() => {
  feed.refusal = undefined;
});

describe("GET /v2/cex/{exchange}/{market}/currentprice", () => {
  test("200: what the last trade of a live market paid", async () => {
    await feed.goLive("BTC-USD", { lastTrade: tradeOf(5, "73241.0") });
    const first = await ask("btc-usd");
    expect(await first.json()).toEqual({
      exchange: "kraken",
      market: "BTC-USD",
      timestamp: "5",
      price: 73_241,
    });
    feed.trade("BTC-USD", tradeOf(6, "73242.5"), tradeOf(7, "73243.5"));
    await feed.settle();
    const response = await ask("BTC-USD");
    expect(await response.json()).toMatchObject({ timestamp: "7", price: 73_243.5 });
    expect(freshness(response)).toMatchObject({ age: "0", source: "websocket" });
    expect(feed.count("price")).toBe(0);
  });

  test("200: asked for when the market is not live, or has not traded yet", async () => {
    feed.price = { price: 1e-8, time: 12 };
    await feed.goLive("SOL-USD");
    for (const market of ["ETH-USD", "SOL-USD"]) {
      const response = await ask(market);
      const body = { exchange: "kraken", market, timestamp: "12", price: 1e-8 };
      expect(await response.json()).toEqual(body);
      expect(freshness(response)).toMatchObject({ age: "0", source: "rest" });
    }
  });

  test("200, then 503: while nobody answers, the last price serves for a minute", async () => {
    feed.refusal = "The line is dead.";
    clock.advance(59_000);
    const stale = await ask("BTC-USD");
    expect(await stale.json()).toMatchObject({ price: 73_243.5 });
    expect(freshness(stale)).toMatchObject({ age: "59", source: "websocket" });
    expect(freshness(await ask("ETH-USD"))).toMatchObject({ age: "59", source: "rest" });
    clock.advance(1_000);
    for (const market of ["BTC-USD", "ETH-USD"]) {
      expect(await faultOf(await ask(market))).toMatchObject({ status: 503 });
    }
  });
});
