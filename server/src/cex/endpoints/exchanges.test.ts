import { beforeAll, describe, expect, test } from "vitest";
import { faultOf, useCexApp } from "../../../test/cex-app.ts";
import { fakeKraken, fakeMarket } from "../../../test/fake-exchange-feed.ts";

const { app, clock, feed, freshness } = useCexApp("BTC-USD", "ETH2.S-EUR", "BTC-USDT:USDT-231229");
const client = () => app.as("master").cex;
beforeAll(() => feed.goLive("BTC-USD"));

describe("GET /v2/cex", () => {
  test("200: the exchanges, and one of them", async () => {
    expect(await client().exchanges()).toEqual([fakeKraken]);
    expect(await client().exchange("kraken")).toEqual(fakeKraken);
    expect(await client().exchange("Kraken")).toEqual(fakeKraken);
    expect(feed.count("exchanges")).toBe(1);
  });

  test.each([
    ["krakn", 'There is no such exchange here. Did you mean "kraken"? GET /v2/cex lists those'],
    ["elephant", "There is no such exchange here. GET /v2/cex lists those there are."],
    ["__proto__", "There is no such exchange here."],
    ["binance", "The exchange binance is not configured here. Those there are: kraken."],
    ["coinbasepro", 'can add "coinbaseexchange: {}" under exchanges in its configuration file'],
  ])("404: %s", async (exchange, message) => {
    for (const path of [
      "",
      "/status",
      "/markets",
      "/BTC-USD",
      "/BTC-USD/orders",
      "/BTC-USD/gaps",
    ]) {
      const fault = await faultOf(await app.ask(`/v2/cex/${exchange}${path}`));
      expect(fault).toEqual({ status: 404, message: expect.stringContaining(message) });
    }
  });

  test("401: no key, also for the status", async () => {
    for (const path of ["/v2/cex", "/v2/cex/kraken/status", "/v2/cex/kraken/BTC-USD/orders"]) {
      const response = await fetch(app.url + path);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ Unauthorized: "Invaild API Key" });
    }
  });
});

describe("GET /v2/cex/{exchange}/status", () => {
  test("200: what is heard every second, without asking", async () => {
    feed.status = "maintenance";
    await feed.tellStatus();
    const response = await app.ask("/v2/cex/kraken/status");
    expect(await response.json()).toEqual({ status: "maintenance", updated: clock.now() });
    expect(freshness(response)).toMatchObject({ age: "0", source: "rest" });
    expect(feed.count("status")).toBe(0);
    feed.status = "ok";
  });

  test("200: what was heard last, for a minute, when nobody answers", async () => {
    feed.refusal = "The line is dead.";
    clock.advance(59_000);
    const response = await app.ask("/v2/cex/kraken/status");
    expect(await response.json()).toMatchObject({ status: "maintenance" });
    expect(freshness(response).age).toBe("59");
    feed.refusal = undefined;
  });

  test("200: asked for when nothing is heard, and remembered for a minute when nobody answers", async () => {
    clock.advance(5_000);
    expect(await client().status("kraken")).toEqual({ status: "ok", updated: clock.now() });
    feed.refusal = "The line is dead.";
    clock.advance(59_000);
    const stale = await app.ask("/v2/cex/kraken/status");
    expect([stale.status, freshness(stale).age]).toEqual([200, "59"]);
    clock.advance(1_000);
    const response = await app.ask("/v2/cex/kraken/status");
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await faultOf(response)).toEqual({
      status: 503,
      message:
        "The exchange kraken cannot be asked just now: The line is dead. Try again in a moment.",
    });
    feed.refusal = undefined;
  });
});

describe("GET /v2/cex/{exchange}/markets", () => {
  test("200: the markets, with what is promised and nothing else", async () => {
    const { nativeId, priceDecimals, sizeDecimals, ...bitcoin } = fakeMarket("BTC-USD");
    const [first, ...others] = await client().markets("kraken");
    expect(first).toEqual(bitcoin);
    expect(others.map(({ id }) => id)).toEqual(["ETH2.S-EUR", "BTC-USDT:USDT-231229"]);
  });

  test.each([
    ["BTC-USD", "BTC-USD"],
    ["btc-usd", "BTC-USD"],
    ["BTC%2FUSD", "BTC-USD"],
    ["xbtczusd", "BTC-USD"],
    ["ETH2.S-EUR", "ETH2.S-EUR"],
    ["BTC-USDT:USDT-231229", "BTC-USDT:USDT-231229"],
    ["BTC-USDT%3AUSDT-231229", "BTC-USDT:USDT-231229"],
  ])("200: %s is %s", async (name, id) => {
    const response = await app.ask(`/v2/cex/kraken/${name}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, exchange: "kraken" });
    expect(freshness(response).source).toBe("rest");
  });

  test.each([
    ["BTC-USB", 'kraken has no such market. Did you mean "BTC-USD"? GET /v2/cex/kraken/markets'],
    [
      "x".repeat(200),
      "kraken has no such market. GET /v2/cex/kraken/markets lists those there are.",
    ],
  ])("404: %s", async (name, message) => {
    for (const path of [
      "",
      "/currentprice",
      "/trades",
      "/orders",
      "/aggregates?timeframe=1h",
      "/gaps",
    ]) {
      const fault = await faultOf(await app.ask(`/v2/cex/kraken/${name}${path}`));
      expect(fault).toEqual({ status: 404, message: expect.stringContaining(message) });
    }
  });

  test("200: a market that is new on an exchange is found once the list is a minute old", async () => {
    await client().market("kraken", "BTC-USD");
    feed.listing = [...feed.listing, fakeMarket("NEW-USD")];
    clock.advance(61_000);
    expect(await client().market("kraken", "new-usd")).toMatchObject({ id: "NEW-USD" });
  });

  test("200: the list that was stored last, while nobody can tell", async () => {
    const asked = feed.count("markets");
    feed.refusal = "The line is dead.";
    clock.advance(3_600_000);
    const response = await app.ask("/v2/cex/kraken/markets");
    expect(response.status).toBe(200);
    expect(freshness(response).age).toBe("3600");
    expect(feed.count("markets")).toBe(asked + 1);
    feed.refusal = undefined;
  });
});
