import type { CexTrades } from "@slipway/sdk";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { faultOf, useCexApp } from "../../../test/cex-app.ts";
import type { Trade } from "../market.ts";
import { insertGaps } from "../store/gaps.ts";
import { openMarket } from "../store/markets.ts";
import { copyTrades } from "../store/write-trades.ts";

const { app, clock, feed, freshness } = useCexApp("BTC-USD", "ETH-USD", "BIG-USD", "OLD-USD");
const start = Date.UTC(2026, 0, 1);
const path = "/v2/cex/kraken/BTC-USD/trades";
const bigCount = 50_000;

const tradeOf = (number: number): Trade => ({
  id: String(number),
  time: start - 1_000_000 + Math.floor(number / 3),
  price: "1.10",
  size: `0.0${number % 9}1`,
  side: number % 2 === 0 ? "buy" : "sell",
});

async function store(market: string, trades: Trade[]): Promise<number> {
  const { id } = await openMarket(app.db, { exchange: "kraken", market });
  await app.db.transact((tx) => copyTrades(tx, [{ market: id, trades }]));
  return id;
}

beforeAll(async () => {
  await feed.goLive("BTC-USD");
  const numbers = Array.from({ length: bigCount }, (_, number) => number + 1);
  const market = await store("BTC-USD", numbers.slice(0, 450).map(tradeOf));
  await store("BIG-USD", numbers.map(tradeOf));
  await store("OLD-USD", [tradeOf(1)]);
  const isOpen = false;
  const gaps = [
    { isOpen, from: start - 5_000, to: start - 4_000, reason: "the exchange has no older trades" },
    { isOpen, from: start - 2_000, to: start - 1_000, reason: "the line was dead" },
  ];
  await insertGaps(app.db, market, gaps, new Date(start));
});

beforeEach(async () => {
  feed.refusal = undefined;
  await feed.tellStatus();
});

const trades = (options = {}, market = "BTC-USD") =>
  app.as("master").cex.trades("kraken", market, options);
const idsOf = ({ trades }: CexTrades) => trades.map(({ id }) => Number(id));
const numbersDown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => from - at);

/** Where a Link header leads. */
function linksOf(response: Response): Record<string, string> {
  const links = response.headers.get("link") ?? "";
  return Object.fromEntries(
    [...links.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = "", rel = ""]) => [rel, url]),
  );
}

describe("GET /v2/cex/{exchange}/{market}/trades", () => {
  test("200: the newest two hundred, newest first, to the last digit", async () => {
    const response = await app.ask(path);
    const body = (await response.json()) as CexTrades;
    expect(Object.keys(body)).toEqual(["exchange", "market", "trades"]);
    expect(idsOf(body)).toEqual(numbersDown(450, 251));
    expect(body.trades[0]).toEqual({
      id: "450",
      timestamp: String(tradeOf(450).time),
      price: 1.1,
      size: 0.001,
      cost: 0.0011,
      side: "buy",
    });
    expect(freshness(response)).toMatchObject({ age: "0", source: "store" });
    expect(response.headers.get("etag")).toMatch(/^W\/"/);
  });

  test("200: older ones page by page, each exactly once", async () => {
    const pages: number[][] = [];
    const trades = app.as("master").cex.trades("kraken", "BTC-USD", { limit: 150 });
    for await (const page of trades.pages()) pages.push(idsOf(page));
    expect(pages.map(({ length }) => length)).toEqual([150, 150, 150]);
    expect(pages.flat()).toEqual(numbersDown(450, 1));
  });

  test("200: Link leads to older and newer pages, keeps the query and never the key", async () => {
    const since = tradeOf(100).time;
    const url = `/v2/cex/kraken/xbtczusd/trades?limit=40&since=${since}&apiKey=slp_sandbox_master`;
    const first = await fetch(app.url + url);
    const { next = "", prev = "" } = linksOf(first);
    expect(next).toMatch(new RegExp(`^${path}\\?limit=40&since=${since}&after=[\\w-]+$`));
    expect(prev).toMatch(new RegExp(`^${path}\\?limit=40&since=${since}&before=[\\w-]+$`));
    const older = await app.ask(next);
    expect(idsOf((await older.json()) as CexTrades)).toEqual(numbersDown(410, 371));
    const newer = await app.ask(linksOf(older).prev ?? "");
    expect(idsOf((await newer.json()) as CexTrades)).toEqual(numbersDown(450, 411));
  });

  test("200: newer ones with CB-BEFORE, also when there are none yet", async () => {
    const newest = (await app.ask(`${path}?limit=1`)).headers.get("cb-before") ?? "";
    const none = await app.ask(`${path}?before=${newest}`);
    expect(idsOf((await none.json()) as CexTrades)).toEqual([]);
    expect(none.headers.get("cb-before")).toBe(newest);
    expect(none.headers.get("cb-after")).toBeNull();
    await store("BTC-USD", [tradeOf(451), tradeOf(452)]);
    const one = await app.ask(`${path}?limit=1&before=${newest}`);
    expect(idsOf((await one.json()) as CexTrades)).toEqual([451]);
    expect(one.headers.get("cb-after")).not.toBeNull();
  });

  test("200: the last page has no cursor to older ones", async () => {
    const since = tradeOf(399).time;
    const response = await app.ask(`${path}?limit=54&since=${since}`);
    expect(idsOf((await response.json()) as CexTrades)).toEqual(numbersDown(452, 399));
    expect(response.headers.get("cb-after")).toBeNull();
    expect(linksOf(response)).not.toHaveProperty("next");
  });

  test("200: since in milliseconds or seconds, the moment itself included", async () => {
    const second = Math.ceil(tradeOf(452).time / 1_000);
    expect(idsOf(await trades({ since: tradeOf(450).time }))).toEqual([452, 451, 450]);
    expect(idsOf(await trades({ since: second }))).toEqual([]);
    expect(idsOf(await trades({ since: Number.MAX_SAFE_INTEGER }))).toEqual([]);
  });

  test("200: fifty thousand arrive in pieces, compressed or not, and HEAD has the same headers", async () => {
    const big = "/v2/cex/kraken/BIG-USD/trades?limit=50000";
    for (const encoding of ["identity", "gzip", "br"]) {
      const response = await app.ask(big, { headers: { "accept-encoding": encoding } });
      expect(response.headers.get("content-length")).toBeNull();
      expect(idsOf((await response.json()) as CexTrades)).toEqual(numbersDown(bigCount, 1));
    }
    const head = await app.ask(big, { method: "HEAD" });
    expect(head.headers.get("cb-before")).toMatch(/^[\w-]+$/);
    expect(await head.text()).toBe("");
  }, 30_000);

  test("200: the history of a live market is asked for once, of another each time", async () => {
    const count = (id: string) => feed.count("history", id);
    await trades();
    expect(count("BTC-USD")).toBe(1);
    const before = count("ETH-USD");
    expect(idsOf(await trades({}, "ETH-USD"))).toEqual([]);
    clock.advance(2_000);
    await trades({}, "ETH-USD");
    expect(count("ETH-USD")).toBe(before + 2);
  });

  test("200, then 503: while nobody answers, what is stored serves for a minute, as old as it is", async () => {
    await trades();
    feed.refusal = "The line is dead.";
    clock.advance(40_000);
    const stale = await app.ask(path);
    expect([stale.status, freshness(stale).age]).toEqual([200, "40"]);
    clock.advance(20_000);
    expect(await faultOf(await app.ask(path))).toEqual({
      status: 503,
      message: expect.stringContaining("The exchange kraken cannot be asked just now: The line"),
    });
    const past = await app.ask(`${path}?since=0&limit=3`);
    expect(idsOf((await past.json()) as CexTrades)).toEqual([452, 451, 450]);
    expect(freshness(past)).toMatchObject({ age: "60", source: "store" });
    const older = await app.ask("/v2/cex/kraken/OLD-USD/trades?since=0");
    expect(freshness(older).asOf).toBe(new Date(tradeOf(1).time).toISOString());
  });

  test("200: nobody waits for a feed that is gone to be told of the past", async () => {
    feed.isSilent = true;
    clock.advance(70_000);
    const asked = feed.count("history");
    const response = app.ask(`${path}?since=0&limit=1`);
    await expect.poll(() => feed.count("history")).toBe(asked + 1);
    clock.advance(1_000);
    expect(freshness(await response)).toMatchObject({ age: "71", source: "store" });
    clock.advance(8_000);
    await feed.settle();
    feed.isSilent = false;
  });

  test.each([
    ["limit=0", "limit must be a whole number from 1 to 50000"],
    ["limit=50001", "limit must be a whole number from 1 to 50000"],
    ["since=yesterday", "since must be a Unix time in milliseconds"],
    ["before=x&after=y", "before and after must not be given together"],
    ["before=nonsense", "before must be a cursor"],
    ["after=%00", "after must be a cursor"],
    ["after=", "after must be a cursor"],
  ])("400: %s", async (query, message) => {
    expect(await faultOf(await app.ask(`${path}?${query}`))).toEqual({
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe("GET /v2/cex/{exchange}/{market}/gaps", () => {
  test("200: what is missing and why, newest first", async () => {
    expect(await app.as("master").cex.gaps("kraken", "btc-usd")).toEqual({
      exchange: "kraken",
      market: "BTC-USD",
      gaps: [
        { from: String(start - 2_000), to: String(start - 1_000), reason: "the line was dead" },
        {
          from: String(start - 5_000),
          to: String(start - 4_000),
          reason: "the exchange has no older trades",
        },
      ],
    });
  });

  test("200: those that reach into a span of time", async () => {
    const response = await app.ask(
      `/v2/cex/kraken/BTC-USD/gaps?from=${start - 4_500}&to=${start - 2_001}`,
    );
    expect(await response.json()).toMatchObject({ gaps: [{ from: String(start - 5_000) }] });
  });

  test("400: from is later than to", async () => {
    expect(await faultOf(await app.ask("/v2/cex/kraken/BTC-USD/gaps?from=2&to=1"))).toEqual({
      status: 400,
      message: "from must not be later than to",
    });
  });
});
