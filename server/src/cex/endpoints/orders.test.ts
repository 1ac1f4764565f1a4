import { beforeEach, describe, expect, test } from "vitest";
import { faultOf, useCexApp } from "../../../test/cex-app.ts";

const { app, clock, feed, freshness } = useCexApp("BTC-USD", "ETH-USD", "SOL-USD", "ADA-USD");
const ask = (market: string, query = "") => app.ask(`/v2/cex/kraken/${market}/orders${query}`);
const bookOf = (market: string, limit?: number) =>
  app.as("master").cex.book("kraken", market, limit === undefined ? {} : { limit });

beforeEach(() => {
  feed.refusal = undefined;
  feed.isSilent = false;
  feed.losesBooks = false;
});

describe("GET /v2/cex/{exchange}/{market}/orders of a live market", () => {
  test("200: the book as it is after every change, without asking anybody", async () => {
    feed.setBook("BTC-USD", [100, 1, 99.5, 2], [101, 0.00000001, 102, 4]);
    await feed.goLive("BTC-USD");
    const response = await ask("BTC-USD");
    expect(await response.json()).toEqual({
      exchange: "kraken",
      market: "BTC-USD",
      nonce: 1_001,
      bids: [[100, 1], [99.5, 2]], // biome-ignore format: levels
      asks: [[101, 0.00000001], [102, 4]], // biome-ignore format: levels
    });
    expect(freshness(response)).toEqual({
      age: "0",
      asOf: "2026-01-01T00:00:00.000Z",
      source: "websocket",
    });
    feed.change("BTC-USD", [100, 0, 99.75, 3], [101.5, 1]);
    await feed.settle();
    expect(await bookOf("btc-usd")).toMatchObject({
      nonce: 1_002,
      bids: [[99.75, 3], [99.5, 2]], // biome-ignore format: levels
      asks: [[101, 0.00000001], [101.5, 1], [102, 4]], // biome-ignore format: levels
    });
    expect(feed.count("book")).toBe(0);
  });

  test("200: limit is the number of levels on each side", async () => {
    expect(await bookOf("BTC-USD", 1)).toMatchObject({
      bids: [[99.75, 3]],
      asks: [[101, 0.00000001]],
    });
    expect((await bookOf("BTC-USD", 50_000)).asks).toHaveLength(3);
  });

  test("304: until it changes", async () => {
    const etag = (await ask("BTC-USD")).headers.get("etag") ?? "";
    const again = await app.ask("/v2/cex/kraken/BTC-USD/orders", {
      headers: { "if-none-match": etag },
    });
    expect(again.status).toBe(304);
    expect(freshness(again).source).toBe("websocket");
  });

  test("200: seconds in which nothing changed count, unless the exchange was heard", async () => {
    clock.advance(4_000);
    await feed.tellStatus({ isHeard: false });
    expect(freshness(await ask("BTC-USD"))).toMatchObject({ age: "4", source: "websocket" });
    await feed.tellStatus();
    expect(freshness(await ask("BTC-USD"))).toMatchObject({ age: "0", source: "websocket" });
  });

  test("200: a feed whose clock is an hour ahead is as fresh as any", async () => {
    clock.advance(2_000);
    await feed.tellStatus({ clockIsAheadMs: 3_600_000 });
    clock.advance(1_000);
    expect(freshness(await ask("BTC-USD"))).toMatchObject({ age: "1", source: "websocket" });
  });

  test.each([
    ["the feed falls silent", () => clock.advance(5_000)],
    [
      "the exchange falls silent",
      async () => {
        clock.advance(5_000);
        await feed.tellStatus({ isHeard: false });
      },
    ],
    [
      "a change is missed",
      async () => {
        feed.losesBooks = true;
        feed.change("BTC-USD", [50, 1], []);
        feed.losesBooks = false;
        feed.change("BTC-USD", [49, 1], []);
        await feed.settle();
      },
    ],
    [
      "the book cannot be trusted",
      async () => {
        feed.lose("BTC-USD", "a checksum is wrong");
        await feed.settle();
      },
    ],
  ])("200: it is asked for when %s, and live again afterwards", async (_, happens) => {
    await feed.goLive("BTC-USD");
    await bookOf("BTC-USD");
    const asked = feed.count("book");
    clock.advance(1_000);
    await feed.tellStatus();
    await happens();
    expect(await bookOf("BTC-USD")).toMatchObject({ nonce: feed.book("BTC-USD").nonce });
    expect(feed.count("book")).toBe(asked + 1);
    await feed.goLive("BTC-USD");
    feed.change("BTC-USD", [51, 1], []);
    await feed.settle();
    expect(await bookOf("BTC-USD")).toMatchObject({ nonce: feed.book("BTC-USD").nonce });
    expect(feed.count("book")).toBe(asked + 1);
  });

  test("200, then 503: while nobody answers, the last book serves for a minute, as old as it is", async () => {
    await feed.goLive("BTC-USD");
    const { nonce } = await bookOf("BTC-USD");
    feed.refusal = "It is closed for maintenance.";
    clock.advance(59_000);
    const stale = await ask("BTC-USD");
    expect(await stale.json()).toMatchObject({ nonce });
    expect(freshness(stale)).toMatchObject({ age: "59", source: "websocket" });
    clock.advance(1_000);
    const response = await ask("BTC-USD");
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await faultOf(response)).toEqual({
      status: 503,
      message:
        "The exchange kraken cannot be asked just now: It is closed for maintenance. Try again in a moment.",
    });
  });

  test("200: the last book serves within a second when the feed is gone", async () => {
    await feed.goLive("BTC-USD");
    await bookOf("BTC-USD");
    feed.isSilent = true;
    clock.advance(6_000);
    const asked = feed.count("book", "BTC-USD");
    const response = ask("BTC-USD");
    await expect.poll(() => feed.count("book", "BTC-USD")).toBe(asked + 1);
    clock.advance(1_000);
    expect(freshness(await response)).toMatchObject({ age: "7", source: "websocket" });
    clock.advance(8_000);
    await feed.settle();
  });

  test("200: a clock that was set back does not make a silent feed fresh", async () => {
    await feed.goLive("BTC-USD");
    clock.advance(-3_600_000);
    const asked = feed.count("book");
    await bookOf("BTC-USD");
    expect(feed.count("book")).toBe(asked + 1);
    clock.advance(3_600_000);
  });

  test("503: not the last book, when it may have been wrong", async () => {
    await feed.goLive("BTC-USD");
    await bookOf("BTC-USD");
    feed.lose("BTC-USD", "crossed");
    feed.refusal = "It is closed for maintenance.";
    clock.advance(2_000);
    await feed.tellStatus();
    expect((await ask("BTC-USD")).status).toBe(503);
  });
});

describe("GET /v2/cex/{exchange}/{market}/orders of another market", () => {
  test("200: one question, however many ask at a time", async () => {
    feed.setBook("ETH-USD", [10, 1], [11, 1]);
    const responses = await Promise.all(Array.from({ length: 50 }, () => ask("ETH-USD")));
    for (const response of responses) {
      expect(await response.json()).toMatchObject({ bids: [[10, 1]], asks: [[11, 1]] });
      expect(freshness(response)).toMatchObject({ age: "0", source: "rest" });
    }
    expect(feed.asked.filter(({ market }) => market === "ETH-USD")).toHaveLength(1);
  });

  test("200: an earlier answer is given when the new one does not come within a second", async () => {
    feed.isSilent = true;
    clock.advance(3_000);
    const asked = feed.count("book", "ETH-USD");
    const response = ask("ETH-USD");
    await expect.poll(() => feed.count("book", "ETH-USD")).toBe(asked + 1);
    clock.advance(1_000);
    expect(freshness(await response)).toMatchObject({ age: "4", source: "rest" });
    clock.advance(8_000);
    await feed.settle();
  });

  test("503: nobody answers within eight seconds", async () => {
    feed.isSilent = true;
    const asked = feed.count("book", "SOL-USD");
    const response = ask("SOL-USD");
    await expect.poll(() => feed.count("book", "SOL-USD")).toBe(asked + 1);
    clock.advance(8_000);
    expect(await faultOf(await response)).toEqual({
      status: 503,
      message: expect.stringContaining("The exchange kraken cannot be asked just now: The part of"),
    });
  });

  test("200: it becomes live, and is a question again when it is not watched any more", async () => {
    feed.setBook("ADA-USD", [1, 1], [2, 1]);
    await bookOf("ADA-USD");
    await feed.goLive("ADA-USD");
    const asked = feed.count("book");
    expect(freshness(await ask("ADA-USD")).source).toBe("websocket");
    expect(feed.count("book")).toBe(asked);
    await feed.leave("ADA-USD");
    clock.advance(1_000);
    expect(freshness(await ask("ADA-USD")).source).toBe("rest");
  });

  test("what is asked for is told to the feed, at most every thirty seconds", async () => {
    await feed.goLive("BTC-USD");
    clock.advance(30_000);
    await feed.goLive("BTC-USD");
    await feed.settle();
    feed.wanted.length = 0;
    for (let second = 0; second < 60; second++) {
      await bookOf("BTC-USD");
      clock.advance(1_000);
      await feed.tellStatus();
    }
    expect(feed.wanted.length).toBeGreaterThanOrEqual(1);
    expect(feed.wanted.length).toBeLessThanOrEqual(3);
    expect(feed.wanted[0]).toMatchObject({ exchange: "kraken", markets: ["BTC-USD"] });
  });
});

test.each(["0", "50001", "-1", "1.5", "many", ""])("400: limit=%s", async (limit) => {
  expect(await faultOf(await ask("BTC-USD", `?limit=${limit}`))).toEqual({
    status: 400,
    message: "limit must be a whole number from 1 to 50000",
  });
});
