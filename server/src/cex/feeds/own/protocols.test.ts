import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listedMarket } from "../../../../test/listed-market.ts";
import { binance } from "./binance.ts";
import { bitstamp } from "./bitstamp.ts";
import { coinbase } from "./coinbase.ts";
import { coinbaseExchange } from "./coinbase-exchange.ts";
import { kraken } from "./kraken.ts";
import { ownFeed } from "./own-feeds.ts";
import type { Protocol } from "./protocol.ts";

const protocols = { kraken, coinbase, coinbaseExchange, binance, bitstamp };

/** What one frame says on a connection that has said nothing yet. */
const read = (protocol: Protocol, frame: unknown) =>
  protocol.openTalk().read(JSON.stringify(frame));
const sent = (texts: string[]): unknown[] => texts.map((text) => JSON.parse(text));

describe.each(Object.entries(protocols))("the protocol of %s", (_, protocol) => {
  const words = fc.constantFrom(
    ...["book", "trade", "snapshot", "update", "l2_data", "market_trades", "subscriptions"],
    ...["l2update", "match", "depthUpdate", "data", "diff_order_book_btcusd", "live_trades_btcusd"],
    ...["subscribe", "bts:subscription_succeeded", "bts:error", "BTC/USD", "bid", "1.5", "-1", "x"],
  );
  const names = fc.constantFrom(
    ...[
      "channel",
      "type",
      "data",
      "events",
      "updates",
      "trades",
      "symbol",
      "bids",
      "asks",
      "price",
    ],
    ...[
      "qty",
      "checksum",
      "product_id",
      "changes",
      "e",
      "s",
      "U",
      "u",
      "b",
      "a",
      "event",
      "method",
    ],
    ...["sequence_num", "result", "success", "subscriptions", "channels", "microtimestamp", "id"],
  );
  const { frame } = fc.letrec((tie) => ({
    frame: fc.dictionary(names, tie("value")),
    value: fc.oneof(
      { depthSize: "medium" },
      words,
      fc.double(),
      fc.constantFrom(null, true, 0, -0),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("frame"),
    ),
  }));

  test("never throws, whatever is said", () => {
    const talk = protocol.openTalk();
    fc.assert(
      fc.property(
        fc.oneof(
          frame.map((each) => JSON.stringify(each)),
          fc.string(),
        ),
        (text) => {
          expect(Array.isArray(talk.read(text))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("only ever tells levels that make sense", () => {
    const talk = protocol.openTalk();
    fc.assert(
      fc.property(frame, (each) => {
        for (const said of talk.read(JSON.stringify(each))) {
          if (said.kind !== "change" && said.kind !== "whole") continue;
          const levels = [...said.bids, ...said.asks];
          expect(levels.every((number) => number >= 0 && Number.isFinite(number))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(["", "{", "[]", "null", "7", '"x"'])("takes %j for a gap", (text) => {
    expect(protocol.openTalk().read(text)).toMatchObject([{ kind: "gap" }]);
  });
});

test("every exchange with a stream of its own is found by ccxt's name for it", () => {
  const ids = ["binance", "bitstamp", "coinbase", "coinbaseexchange", "kraken"];
  for (const id of ids) expect(ownFeed(id)).toBeTypeOf("function");
  expect(ownFeed("okx")).toBeUndefined();
});

describe("Kraken", () => {
  test("is asked for the deepest books there are, by the names its stream uses", () => {
    const talk = kraken.openTalk();
    const symbol = ["BTC/USD", "ETH/USD"];
    expect(kraken.nameOf(listedMarket("BTC/USD", { nativeId: "XXBTZUSD" }))).toBe("BTC/USD");
    expect(sent(talk.subscribe("book", symbol))).toEqual([
      { method: "subscribe", params: { channel: "book", symbol, depth: 1_000 } },
    ]);
    expect(sent(talk.unsubscribe("trades", symbol))).toEqual([
      { method: "unsubscribe", params: { channel: "trade", symbol } },
    ]);
  });

  test("tells trades of several markets at once, in the order of their numbers", () => {
    const trade = (symbol: string, trade_id: number) => ({
      ...{ symbol, trade_id, side: "sell", price: 0.5117, qty: 40.0, ord_type: "market" },
      timestamp: "2023-09-25T07:49:37.708706Z",
    });
    const data = [trade("A/USD", 12), trade("B/USD", 7), trade("A/USD", 11)];
    const told = { time: 1_695_628_177_708, price: "0.5117", size: "40", side: "sell" };
    expect(read(kraken, { channel: "trade", type: "snapshot", data })).toEqual([
      {
        kind: "trades",
        name: "A/USD",
        trades: [
          { id: "11", ...told },
          { id: "12", ...told },
        ],
      },
      { kind: "trades", name: "B/USD", trades: [{ id: "7", ...told }] },
    ]);
  });

  test("says what it subscribed us to, and what it refuses", () => {
    const result = { channel: "trade", symbol: "BTC/USD", snapshot: true };
    expect(read(kraken, { method: "subscribe", success: true, result })).toEqual([
      { kind: "subscribed", channel: "trades", name: "BTC/USD" },
    ]);
    const error = "Currency pair not supported X/Y";
    expect(read(kraken, { method: "subscribe", success: false, symbol: "X/Y", error })).toEqual([
      { kind: "refused", name: "X/Y", reason: error },
    ]);
    expect(read(kraken, { method: "unsubscribe", success: true, result })).toEqual([]);
    expect(read(kraken, { channel: "heartbeat" })).toEqual([]);
  });
});

describe("Coinbase", () => {
  const event = { type: "update", product_id: "BTC-USD", updates: [] };
  const frame = (sequence_num: number, channel = "l2_data") =>
    JSON.stringify({ channel, sequence_num, events: channel === "l2_data" ? [event] : [] });

  test("counts all messages of a connection, those of other channels too", () => {
    const talk = coinbase.openTalk();
    expect(talk.read(frame(4))).toMatchObject([{ kind: "change" }]);
    expect(talk.read(frame(5, "heartbeats"))).toEqual([]);
    expect(talk.read(frame(6))).toMatchObject([{ kind: "change" }]);
    expect(talk.read(frame(5))).toEqual([]);
    expect(talk.read(frame(8))).toMatchObject([{ kind: "gap" }]);
  });

  test("tells trades newest first, with the side of the order that was taken", () => {
    const trade = (trade_id: string, side: string) => ({
      ...{ trade_id, side, product_id: "ETH-USD", price: "1260.010", size: "0.30" },
      time: "2019-08-14T20:42:27.265Z",
    });
    const trades = [trade("2", "BUY"), trade("1", "SELL")];
    const events = [{ type: "update", trades }];
    const told = { time: 1_565_815_347_265, price: "1260.010", size: "0.30" };
    expect(read(coinbase, { channel: "market_trades", sequence_num: 0, events })).toEqual([
      {
        ...{ kind: "trades", name: "ETH-USD" },
        trades: [
          { id: "1", ...told, side: "buy" },
          { id: "2", ...told, side: "sell" },
        ],
      },
    ]);
  });

  test("says everything that we are subscribed to", () => {
    const subscriptions = {
      level2: ["A-USD"],
      market_trades: ["A-USD", "B-USD"],
      heartbeats: [""],
    };
    const events = [{ subscriptions }];
    expect(read(coinbase, { channel: "subscriptions", sequence_num: 0, events })).toEqual([
      { kind: "subscribed", channel: "book", name: "A-USD" },
      { kind: "subscribed", channel: "trades", name: "A-USD" },
      { kind: "subscribed", channel: "trades", name: "B-USD" },
    ]);
  });

  test("has one book for a coin against USD and against USDC, but for two that differ", () => {
    const names = ["BTC/USD", "BTC/USDC", "USDT/USDC", "EURC/USDC"].map((symbol) =>
      coinbase.nameOf(listedMarket(symbol)),
    );
    expect(names).toEqual(["BTC-USD", "BTC-USD", "USDT-USDC", "EURC-USDC"]);
  });

  test("is asked for heartbeats first", () => {
    const talk = coinbase.openTalk();
    expect(sent(talk.greeting)).toEqual([{ type: "subscribe", channel: "heartbeats" }]);
    expect(sent(talk.subscribe("book", ["A-USD"]))).toEqual([
      { type: "subscribe", product_ids: ["A-USD"], channel: "level2" },
    ]);
  });
});

describe("Coinbase Exchange", () => {
  test("tells a trade with the side of the order that was taken", () => {
    const match = {
      ...{ type: "match", trade_id: 82_047_307, side: "sell", size: "0.00513192" },
      ...{ price: "9314.78", product_id: "BTC-USD", time: "2020-01-31T20:03:41.158814Z" },
    };
    const trade = { id: "82047307", time: 1_580_501_021_158, price: "9314.78", size: "0.00513192" };
    for (const type of ["match", "last_match"])
      expect(read(coinbaseExchange, { ...match, type })).toEqual([
        { kind: "trades", name: "BTC-USD", trades: [{ ...trade, side: "buy" }] },
      ]);
    expect(read(coinbaseExchange, { ...match, price: "0" })).toEqual([
      { kind: "garbled", name: "BTC-USD" },
    ]);
  });

  test("says whose trades we are subscribed to", () => {
    const channels = [
      { name: "level2_50", product_ids: ["BTC-USD"] },
      { name: "matches", product_ids: ["BTC-USD", "ETH-USD"] },
    ];
    expect(read(coinbaseExchange, { type: "subscriptions", channels })).toEqual([
      { kind: "subscribed", channel: "trades", name: "BTC-USD" },
      { kind: "subscribed", channel: "trades", name: "ETH-USD" },
    ]);
  });

  test("is asked for books without a key, and for heartbeats along with trades", () => {
    const talk = coinbaseExchange.openTalk();
    expect(sent(talk.subscribe("book", ["A-USD"]))).toEqual([
      { type: "subscribe", product_ids: ["A-USD"], channels: ["level2_batch"] },
    ]);
    expect(sent(talk.subscribe("trades", ["A-USD"]))).toEqual([
      { type: "subscribe", product_ids: ["A-USD"], channels: ["matches", "heartbeat"] },
    ]);
  });
});

describe("Binance", () => {
  test("answers requests by their numbers", () => {
    const talk = binance.openTalk();
    const [book] = sent(talk.subscribe("book", ["BTCUSDT", "ETHBTC"]));
    const [trades] = sent(talk.subscribe("trades", ["BTCUSDT"]));
    expect(book).toEqual({
      ...{ method: "SUBSCRIBE", id: 1 },
      params: ["btcusdt@depth@100ms", "ethbtc@depth@100ms"],
    });
    expect(trades).toMatchObject({ params: ["btcusdt@trade"], id: 2 });
    expect(talk.read('{"result":null,"id":1}')).toEqual([
      { kind: "subscribed", channel: "book", name: "BTCUSDT" },
      { kind: "subscribed", channel: "book", name: "ETHBTC" },
    ]);
    expect(talk.read('{"error":{"code":2,"msg":"no such stream"},"id":2}')).toEqual([
      { kind: "refused", name: "BTCUSDT", reason: "no such stream" },
    ]);
    expect(talk.read('{"result":null,"id":9}')).toEqual([]);
  });

  test("tells raw trades, each with who took the order", () => {
    const trade = {
      ...{ e: "trade", E: 1_579_481_530_912, s: "ETHBTC", t: 158_410_082, m: false },
      ...{ p: "0.01914100", q: "0.00700000", T: 1_579_481_530_910 },
    };
    const told = { id: "158410082", time: trade.T, price: trade.p, size: trade.q };
    const trades = (m: boolean) => read(binance, { ...trade, m });
    expect(trades(false)).toEqual([
      { kind: "trades", name: "ETHBTC", trades: [{ ...told, side: "buy" }] },
    ]);
    expect(trades(true)).toMatchObject([{ trades: [{ side: "sell" }] }]);
  });

  test("streams its spot markets only, since contracts have the same names", () => {
    const nativeId = "BTCUSDT";
    expect(binance.nameOf(listedMarket("BTC/USDT", { nativeId }))).toBe(nativeId);
    expect(binance.nameOf(listedMarket("BTC/USDT", { nativeId, type: "swap" }))).toBeUndefined();
  });

  test("says when it is about to go away", () => {
    expect(read(binance, { e: "serverShutdown", E: 1 })).toEqual([{ kind: "leave" }]);
  });
});

describe("Bitstamp", () => {
  test("tells trades with the digits they were written with", () => {
    const data = {
      ...{ id: 106_833_903, type: 1, microtimestamp: "1583691851934567", price: 8302.9 },
      ...{ amount_str: "0.14406384", price_str: "8302.90", amount: 0.14406384 },
    };
    const trade = { id: "106833903", time: 1_583_691_851_934, price: "8302.90" };
    expect(read(bitstamp, { event: "trade", channel: "live_trades_btcusd", data })).toEqual([
      {
        ...{ kind: "trades", name: "btcusd" },
        trades: [{ ...trade, size: "0.14406384", side: "sell" }],
      },
    ]);
  });

  test("says what it subscribed us to, what it refuses, and that we should connect anew", () => {
    const channel = "diff_order_book_btcusd";
    expect(read(bitstamp, { event: "bts:subscription_succeeded", channel, data: {} })).toEqual([
      { kind: "subscribed", channel: "book", name: "btcusd" },
    ]);
    const data = { code: 4001, message: "Bad subscription string." };
    expect(read(bitstamp, { event: "bts:error", channel, data })).toEqual([
      { kind: "refused", name: "btcusd", reason: "Bad subscription string." },
    ]);
    expect(read(bitstamp, { event: "bts:request_reconnect", channel: "", data: "" })).toEqual([
      { kind: "leave" },
    ]);
  });

  test("is asked for one channel at a time", () => {
    expect(sent(bitstamp.openTalk().subscribe("trades", ["btcusd", "etheur"]))).toEqual([
      { event: "bts:subscribe", data: { channel: "live_trades_btcusd" } },
      { event: "bts:subscribe", data: { channel: "live_trades_etheur" } },
    ]);
  });
});
