import { once } from "node:events";
import { request } from "node:http";
import type { StreamMessage } from "@slipway/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { FakeExchangeFeed } from "../../test/fake-exchange-feed.ts";
import { steppingClock } from "../../test/stepping-clock.ts";
import { listen } from "../../test/stream-client.ts";
import { revoked, type StreamService, startStreams } from "../../test/stream-service.ts";
import { useDatabase } from "../../test/test-database.ts";
import { openMarket } from "../cex/store/markets.ts";
import { addToCandles } from "../cex/store/write-candles.ts";

const held = useDatabase();
const clock = steppingClock(Date.UTC(2026, 0, 1));
const feed = new FakeExchangeFeed(clock, "BTC-USD", "ETH-USD");
const key = "usr-1";
const channel = "cex.book:kraken:BTC-USD";
let service: StreamService;

beforeAll(async () => {
  service = await startStreams({ db: held.db, bus: feed.bus, clock });
  feed.setBook("BTC-USD", [100, 1], [101, 1]);
  await feed.goLive("BTC-USD");
});

const ask = (path: string, headers: Record<string, string> = { apiKey: key }, method = "GET") =>
  fetch(service.url + path, { headers, method });

async function faultOf(path: string, headers?: Record<string, string>): Promise<[number, string]> {
  const response = await ask(path, headers);
  const body = (await response.json()) as { errors: { message: string }[] };
  return [response.status, body.errors.map(({ message }) => message).join(" ")];
}

describe("GET /v2/stream", () => {
  test("has the headers of a stream that nobody keeps, compresses or holds back", async () => {
    const client = await listen(service.url, [channel], { key });
    const { headers } = client.response;
    expect(headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "access-control-allow-origin": "*",
      connection: "close",
    });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["x-request-id"]).toMatch(/^req-/);
    const head = await ask(`/v2/stream?channels=${channel}`, undefined, "HEAD");
    expect([head.status, head.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    client.leave();
  });

  test.each([
    ["", 400, "Required field is missing: channels"],
    ["channels=nonsense", 400, 'channel "nonsense" must begin with one of cex.trades, cex.book'],
    ["channels=cex.boook:kraken:BTC-USD", 400, 'Did you mean "cex.book"?'],
    ["channel=cex.book:kraken", 400, "must look like cex.book:{exchange}:{market}, such as"],
    ["channels=cex.book::BTC-USD", 400, "must look like cex.book:{exchange}:{market}"],
    [
      "channels=cex.book:kraken:BTC-UST",
      404,
      "channel cex.book:kraken:BTC-UST: kraken has no such",
    ],
    ["channels=cex.book:krakn:BTC-USD", 404, "channel cex.book:krakn:BTC-USD: There is no such"],
    ["channels=cex.candles:kraken:BTC-USD:7m", 400, "the timeframe must be one of 1m, 5m, 15m"],
    ["channels=dex.swaps:uniswap-v3:mars:0x1", 404, "is not served on such a blockchain"],
    ["channels=dex.swaps:uniswap-v3:ethereum:0x1", 400, "pool must be an address: 0x and 40"],
    [`channels=dex.swaps:uniswap-v3:base:0x${"7".repeat(40)}`, 404, "was not found on uniswap-v3"],
    [`channels=dex.bars:uniswap-v3:base:0x${"7".repeat(40)}:week`, 400, "must be hour or day"],
    ["channels=ramp.transactions:txn-5", 404, "Transaction txn-5 was not found."],
    ["channels=ramp.transactions:%00", 404, "was not found."],
    [`channels=${channel}&lastEventId=7`, 400, "must be the id of a message of this stream"],
    [`channels=${channel}&lastEventId=1,nonsense`, 400, "must be the id of a message"],
    [`channels=${Array.from({ length: 101 }, (_, at) => `a${at}`)}`, 400, "at most 100"],
    [`channels=${channel}&userId=usr-5`, 403, "userId is not a subaccount of this account."],
  ])("%s is %i: %s", async (query, status, message) => {
    const fault = await faultOf(`/v2/stream?${query}`);
    expect(fault).toEqual([status, expect.stringContaining(message)]);
  });

  test("needs a key, the scopes of its channels, and a client that takes events", async () => {
    const path = `/v2/stream?channels=${channel}`;
    const unknown = await ask(path, {});
    expect([unknown.status, await unknown.json()]).toEqual([
      401,
      { Unauthorized: "Invaild API Key" },
    ]);
    expect(await faultOf(path, { apiKey: "usr-1/ramp:read" })).toEqual([
      403,
      expect.stringContaining("lacks the scope data:read"),
    ]);
    const ramp = "/v2/stream?channels=ramp.transactions";
    expect(await faultOf(ramp, { apiKey: "usr-1/data:read" })).toEqual([
      403,
      expect.stringContaining("lacks the scope ramp:read"),
    ]);
    expect(await faultOf(path, { apiKey: key, accept: "application/json" })).toEqual([
      406,
      expect.stringContaining("Accept must allow text/event-stream"),
    ]);
  });

  test("takes channels in every way they are given, and a position of other channels changes nothing", async () => {
    const query = "&channel=cex.book:kraken:BTC-USD&channel=cex.book:kraken:XBTCZUSD";
    const client = await listen(service.url, ["cex.book:kraken:btc/usd", channel], {
      ...{ key, query, lastEventId: "1,AAAAAAAA:123" },
    });
    await client.untilCount("book", 3);
    expect(client.of("subscribed").map(({ channel, resumed }) => [channel, resumed])).toEqual([
      ["cex.book:kraken:btc/usd", false],
      [channel, false],
      ["cex.book:kraken:XBTCZUSD", false],
    ]);
    client.leave();
  });

  test("pings every 15 seconds, ends when the key is revoked, and is counted meanwhile", async () => {
    const own = "usr-1/data:read";
    const client = await listen(service.url, [channel], { key: own });
    await client.untilCount("book", 1);
    expect(await service.metrics()).toMatch(/^slipway_streams{transport="sse"} [1-9]/m);
    await feed.tellStatus();
    clock.advance(15_000);
    await client.untilCount("ping", 1);
    expect(client.of("ping")[0]?.at).toBe(clock.now());
    revoked.add(own);
    clock.advance(15_000);
    await client.ended;
  });

  test("a market's newest candle comes at the start, as it grows, and when it has closed", async () => {
    const { id: market } = await openMarket(held.db, { exchange: "kraken", market: "ETH-USD" });
    const time = Math.floor(clock.now() / 60_000) * 60_000;
    const add = (price: string, trade: string) => {
      const at = { time: time + 1, id: trade };
      const figures = { open: price, high: price, low: price, close: price, volume: "0.10" };
      const candles = [{ time, ...figures, trades: 1, first: at, last: at }];
      return addToCandles(held.db, [{ market, seconds: 60, candles }]);
    };
    await add("3000.50", "1");
    await feed.goLive("ETH-USD");
    const client = await listen(service.url, ["cex.candles:kraken:ETH-USD:1m"], { key });
    await client.untilCount("candle", 1);
    await add("3001", "2");
    const heard = { id: "2", time, price: "3001", size: "0.1", side: "buy" as const };
    feed.trade("ETH-USD", heard);
    await feed.settle();
    clock.advance(1_000);
    await client.untilCount("candle", 2);
    clock.advance(60_000);
    await client.untilCount("candle", 3);
    const common = { timestamp: String(time), o: 3000.5, l: 3000.5 };
    expect(client.of("candle").map(({ candle }) => candle)).toEqual([
      { ...common, h: 3000.5, c: 3000.5, volume: 0.1, txCount: 1, closed: false },
      { ...common, h: 3001, c: 3001, volume: 0.2, txCount: 2, closed: false },
      { ...common, h: 3001, c: 3001, volume: 0.2, txCount: 2, closed: true },
    ]);
    client.leave();
  });

  test("all streams end when the service stops", async () => {
    const other = await startStreams({ db: held.db, bus: feed.bus, clock });
    const clients = await Promise.all([1, 2, 3].map(() => listen(other.url, [channel], { key })));
    await other.stop();
    await Promise.all(clients.map(({ ended }) => ended));
    expect(clients.every(({ response }) => response.destroyed)).toBe(true);
  });
});

describe("/v2/ws", () => {
  type WithId = StreamMessage & { id?: string };

  /** Somebody with a WebSocket, who keeps what it hears. */
  async function connect(query = "", headers: Record<string, string> = { apiKey: key }) {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v2/ws${query}`, { headers });
    const messages: WithId[] = [];
    let check = () => {};
    socket.on("message", (data) => {
      messages.push(JSON.parse(data.toString()) as WithId);
      check();
    });
    await once(socket, "open");
    const until = (count: number, type: StreamMessage["type"]) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (messages.filter((each) => each.type === type).length >= count) resolve();
        };
        check();
      });
    const say = (request: unknown) => socket.send(JSON.stringify(request));
    return { socket, messages, until, say };
  }

  /** The answer to somebody who is not let in. */
  async function refusal(query: string, headers: Record<string, string>) {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v2/ws${query}`, { headers });
    socket.on("error", () => {});
    const [, response] = await once(socket, "unexpected-response");
    const text = (await response.setEncoding("utf8").toArray()).join("");
    return { status: response.statusCode, body: JSON.parse(text), headers: response.headers };
  }

  test("says the same, with channels that come and go", async () => {
    const { socket, messages, until, say } = await connect(
      `?channels=${channel}&apiKey=${key}`,
      {},
    );
    await until(1, "book");
    expect(messages.map(({ type }) => type)).toEqual(["subscribed", "book"]);
    say({ action: "subscribe", channels: ["cex.trades:kraken:BTC-USD", "cex.book:kraken:nope"] });
    await until(2, "subscribed");
    await until(1, "error");
    expect(messages.find(({ type }) => type === "error")).toEqual({
      type: "error",
      channel: "cex.book:kraken:nope",
      message: expect.stringContaining("kraken has no such market."),
    });
    const trades = messages.filter(({ type }) => type === "subscribed")[1];
    expect(Object.keys(trades ?? {})[0]).toBe("id");
    say({ action: "unsubscribe", channels: [channel] });
    await until(1, "unsubscribed");
    say({ action: "unsubscribe", channels: [channel] });
    await until(2, "error");
    for (const nonsense of ["{", "[]", "7", '{"action":"fly"}', '{"action":"subscribe"}']) {
      socket.send(nonsense);
    }
    say({ action: "subscribe", channels: [channel], lastEventId: "x" });
    await until(8, "error");
    socket.ping();
    await once(socket, "pong");
    say({ action: "subscribe", channels: [channel] });
    await until(2, "book");
    socket.close();
  });

  test("whoever is not let in gets the same answer as everywhere", async () => {
    expect(await refusal("", {})).toMatchObject({
      status: 401,
      body: { Unauthorized: "Invaild API Key" },
      headers: { "slipway-error-type": "invalid_key" },
    });
    expect(await refusal("?channels=cex.book:kraken:nope", { apiKey: key })).toMatchObject({
      status: 404,
      body: { code: 404 },
    });
    expect(await faultOf("/v2/ws")).toEqual([400, expect.stringContaining("This is a WebSocket")]);
    const upgraded = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { apiKey: key, connection: "upgrade", upgrade: "h2c" };
      request(`${service.url}/v2/ws`, { headers }, (response) => resolve(response.statusCode))
        .on("error", reject)
        .end();
    });
    expect(upgraded).toBe(400);
  });

  test("frames that are too long end the connection, and so does the end of the service", async () => {
    const { socket } = await connect();
    socket.on("error", () => {});
    socket.send("x".repeat(70_000));
    const [code] = await once(socket, "close");
    expect(code).toBe(1009);
    const { socket: another } = await connect(`?channels=${channel}`);
    expect(await service.metrics()).toMatch(/^slipway_streams{transport="websocket"} [1-9]/m);
    const closed = once(another, "close");
    await service.stop();
    const [reason] = await closed;
    expect(reason).toBe(1001);
  });
});
