import { pro } from "ccxt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectKraken, type KrakenClient } from "../../../test/kraken-client.ts";
import { quickClock } from "../../../test/quick-clock.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { type ExchangeServer, openExchangeServer } from "./exchange-server.ts";

type Side = { store(price: number, size: string | 0): void };

/** ccxt shortens figures to numbers before it takes the checksum: here it is given the digits that were sent. */
class ExactKraken extends pro.kraken {
  override customHandleDeltas(side: Side, deltas: { price: number; qty: number }[]) {
    for (const { price, qty } of deltas) side.store(price, qty === 0 ? 0 : qty.toFixed(8));
  }

  override formatNumber(figure: number | string) {
    return super.formatNumber(typeof figure === "number" ? figure.toFixed(1) : figure);
  }
}

const clock = quickClock(5);
let server: ExchangeServer;
let kraken: InstanceType<typeof pro.kraken>;
beforeAll(async () => {
  server = await openExchangeServer({ clock, seed: 7, port: 0, log: silentLog });
  kraken = await openKraken(new pro.kraken({ enableRateLimit: false }));
});
afterAll(async () => {
  await kraken.close();
  await server.close();
});

type Urls = string | { [name: string]: Urls };

async function openKraken<Kraken extends InstanceType<typeof pro.kraken>>(
  opened: Kraken,
): Promise<Kraken> {
  Object.assign(opened.urls, redirected({ api: opened.urls.api as Urls }));
  await opened.loadHttpProxyAgent();
  return opened;
}

function redirected(urls: Urls): Urls {
  if (typeof urls === "string")
    return urls.replace(/^(http|ws)s:\/\//, `$1://127.0.0.1:${server.port}/`);
  return Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, redirected(url)]));
}

async function get(path: string): Promise<{ error: string[]; result: Record<string, unknown> }> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api.kraken.com/0/public/${path}`);
  return (await response.json()) as { error: string[]; result: Record<string, unknown> };
}

describe("ccxt, over REST", () => {
  test("loads the markets with their precisions and names", async () => {
    const markets = await kraken.loadMarkets();
    expect(Object.keys(markets).length).toBeGreaterThan(60);
    expect(markets["BTC/USD"]).toMatchObject({
      id: "XXBTZUSD",
      active: true,
      type: "spot",
      taker: 0.0026,
      maker: 0.0016,
      precision: { price: 0.1, amount: 0.00000001 },
    });
    expect(markets["DOGE/EUR"]?.id).toBe("XDGEUR");
    expect(kraken.currencies.BTC?.id).toBe("XXBT");
  });

  test("has the status and the time", async () => {
    expect((await kraken.fetchStatus()).status).toBe("ok");
    expect(Math.abs(((await kraken.fetchTime()) ?? 0) - clock.now())).toBeLessThan(60_000);
  });

  test("has tickers of one market and of all", async () => {
    const {
      last = 0,
      bid = 0,
      ask = 0,
      high = 0,
      low = 0,
      baseVolume = 0,
    } = await kraken.fetchTicker("ETH/USD");
    expect(bid).toBeLessThan(ask as number);
    expect(last as number).toBeLessThanOrEqual(high as number);
    expect(last as number).toBeGreaterThanOrEqual(low as number);
    expect(baseVolume as number).toBeGreaterThan(1_000);
    expect(Object.keys(await kraken.fetchTickers()).length).toBe(kraken.symbols.length);
  });

  test("has trades with ids that follow each other, and since a moment", async () => {
    const trades = await kraken.fetchTrades("BTC/USD", undefined, 300);
    const ids = trades.map(({ id }) => Number(id));
    expect(ids.length).toBe(300);
    expect(ids.every((id, at) => at === 0 || id === (ids[at - 1] ?? 0) + 1)).toBe(true);
    const since = clock.now() - 3_600_000;
    const [first] = await kraken.fetchTrades("BTC/USD", since, 10);
    expect((first?.timestamp ?? 0) - since).toBeGreaterThanOrEqual(0);
    expect((first?.timestamp ?? 0) - since).toBeLessThan(10_000);
  });

  test("has the book", async () => {
    const { bids, asks } = await kraken.fetchOrderBook("BTC/USD", 500);
    expect(bids.length).toBeGreaterThan(300);
    expect(asks.length).toBeGreaterThan(300);
    expect(bids[0]?.[0] ?? 0).toBeLessThan(asks[0]?.[0] ?? 0);
  });

  test.each(["1m", "5m", "15m", "1h", "4h", "1d", "1w"])("has candles of %s", async (timeframe) => {
    const candles = await kraken.fetchOHLCV("XRP/USD", timeframe);
    const seconds = kraken.parseTimeframe(timeframe);
    expect(candles.length).toBeGreaterThan(100);
    expect(
      candles.every(
        ([time = 0], at) => at === 0 || time === (candles[at - 1]?.[0] ?? 0) + seconds * 1_000,
      ),
    ).toBe(true);
    expect(clock.now() - (candles.at(-1)?.[0] ?? 0)).toBeLessThan(seconds * 1_000 + 5_000);
  });

  test("is told in Kraken's words when there is no such market", async () => {
    await expect(kraken.publicGetTicker({ pair: "NOPE" })).rejects.toThrow(
      "EQuery:Unknown asset pair",
    );
  });
});

describe("ccxt, over streams", () => {
  test("follows a book whose every checksum is right", async () => {
    const exact = await openKraken(new ExactKraken({ enableRateLimit: false }));
    exact.options.watchOrderBook = { checksum: true };
    for (let seen = 0; seen < 40; seen++) {
      const { bids, asks } = await exact.watchOrderBook("BTC/USD", 25);
      expect([bids.length, asks.length]).toEqual([25, 25]);
    }
    await exact.close();
  });

  test("sees each trade once", async () => {
    const ids = new Set<number>();
    while (ids.size < 60) {
      for (const { id } of await kraken.watchTrades("BTC/USD")) ids.add(Number(id));
    }
    const sorted = [...ids].sort((one, other) => one - other);
    expect((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)).toBe(ids.size - 1);
  });

  test("has tickers and candles", async () => {
    expect((await kraken.watchTicker("SOL/USD")).last).toBeGreaterThan(0);
    expect((await kraken.watchOHLCV("SOL/USD", "1m")).length).toBeGreaterThan(0);
  });
});

describe("REST", () => {
  test.each([
    ["Ticker?pair=NOPE", "EQuery:Unknown asset pair"],
    ["Depth", "EGeneral:Invalid arguments"],
    ["Depth?pair=XBTUSD&count=many", "EGeneral:Invalid arguments"],
    ["OHLC?pair=XBTUSD&interval=7", "EGeneral:Invalid arguments"],
    ["Trades?pair=XBTUSD&since=yesterday", "EGeneral:Invalid arguments"],
    ["Assets?asset=NOPE", "EQuery:Unknown asset"],
    ["Nothing", "EGeneral:Unknown method"],
    ["constructor", "EGeneral:Unknown method"],
  ])("refuses %s with %s", async (path, error) => {
    expect(await get(path)).toEqual({ error: [error] });
  });

  test("finds a market by any of its names, and goes on after the last trade of a page", async () => {
    for (const name of ["XXBTZUSD", "XBTUSD", "XBT/USD", "BTC/USD", "xbtusd"]) {
      expect(Object.keys((await get(`AssetPairs?pair=${name}`)).result)).toEqual(["XXBTZUSD"]);
    }
    const since = Math.floor(clock.now() / 1_000) - 7_200;
    const first = (await get(`Trades?pair=XBTUSD&count=50&since=${since}`)).result;
    const next = (await get(`Trades?pair=XBTUSD&count=50&since=${first.last}`)).result;
    const idOf = (page: typeof first, at: number) => (page.XXBTZUSD as unknown[][]).at(at)?.[6];
    expect(idOf(next, 0)).toBe(Number(idOf(first, -1)) + 1);
  });
});

describe("a stream", () => {
  let client: KrakenClient;
  beforeAll(async () => {
    client = await connectKraken(server.port);
  });
  afterAll(() => client.socket.terminate());

  test("says that the system is online, and answers pings of both kinds", async () => {
    client.send({ method: "ping", req_id: 9 });
    let pongs = 0;
    client.socket.on("pong", () => pongs++);
    client.socket.ping();
    await expect.poll(() => client.heard("method", "pong")[0]).toMatchObject({ req_id: 9 });
    await expect.poll(() => pongs).toBe(1);
    expect(client.heard("channel", "status")[0]).toMatchObject({ data: [{ system: "online" }] });
  });

  test("of a book and its trades agrees with the exchange, checksums included", async () => {
    client.subscribe("book", "ETH/USD", { depth: 1_000 });
    client.subscribe("trade", "ETH/USD");
    await expect.poll(() => client.books).toBeGreaterThan(60);
    await expect.poll(() => client.tradeIds.length).toBeGreaterThan(60);
    await expect.poll(() => client.heard("channel", "heartbeat").length).toBeGreaterThan(1);
    expect(client.mismatches).toBe(0);
    const [first = 0] = client.tradeIds;
    expect(client.tradeIds).toEqual(client.tradeIds.map((_, at) => first + at));
    const truth = await fetch(
      `http://127.0.0.1:${server.port}/sandbox/trades?symbol=ETH/USD&from=${first}&to=${client.tradeIds.at(-1)}`,
    );
    const streamed = client
      .heard("channel", "trade")
      .flatMap(({ data }) => data as { price: number; qty: number }[]);
    const known = (await truth.json()) as { price: string; size: string }[];
    expect(streamed.slice(0, known.length).map(({ price, qty }) => [price, qty])).toEqual(
      known.map(({ price, size }) => [Number(price), Number(size)]),
    );
  });

  test("is not subscribed to twice, and ends when asked to", async () => {
    client.subscribe("book", "ETH/USD", { depth: 1_000, req_id: 4 });
    await expect
      .poll(() => client.heard("error", "Already subscribed")[0])
      .toMatchObject({ symbol: "ETH/USD", success: false });
    const params = { channel: "book", symbol: ["ETH/USD"] };
    client.send({ method: "unsubscribe", params, req_id: 5 });
    client.send({ method: "unsubscribe", params, req_id: 6 });
    await expect
      .poll(() => client.heard("error", "Subscription Not Found")[0])
      .toMatchObject({ req_id: 6 });
    expect(client.heard("method", "unsubscribe")[0]).toMatchObject({ success: true, req_id: 5 });
  });

  test.each([
    ["nothing that can be read", "Malformed request"],
    [`{"method":"dance"}`, "Method not supported"],
    [`{"method":"subscribe","params":7}`, "Malformed request"],
    [
      `{"method":"subscribe","params":{"channel":"gossip","symbol":["BTC/USD"]}}`,
      "Channel not supported",
    ],
    [
      `{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":11}}`,
      "Subscription depth not supported",
    ],
    [
      `{"method":"subscribe","params":{"channel":"ohlc","symbol":["BTC/USD"],"interval":2}}`,
      "Subscription ohlc interval not supported",
    ],
    [
      `{"method":"subscribe","params":{"channel":"book","symbol":"BTC/USD"}}`,
      "Symbol field must be an array",
    ],
    [
      `{"method":"subscribe","params":{"channel":"book","symbol":["BTC/MOON"]}}`,
      "Currency pair not supported BTC/MOON",
    ],
  ])("refuses %s", async (text, error) => {
    client.socket.send(text);
    await expect.poll(() => client.heard("error", error).at(-1)).toMatchObject({ success: false });
  });

  test("carries fifty markets at once", async () => {
    const busy = await connectKraken(server.port);
    const symbols = kraken.symbols.slice(0, 50);
    busy.send({ method: "subscribe", params: { channel: "trade", symbol: symbols } });
    await expect.poll(() => busy.heard("method", "subscribe").length).toBe(50);
    await expect.poll(() => busy.heard("channel", "trade").length).toBeGreaterThan(60);
    busy.socket.terminate();
  });
});
