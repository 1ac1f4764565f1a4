import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useFakeExchange } from "../../../../test/fake-http-exchange.ts";
import { manualClock } from "../../../../test/manual-clock.ts";
import type { ListedMarket, Trade } from "../../market.ts";
import type { TradeQuery } from "../venue.ts";
import { loadExchange } from "./ccxt-exchange.ts";
import { openIdPages } from "./id-pages.ts";
import { openTradePages, type TradePager } from "./trade-pages.ts";

const fake = useFakeExchange();
const start = Date.UTC(2026, 0, 1);
const clock = manualClock(start + 10_000_000);
const bitcoin = { symbol: "BTC/USD", id: "BTC-USD", nativeId: "BTC-USD" } as ListedMarket;

/** Makes an exchange that knows one market and no rate limit. */
async function open(id: string, nativeId: string, more = {}): Promise<TradePager> {
  const exchange = await loadExchange({ id, baseUrl: fake.baseUrl, isSandbox: false });
  const market = { id: nativeId, symbol: "BTC/USD", base: "BTC", quote: "USD", type: "spot" };
  exchange.fetchMarkets = async () => [{ ...market, spot: true, ...more }];
  Object.assign(exchange, { enableRateLimit: false, throttle: async () => {} });
  await exchange.loadMarkets();
  const page = openTradePages({ exchange, clock });
  return (market, query) => page({ ...market, nativeId }, query);
}

async function readAll(page: TradePager, query: TradeQuery): Promise<Trade[]> {
  const trades: Trade[] = [];
  let next: string | undefined;
  for (let count = 0; count < 10_000; count++) {
    const found = await page(bitcoin, next === undefined ? query : { next });
    trades.push(...found.trades);
    next = found.next;
    if (next === undefined) return trades;
  }
  throw new Error("There is no end to it.");
}

/** Trades of an exchange, one each second, with numbers from 1. */
const tape = Array.from({ length: 2_500 }, (_, index) => ({
  id: index + 1,
  time: start + 1_000 * index,
}));
const numbers = (trades: Trade[]) => trades.map(({ id }) => Number(id));
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("Kraken", () => {
  async function openKraken(): Promise<TradePager> {
    fake.on("/api.kraken.com/0/public/Trades", ({ since, count }) => {
      const after = BigInt(since ?? 0);
      const timeOf = (time: number) => BigInt(time) * 1_000_000n;
      const newer = tape.filter(({ time }) => timeOf(time) > after);
      const page =
        since === undefined ? newer.slice(-Number(count)) : newer.slice(0, Number(count));
      const rows = page.map(({ id, time }) => ["73000.10", "0.5", time / 1_000, "b", "m", "", id]);
      const last = String(timeOf(page.at(-1)?.time ?? 0));
      return { body: { error: [], result: { XXBTZUSD: rows, last } } };
    });
    return open("kraken", "XXBTZUSD");
  }

  test("tells its newest trades", async () => {
    const { trades, next } = await (await openKraken())(bitcoin, {});
    expect(trades).toHaveLength(1_000);
    expect(trades.at(-1)).toEqual({
      id: "2500",
      time: start + 2_499_000,
      price: "73000.10",
      size: "0.5",
      side: "buy",
    });
    expect(next).toBeUndefined();
  });

  test("tells every trade from a moment on, once, by its own cursor", async () => {
    const page = await openKraken();
    expect(numbers(await readAll(page, { since: start + 100_000 }))).toEqual(range(101, 2_500));
    expect(fake.requests.map(({ query }) => query.since)).toEqual([
      `${start + 99_999}999999`,
      `${start + 1_099_000}000000`,
      `${start + 2_099_000}000000`,
    ]);
  });
});

describe("Binance", () => {
  const row = ({ id, time }: { id: number; time: number }) => ({
    id,
    price: "73000.10000000",
    qty: "0.00001000",
    time,
    isBuyerMaker: true,
  });

  test("tells single trades, never bundles of them", async () => {
    fake.on("/api.binance.com/api/v3/aggTrades", ({ startTime }) => {
      const first = tape.find(({ time }) => time >= Number(startTime));
      return {
        body: first
          ? [{ a: 5, p: "1", q: "1", f: first.id, l: first.id, T: first.time, m: true }]
          : [],
      };
    });
    fake.on("/api.binance.com/api/v3/historicalTrades", ({ fromId, limit }) => ({
      body: tape
        .filter(({ id }) => id >= Number(fromId))
        .slice(0, Number(limit))
        .map(row),
    }));
    fake.on("/api.binance.com/api/v3/trades", ({ limit }) => ({
      body: tape.slice(-Number(limit)).map(row),
    }));
    const page = await open("binance", "BTCUSD");
    expect(numbers((await page(bitcoin, {})).trades)).toEqual(range(1_501, 2_500));
    expect(numbers(await readAll(page, { since: start + 100_000 }))).toEqual(range(101, 2_500));
    expect(await page(bitcoin, { since: clock.now() })).toEqual({ trades: [], next: undefined });
    expect((await page(bitcoin, { next: "7" })).trades[0]).toEqual({
      id: "7",
      time: start + 6_000,
      price: "73000.10000000",
      size: "0.00001000",
      side: "sell",
    });
  });

  test("of futures tells bundles, over hours without any", async () => {
    const late = tape.map(({ id, time }) => ({ id, time: time + 7_000_000 }));
    fake.on("/fapi.binance.com/fapi/v1/aggTrades", ({ fromId, startTime, endTime, limit }) => {
      const [from, until] = [Number(startTime), Number(endTime)];
      const found = late.filter(({ id, time }) =>
        fromId === undefined ? time >= from && time <= until : id >= Number(fromId),
      );
      return {
        body: found
          .slice(0, Number(limit))
          .map(({ id, time }) => ({ a: id, p: "1.10", q: "2", f: 1, l: 1, T: time, m: false })),
      };
    });
    const swap = { type: "swap", spot: false, swap: true, contract: true, linear: true };
    const page = await open("binanceusdm", "BTCUSD", swap);
    expect(numbers(await readAll(page, { since: start }))).toEqual(range(1, 2_500));
  });
});

describe("Coinbase Exchange", () => {
  async function openCoinbase(): Promise<TradePager> {
    fake.on("/api.exchange.coinbase.com/products/BTC-USD/trades", ({ after, limit }) => ({
      body: tape
        .filter(({ id }) => after === undefined || id < Number(after))
        .slice(-Number(limit))
        .toReversed()
        .map(({ id, time }) => ({
          trade_id: id,
          side: "sell",
          size: "1.00",
          price: "10.50",
          time: new Date(time).toISOString(),
        })),
    }));
    return open("coinbaseexchange", "BTC-USD");
  }

  test("is leafed through forward, although it only leafs back", async () => {
    const page = await openCoinbase();
    expect(numbers(await readAll(page, { since: start + 100_000 }))).toEqual(range(101, 2_500));
    expect(numbers(await readAll(page, { since: start + 2_400_000 }))).toEqual(range(2_401, 2_500));
    expect(numbers(await readAll(page, { since: 0 }))).toEqual(range(1, 2_500));
    expect(numbers(await readAll(page, { since: clock.now() }))).toEqual([]);
    expect((await page(bitcoin, { next: "9" })).trades[0]).toEqual({
      id: "10",
      time: start + 9_000,
      price: "10.50",
      size: "1.00",
      // It tells what the one did who was in the book.
      side: "buy",
    });
  });
});

test("numbered trades are all found from any moment on, whatever numbers are missing", async () => {
  const step = fc.record({ hole: fc.constantFrom(1, 1, 1, 1, 2, 3, 70), ms: fc.nat(50) });
  const tapes = fc.array(step, { maxLength: 200 }).map((steps) => {
    let [id, time] = [0, 0];
    return steps.map(({ hole, ms }) => {
      id += hole;
      time += ms;
      return { id: String(id), timestamp: time, price: "1", amount: "1", side: "buy" };
    });
  });
  const sizes = fc.integer({ min: 1, max: 50 });
  await fc.assert(
    fc.asyncProperty(tapes, fc.nat(6_000), sizes, async (all, since, pageSize) => {
      const page = openIdPages({
        pageSize,
        newest: async () => all.slice(-pageSize),
        below: async (_, id) =>
          all.filter((trade) => Number(trade.id) < Number(id)).slice(-pageSize),
      });
      const wanted = all.filter(({ timestamp }) => timestamp >= since).map(({ id }) => id);
      const found = await readAll(page, { since });
      expect(found.map(({ id }) => id)).toEqual(wanted);
    }),
  );
});

describe("Coinbase", () => {
  test("is asked for shorter spans where there is much", async () => {
    fake.on("/api.coinbase.com/api/v3/brokerage/market/products/BTC-USD/ticker", (query) => {
      const [from, until] = [Number(query.start ?? 0), Number(query.end ?? 1e12)];
      const found = tape.filter(({ time }) => time / 1_000 >= from && time / 1_000 <= until);
      return {
        body: {
          trades: found
            .slice(-Number(query.limit))
            .toReversed()
            .map(({ id, time }) => ({
              trade_id: String(id),
              product_id: "BTC-USD",
              price: "1.50",
              size: "2",
              time: new Date(time).toISOString(),
              side: "BUY",
            })),
        },
      };
    });
    const page = await open("coinbase", "BTC-USD");
    const found = numbers(await readAll(page, { since: start + 100_000 }));
    // What happens at the seam of two spans is told twice.
    expect([...new Set(found)]).toEqual(range(101, 2_500));
    const newest = await page(bitcoin, {});
    expect(numbers(newest.trades)).toEqual(range(1_501, 2_500));
    // It names the side of the order that was taken, as its stream does.
    expect(newest.trades.at(-1)?.side).toBe("sell");
  });
});

describe("Bitstamp", () => {
  test.each([
    [3_000_000, "hour"],
    [9_000_000, "day"],
  ])("has no more than what it keeps (%i ms)", async (ago, span) => {
    fake.on("/www.bitstamp.net/api/v2/transactions/btcusd/", () => ({
      body: [{ date: "1767235000", tid: "2", price: "10", amount: "1", type: "1" }],
    }));
    const page = await open("bitstamp", "btcusd");
    expect(await page(bitcoin, { since: clock.now() - ago })).toMatchObject({ next: undefined });
    expect(fake.requests.at(-1)?.query).toEqual({ time: span });
  });
});

describe("an exchange that knows nothing but times", () => {
  async function openBitvavo(rows: { id: string; time: number }[]): Promise<TradePager> {
    fake.on("/api.bitvavo.com/v2/BTC-USD/trades", ({ start: from = "0", limit }) => ({
      body: rows
        .filter(({ time }) => time >= Number(from))
        .slice(0, Number(limit))
        .map(({ id, time }) => ({ id, timestamp: time, price: "5", amount: "1", side: "buy" })),
    }));
    return open("bitvavo", "BTC-USD");
  }

  test("is leafed through by them, without telling anything twice", async () => {
    const rows = tape.map(({ id, time }) => ({ id: `t${id}`, time: time - (time % 3_000) }));
    const trades = await readAll(await openBitvavo(rows), { since: start });
    expect(trades).toHaveLength(2_500);
    expect(new Set(trades.map(({ id }) => id)).size).toBe(2_500);
  });

  test("has an end, even when more happened at once than it tells", async () => {
    const rows = range(1, 3_000).map((id) => ({ id: `t${id}`, time: start }));
    const trades = await readAll(await openBitvavo(rows), { since: start });
    expect(trades).toHaveLength(1_000);
  });
});

test("KuCoin's trades go by the number that its stream has too", async () => {
  const row = { sequence: "1545896668571", price: "0.07", size: "0.004", side: "buy" };
  fake.on("/api.kucoin.com/api/v1/market/histories", () => ({
    body: { code: "200000", data: [{ ...row, time: "1545904567062140823" }] },
  }));
  const page = await open("kucoin", "BTC-USD");
  expect((await page(bitcoin, {})).trades).toEqual([
    { id: "1545896668571", time: 1_545_904_567_062, price: "0.07", size: "0.004", side: "buy" },
  ]);
});
