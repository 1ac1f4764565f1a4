import type { CexAggregates, CexCandle } from "@slipway/sdk";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { faultOf, useCexApp } from "../../../test/cex-app.ts";
import { openMarket } from "../store/markets.ts";
import { putExchangeCandles } from "../store/write-candles.ts";

const { app, clock, feed, freshness } = useCexApp("BTC-USD", "ETH-USD");
const minuteMs = 60_000;
const now = Date.UTC(2026, 0, 1);
const path = "/v2/cex/kraken/BTC-USD/aggregates";
/** Minutes ago at which candles start: the third lacks. */
const stored = [0, 1, 2, 4, 5, 6];
const startOf = (ago: number) => now - ago * minuteMs;

beforeAll(async () => {
  clock.advance(30_000);
  await feed.goLive("BTC-USD");
  const { id } = await openMarket(app.db, { exchange: "kraken", market: "BTC-USD" });
  const candles = stored.map((ago) => ({
    time: startOf(ago),
    open: "1.50",
    high: "73293.10",
    low: "0.000000010",
    close: String(10 + ago),
    volume: "0.01076655",
    until: startOf(ago) + minuteMs - 1,
  }));
  await putExchangeCandles(app.db, id, 60, candles);
});

beforeEach(async () => {
  feed.refusal = undefined;
  await feed.tellStatus();
});

const candles = (options = {}) =>
  app.as("master").cex.candles("kraken", "BTC-USD", { timeframe: "1m", ...options });
const agoOf = ({ timestamp }: CexCandle) => (now - Number(timestamp)) / minuteMs;
const agos = async (options = {}) => (await candles(options)).aggregates.map(agoOf);

describe("GET /v2/cex/{exchange}/{market}/aggregates", () => {
  test("200: candles to the last digit, newest first, the newest still growing", async () => {
    const response = await app.ask(`${path}?timeframe=1m`);
    const { aggregates, ...names } = (await response.json()) as CexAggregates;
    expect(names).toEqual({ exchange: "kraken", market: "BTC-USD", timeframe: "1m" });
    const figures = { o: 1.5, h: 73293.1, l: 0.00000001, c: 10, volume: 0.01076655 };
    expect(aggregates[0]).toEqual({ timestamp: String(now), ...figures, closed: false });
    expect(aggregates.map(({ closed }) => closed)).toEqual([false, true, true, true, true, true]);
    expect(freshness(response)).toMatchObject({ age: "0", source: "store" });
  });

  test.each<[string, object, number[]]>([
    ["newest first", {}, [0, 1, 2, 4, 5, 6]],
    ["oldest first", { orderDirection: "asc" }, [6, 5, 4, 2, 1, 0]],
    ["limit", { limit: 2 }, [0, 1]],
    ["limit, from the oldest", { limit: 2, orderDirection: "asc" }, [6, 5]],
    ["fill", { fill: "previous" }, [0, 1, 2, 3, 4, 5, 6]],
    ["from and to", { from: startOf(5), to: startOf(1) }, [1, 2, 4, 5]],
    ["since, in seconds", { since: startOf(2) / 1_000 }, [0, 1, 2]],
    ["from in a far future", { from: Number.MAX_SAFE_INTEGER }, []],
  ])("200: %s", async (_, options, expected) => {
    expect(await agos(options)).toEqual(expected);
  });

  test("200: a filled minute stays at the close before it", async () => {
    const filled = (await candles({ fill: "previous" })).aggregates[3];
    const flat = { o: 14, h: 14, l: 14, c: 14, volume: 0, txCount: 0, closed: true };
    expect(filled).toEqual({ timestamp: String(startOf(3)), ...flat });
  });

  test.each([
    ["desc", [[0, 1], [2, 4], [5, 6]], "cb-after", "after"], // biome-ignore format: pages
    ["asc", [[6, 5], [4, 2], [1, 0]], "cb-before", "before"], // biome-ignore format: pages
  ])("200: page by page, %s", async (orderDirection, expected, header, parameter) => {
    let url = `${path}?interval=1m&limit=2&orderDirection=${orderDirection}`;
    for (const page of expected) {
      const response = await app.ask(url);
      const { aggregates } = (await response.json()) as CexAggregates;
      expect(aggregates.map(agoOf)).toEqual(page);
      url = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? "";
      expect(url).toContain(`${path}?timeframe=1m&limit=2`);
      expect(url).toContain(`${parameter}=${response.headers.get(header)}`);
    }
    expect(await (await app.ask(url)).json()).toMatchObject({ aggregates: [] });
  });

  test("200: the exchange is asked for what the page reaches back to, and not again", async () => {
    await candles({ timeframe: "1h", limit: 48 });
    const asked = feed.count("candles");
    await candles({ timeframe: "1h", limit: 24 });
    expect(feed.count("candles")).toBe(asked);
    await candles({ timeframe: "1h", limit: 49 });
    expect(feed.count("candles")).toBe(asked + 1);
  });

  test("200: /aggregate is the same", async () => {
    const singular = await app.ask("/v2/cex/kraken/BTC-USD/aggregate?timeframe=1m");
    expect(await singular.json()).toEqual(await candles());
  });

  test("200: what is stored serves when a past is asked for, also while nobody answers", async () => {
    feed.refusal = "The line is dead.";
    clock.advance(70_000);
    expect((await app.ask(`${path}?timeframe=1m`)).status).toBe(503);
    const response = await app.ask(`${path}?timeframe=1m&to=${startOf(5)}`);
    expect(await response.json()).toMatchObject({ aggregates: [{ c: 15 }, { c: 16 }] });
    expect(freshness(response)).toMatchObject({ age: "70", source: "store" });
  });

  const labels = "1m, 5m, 15m, 1h, 6h, 1d";
  test.each([
    ["", `Required field is missing: timeframe, which must be one of ${labels}`],
    ["timeframe=2m", `timeframe must be one of ${labels}`],
    ["interval=hour", `interval must be one of ${labels}`],
    ["timeframe=1m&interval=5m", "timeframe and interval must be the same"],
    ["timeframe=1m&from=1&since=2", "from and since must be the same"],
    ["timeframe=1m&from=2&to=1", "from must not be later than to"],
    ["timeframe=1m&before=a&after=b", "before and after must not be given together"],
    ["timeframe=1m&after=a", "after must be a cursor"],
    ["timeframe=1m&fill=zero", "fill must be none or previous"],
    ["timeframe=1m&orderDirection=up", "orderDirection must be asc or desc"],
    ["timeframe=1m&limit=50001", "limit must be a whole number from 1 to 50000"],
  ])("400: %s", async (query, message) => {
    expect(await faultOf(await app.ask(`${path}?${query}`))).toEqual({
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});
