import { afterEach, describe, expect, test } from "vitest";
import { useFakeExchange } from "../../../../test/fake-http-exchange.ts";
import { manualClock } from "../../../../test/manual-clock.ts";
import { recordingLog } from "../../../../test/silent-log.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { ListedMarket } from "../../market.ts";
import type { Venue } from "../venue.ts";
import { openVenue } from "./open-venue.ts";

const fake = useFakeExchange();
const clock = manualClock();
const { lines, log } = recordingLog();
let venue: Venue | undefined;

afterEach(async () => {
  await venue?.close();
  venue = undefined;
  lines.length = 0;
});

async function open(id: string): Promise<Venue> {
  const exchange = { id, baseUrl: fake.baseUrl, markets: [], isSandbox: false };
  venue = await openVenue({ exchange, clock, random: systemRandom, log });
  return venue;
}

const byId = (markets: ListedMarket[], id: string) => markets.find((market) => market.id === id);

async function marketOf(venue: Venue, id: string): Promise<ListedMarket> {
  const market = byId(await venue.markets(), id);
  if (!market) throw new Error(`The fake exchange has no ${id}.`);
  return market;
}

const krakenPair = (base: string, quote: string, more = {}) => ({
  altname: `${base}${quote}`,
  wsname: `${base}/${quote}`,
  base,
  quote,
  pair_decimals: 1,
  lot_decimals: 8,
  fees: [[0, 0.26]],
  fees_maker: [[0, 0.16]],
  status: "online",
  ...more,
});

function serveKraken(pairs: Record<string, unknown>, more: Record<string, unknown> = {}): void {
  const results = { AssetPairs: pairs, ...more };
  for (const [name, result] of Object.entries(results))
    fake.on(`/api.kraken.com/0/public/${name}`, () => ({ body: { error: [], result } }));
}

const bitcoinPair = { XXBTZUSD: krakenPair("XXBT", "ZUSD") };

const coinbaseProduct = { id: "BTC-USD", base_increment: "0.00000001", quote_increment: "0.01" };
function serveCoinbase(more: Record<string, unknown> = {}): void {
  const answers = { products: [{ ...coinbaseProduct, status: "online" }], ...more };
  for (const [path, body] of Object.entries(answers))
    fake.on(`/api.exchange.coinbase.com/${path}`, () => ({ body }));
}

describe("markets", () => {
  test("have our ids, and what it takes to ask for them", async () => {
    serveKraken(bitcoinPair);
    const kraken = await open("kraken");
    expect(await kraken.markets()).toEqual<ListedMarket[]>([
      {
        exchange: "kraken",
        symbol: "BTC/USD",
        id: "BTC-USD",
        active: true,
        base: "BTC",
        quote: "USD",
        percentage: true,
        taker: 0.0026,
        maker: 0.0016,
        type: "spot",
        nativeId: "XXBTZUSD",
        priceDecimals: 1,
        sizeDecimals: 8,
      },
    ]);
  });

  test("with the same id are told apart: the active one counts, then the one without a suffix", async () => {
    const inactive = { status: "cancel_only" };
    serveKraken({
      "XXBTZUSD.d": krakenPair("XXBT", "ZUSD"),
      XXBTZUSD: krakenPair("XXBT", "ZUSD"),
      XETHZUSD: krakenPair("XETH", "ZUSD", inactive),
      "XETHZUSD.d": krakenPair("XETH", "ZUSD"),
      SOLUSD: krakenPair("SOL", "USD"),
      "SOLUSD.d": krakenPair("SOL", "USD"),
      "ETH2.SETH": krakenPair("ETH2.S", "XETH", inactive),
    });
    const kraken = await open("kraken");
    const markets = await kraken.markets();
    expect(markets.map(({ id, nativeId, active }) => [id, nativeId, active])).toEqual([
      ["BTC-USD", "XXBTZUSD", true],
      ["ETH-USD", "XETHZUSD.d", true],
      ["SOL-USD", "SOLUSD", true],
      ["ETH2.S-ETH", "ETH2.SETH", false],
    ]);
  });

  test("are asked for under the name that was chosen", async () => {
    const dark = { "XXBTZUSD.d": krakenPair("XXBT", "ZUSD") };
    serveKraken({ ...bitcoinPair, ...dark }, { Ticker: { XXBTZUSD: { c: ["73000.1", "1"] } } });
    const kraken = await open("kraken");
    const { price } = await kraken.price(await marketOf(kraken, "BTC-USD"));
    expect(price).toBe(73_000.1);
    expect(fake.requests.at(-1)?.query).toEqual({ pair: "XXBTZUSD" });
  });

  test("of Binance are those of its spot exchange", async () => {
    const filters = [
      { filterType: "PRICE_FILTER", tickSize: "0.01000000" },
      { filterType: "LOT_SIZE", stepSize: "0.00001000", minQty: "0.00001000" },
    ];
    const symbol = { symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", status: "TRADING" };
    fake.on("/api.binance.com/api/v3/exchangeInfo", () => ({
      body: { symbols: [{ ...symbol, filters, permissionSets: [["SPOT"]] }] },
    }));
    const binance = await open("binance");
    expect(byId(await binance.markets(), "BTC-USDT")).toMatchObject({
      nativeId: "BTCUSDT",
      taker: 0.001,
      priceDecimals: 2,
      sizeDecimals: 5,
    });
    expect(fake.requests).toHaveLength(1);
  });

  test("that are contracts say which", async () => {
    fake.on("/www.okx.com/api/v5/public/instruments", ({ instType }) => {
      const swap = {
        instId: "BTC-USDT-SWAP",
        instType: "SWAP",
        uly: "BTC-USDT",
        settleCcy: "USDT",
      };
      const more = {
        ctType: "linear",
        ctVal: "0.01",
        ctValCcy: "BTC",
        tickSz: "0.1",
        lotSz: "0.01",
      };
      return {
        body: { code: "0", data: instType === "SWAP" ? [{ ...swap, ...more, state: "live" }] : [] },
      };
    });
    const okx = await open("okx");
    expect(await okx.markets()).toMatchObject([
      { id: "BTC-USDT:USDT", type: "swap", nativeId: "BTC-USDT-SWAP", priceDecimals: 1 },
    ]);
  });

  test("of an exchange that counts significant digits have no number of decimals", async () => {
    const path =
      "conf/pub:info:pair,pub:info:pair:futures,pub:list:pair:securities,pub:list:pair:margin";
    const pair = ["BTCUSD", [null, null, null, "0.00004", "2000.0", null, null, null, 0.2, 0.1]];
    fake.on(`/api-pub.bitfinex.com/v2/${path}`, () => ({ body: [[pair], [], [], []] }));
    const bitfinex = await open("bitfinex");
    expect(await bitfinex.markets()).toMatchObject([
      { id: "BTC-USD", nativeId: "tBTCUSD", priceDecimals: null, sizeDecimals: null },
    ]);
  });

  test("are loaded once the exchange is back", async () => {
    const kraken = await open("coinbaseexchange");
    await expect(kraken.markets()).rejects.toThrow("Coinbase Exchange");
    serveCoinbase({ "products/BTC-USD/ticker": { price: "10", time: "2026-01-01T00:00:00.5Z" } });
    const market = { symbol: "BTC/USD", id: "BTC-USD" } as ListedMarket;
    expect(await kraken.price(market)).toEqual({ price: 10, time: Date.UTC(2026, 0, 1) + 500 });
  });
});

describe("the status", () => {
  test.each([
    ["online", "ok"],
    ["maintenance", "maintenance"],
  ])("of Kraken, %s, is %s at the time of asking", async (status, said) => {
    serveKraken({}, { SystemStatus: { status } });
    expect(await (await open("kraken")).status()).toEqual({ status: said, updated: clock.now() });
  });

  test("is an error when the exchange fails", async () => {
    fake.on("/api.kraken.com/0/public/SystemStatus", () => ({ status: 500, body: "oh" }));
    const kraken = await open("kraken");
    expect(await kraken.status()).toEqual({ status: "error", updated: clock.now() });
  });

  test("is good when the exchange tells the time, where it tells nothing else", async () => {
    serveCoinbase({ time: { iso: "2026-01-01T00:00:00Z", epoch: 1_767_225_600 } });
    const coinbase = await open("coinbaseexchange");
    expect(await coinbase.status()).toEqual({ status: "ok", updated: clock.now() });
  });

  test("is unknown where there is no way to ask", async () => {
    expect(await (await open("bitstamp")).status()).toBeUndefined();
  });
});

describe("a book", () => {
  test("has prices and sizes, the deepest that one call gives", async () => {
    serveKraken(bitcoinPair, {
      Depth: {
        XXBTZUSD: {
          bids: [
            ["73000.1", "0.5", 1_700_000_000],
            ["72999.0", "0.00000001", 1_700_000_000],
          ],
          asks: [
            ["73000.2", "1.25", 1_700_000_000],
            ["73000.3", "0", 1_700_000_000],
          ],
        },
      },
    });
    const kraken = await open("kraken");
    expect(await kraken.book(await marketOf(kraken, "BTC-USD"))).toEqual({
      bids: [73_000.1, 0.5, 72_999, 1e-8],
      asks: [73_000.2, 1.25],
      nonce: undefined,
    });
    expect(fake.requests.at(-1)?.query).toEqual({ pair: "XXBTZUSD", count: "500" });
  });

  test("of Bitstamp has the number that its stream has too", async () => {
    const pair = {
      name: "BTC/USD",
      market_symbol: "btcusd",
      base_currency: "BTC",
      counter_currency: "USD",
    };
    const digits = { base_decimals: 8, counter_decimals: 0, minimum_order_value: "10" };
    const market = { ...pair, ...digits, trading: "Enabled", market_type: "SPOT" };
    fake.on("/www.bitstamp.net/api/v2/markets/", () => ({ body: [market] }));
    fake.on("/www.bitstamp.net/api/v2/order_book/btcusd/", () => ({
      body: { microtimestamp: "1641343721305912", bids: [["1", "2"]], asks: [["3", "4"]] },
    }));
    const bitstamp = await open("bitstamp");
    expect(await bitstamp.book(await marketOf(bitstamp, "BTC-USD"))).toEqual({
      bids: [1, 2],
      asks: [3, 4],
      nonce: 1_641_343_721_305_912,
    });
  });
});

describe("candles", () => {
  test("keep their digits, in order, without those that have holes", async () => {
    const minute = 1_700_000_040;
    serveKraken(bitcoinPair, {
      OHLC: {
        XXBTZUSD: [
          [minute + 60, "2.0000000000000001", "3", "1", "2.50", "0", "0.10000000", 5],
          [minute, "1", "2", "0.5", "1.5", "0", "9.12201000", 5],
          [minute + 120, "1", null, "0.5", "1.5", "0", "1", 5],
        ],
        last: minute,
      },
    });
    const kraken = await open("kraken");
    const market = await marketOf(kraken, "BTC-USD");
    const from = minute * 1_000;
    expect(await kraken.candles(market, "1m", from)).toEqual([
      { time: from, open: "1", high: "2", low: "0.5", close: "1.5", volume: "9.12201000" },
      {
        time: from + 60_000,
        open: "2.0000000000000001",
        high: "3",
        low: "1",
        close: "2.50",
        volume: "0.10000000",
      },
    ]);
  });
});

describe("a price", () => {
  test("without a time has none", async () => {
    serveKraken(bitcoinPair, { Ticker: { XXBTZUSD: { c: ["73000.1", "1"] } } });
    const kraken = await open("kraken");
    const market = await marketOf(kraken, "BTC-USD");
    expect(await kraken.price(market)).toEqual({ price: 73_000.1, time: undefined });
  });

  test("that the exchange does not tell is that of the newest trade", async () => {
    const trade = {
      trade_id: 7,
      side: "sell",
      size: "1",
      price: "12.5",
      time: "2026-01-01T00:00:00Z",
    };
    serveCoinbase({ "products/BTC-USD/ticker": {}, "products/BTC-USD/trades": [trade] });
    const coinbase = await open("coinbaseexchange");
    const market = await marketOf(coinbase, "BTC-USD");
    expect(await coinbase.price(market)).toEqual({ price: 12.5, time: Date.UTC(2026, 0, 1) });
  });

  test("that nobody knows is not there", async () => {
    serveCoinbase({ "products/BTC-USD/ticker": {}, "products/BTC-USD/trades": [] });
    const coinbase = await open("coinbaseexchange");
    await expect(coinbase.price(await marketOf(coinbase, "BTC-USD"))).rejects.toThrow(
      "Coinbase Exchange has no price of BTC-USD yet.",
    );
  });
});
