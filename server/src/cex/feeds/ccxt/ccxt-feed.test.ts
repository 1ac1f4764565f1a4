import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { useFakeExchange } from "../../../../test/fake-http-exchange.ts";
import { impatientClock } from "../../../../test/impatient-clock.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { ListedMarket, Trade } from "../../market.ts";
import { flatLevels } from "../../order-book.ts";
import type { BookUpdate, Feed, Venue } from "../venue.ts";
import { openVenue } from "./open-venue.ts";

type Event = { event: string; market: string; value?: unknown };

const fake = useFakeExchange();
let server: WebSocketServer;
let venue: Venue;
let feed: Feed;
let bitcoin: ListedMarket;
let mona: ListedMarket;
/** Channels and currencies, such as `TRADE BTC`. */
const subscriptions: string[] = [];
const events: Event[] = [];
const heard = new Set<string>();

beforeEach(async () => {
  server = new WebSocketServer({ server: fake.server });
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { channel, topic } = JSON.parse(String(data));
      if (topic) subscriptions.push(`${channel} ${topic.target_currency}`);
    });
  });
  fake.on("/api.coinone.co.kr/public/v2/ticker_new/KRW", () => ({
    body: {
      result: "success",
      tickers: ["btc", "mona"].map((base, id) => ({
        id: String(id),
        target_currency: base,
        quote_currency: "krw",
      })),
    },
  }));
  venue = await openVenue({
    exchange: { id: "coinone", baseUrl: fake.baseUrl, markets: [], isSandbox: false },
    clock: impatientClock,
    random: systemRandom,
    log: silentLog,
  });
  const markets = await venue.markets();
  [bitcoin, mona] = ["BTC-KRW", "MONA-KRW"].map((id) =>
    markets.find((market) => market.id === id),
  ) as [ListedMarket, ListedMarket];
  feed = venue.openFeed({
    book: (market, update) => note("book", market, copy(update)),
    trades: (market, trades) => note("trades", market, [...trades]),
    tradesBegin: (market) => note("begin", market),
    fault: (market, fault) => note("fault", market, fault),
    snapshot: (market) => note("snapshot", market),
    heard(markets) {
      for (const market of markets) heard.add(market);
    },
  }) as Feed;
});

afterEach(async () => {
  await feed.close();
  await venue.close();
  for (const client of server.clients) client.terminate();
  server.close();
  subscriptions.length = 0;
  events.length = 0;
  heard.clear();
});

function note(event: string, market: string, value?: unknown): void {
  events.push({ event, market, ...(value !== undefined && { value }) });
}

function copy(update: BookUpdate): unknown {
  if (update.kind === "lost") return update;
  return { kind: update.kind, bids: Array.from(update.bids), asks: Array.from(update.asks) };
}

const seen = (event: string) => events.filter((each) => each.event === event);

async function subscribed(subscription: string, times = 1): Promise<WebSocket> {
  await vi.waitFor(
    () => {
      const count = subscriptions.filter((each) => each === subscription).length;
      expect(count).toBeGreaterThanOrEqual(times);
    },
    { timeout: 10_000 },
  );
  return [...server.clients].at(-1) as WebSocket;
}

type Levels = [price: string, size: string][];

function send(socket: WebSocket, channel: string, data: Record<string, unknown>): void {
  const market = { quote_currency: "KRW", target_currency: "BTC" };
  socket.send(JSON.stringify({ response_type: "DATA", channel, data: { ...market, ...data } }));
}

function sendBook(socket: WebSocket, bids: Levels, asks: Levels, base = "BTC"): void {
  const rows = (levels: Levels) => levels.map(([price, qty]) => ({ price, qty }));
  const data = { target_currency: base, bids: rows(bids), asks: rows(asks) };
  send(socket, "ORDERBOOK", { ...data, timestamp: 1_700_000_000_000 });
}

function sendTrade(socket: WebSocket, id: string, price: string, qty: string): void {
  const timestamp = 1_700_000_000_000 + Number(id);
  send(socket, "TRADE", { id, timestamp, price, qty, is_seller_maker: true });
}

async function until(event: string, times: number): Promise<Event[]> {
  const enough = () => expect(seen(event).length).toBeGreaterThanOrEqual(times);
  await vi.waitFor(enough, { timeout: 10_000 });
  return seen(event);
}

test("the first book is whole, and what follows are changes", async () => {
  feed.watch(bitcoin);
  const socket = await subscribed("ORDERBOOK BTC");
  expect(feed.book("BTC-KRW")).toBeUndefined();
  const asks: Levels = [
    ["102", "1"],
    ["103", "2.5"],
    ["104", "3"],
  ];
  sendBook(
    socket,
    [
      ["101", "1"],
      ["100", "2"],
      ["99", "3"],
    ],
    asks,
  );
  await until("book", 1);
  sendBook(
    socket,
    [
      ["101", "1"],
      ["100", "2.25"],
      ["98", "4"],
    ],
    asks,
  );
  const books = await until("book", 2);
  expect(books.map(({ value }) => value)).toEqual([
    { kind: "whole", bids: [101, 1, 100, 2, 99, 3], asks: [102, 1, 103, 2.5, 104, 3] },
    { kind: "change", bids: [100, 2.25, 98, 4, 99, 0], asks: [] },
  ]);
  const book = feed.book("BTC-KRW");
  expect(book && flatLevels(book.bids)).toEqual([101, 1, 100, 2.25, 98, 4]);
  expect(heard).toEqual(new Set(["BTC-KRW"]));
});

test("a book that is quite another one is told as a whole", async () => {
  feed.watch(bitcoin);
  const socket = await subscribed("ORDERBOOK BTC");
  sendBook(socket, [["101", "1"]], [["102", "1"]]);
  await until("book", 1);
  sendBook(socket, [["90", "1"]], [["91", "1"]]);
  const [, second] = await until("book", 2);
  expect(second?.value).toEqual({ kind: "whole", bids: [90, 1], asks: [91, 1] });
});

test("trades keep their digits, and what was said before them may have been missed", async () => {
  feed.watch(bitcoin);
  const socket = await subscribed("TRADE BTC");
  sendTrade(socket, "7", "4500000.10", "0.00000001");
  const [first] = await until("trades", 1);
  expect(first?.value).toEqual<Trade[]>([
    { id: "7", time: 1_700_000_000_007, price: "4500000.10", size: "0.00000001", side: "sell" },
  ]);
  sendTrade(socket, "8", "4500001.0", "2");
  const [, second] = await until("trades", 2);
  expect(second?.value).toEqual([expect.objectContaining({ id: "8" })]);
  expect(events.filter(({ event }) => event !== "snapshot").map(({ event }) => event)).toEqual([
    "begin",
    "trades",
    "trades",
  ]);
});

test("a crossed book is lost, and got anew", async () => {
  feed.watch(bitcoin);
  const socket = await subscribed("ORDERBOOK BTC");
  sendBook(socket, [["101", "1"]], [["102", "1"]]);
  await until("book", 1);
  sendBook(socket, [["103", "1"]], [["102", "1"]]);
  const [, lost] = await until("book", 2);
  expect(lost?.value).toEqual({ kind: "lost", reason: "the book is crossed" });
  expect(seen("fault").map(({ value }) => value)).toContain("crossed");
  expect(feed.book("BTC-KRW")).toBeUndefined();
  sendBook(await subscribed("ORDERBOOK BTC", 2), [["101", "2"]], [["102", "1"]]);
  const [, , whole] = await until("book", 3);
  expect(whole?.value).toEqual({ kind: "whole", bids: [101, 2], asks: [102, 1] });
  expect(seen("snapshot").length).toBeGreaterThanOrEqual(2);
});

test("when the exchange hangs up, the feed comes back", async () => {
  feed.watch(bitcoin);
  const socket = await subscribed("ORDERBOOK BTC");
  await subscribed("TRADE BTC");
  sendBook(socket, [["101", "1"]], [["102", "1"]]);
  sendTrade(socket, "7", "45", "1");
  await until("trades", 1);
  socket.close();
  await until("book", 2);
  expect(seen("fault").map(({ value }) => value)).toContain("closed");
  await subscribed("TRADE BTC", 2);
  const again = await subscribed("ORDERBOOK BTC", 2);
  sendBook(again, [["101", "1"]], [["102", "1"]]);
  sendTrade(again, "9", "45", "1");
  await until("begin", 2);
  const books = await until("book", 3);
  expect(books.at(-1)?.value).toMatchObject({ kind: "whole" });
});

test("a connection that ends before everything is subscribed does no harm", async () => {
  server.once("connection", (socket) => socket.once("message", () => socket.terminate()));
  feed.watch(bitcoin);
  feed.watch(mona);
  const socket = await subscribed("TRADE MONA");
  await subscribed("ORDERBOOK BTC", 2);
  sendBook(socket, [["101", "1"]], [["102", "1"]]);
  const [first] = await until("book", 1);
  expect(first?.value).toMatchObject({ kind: "whole" });
});

test("what is not watched any more is not told, and a connection without markets is closed", async () => {
  feed.watch(bitcoin);
  feed.watch(mona);
  const socket = await subscribed("ORDERBOOK BTC");
  await subscribed("ORDERBOOK MONA");
  sendBook(socket, [["101", "1"]], [["102", "1"]]);
  await until("book", 1);
  feed.unwatch("BTC-KRW");
  sendBook(socket, [["100", "1"]], [["102", "1"]]);
  sendBook(socket, [["10", "1"]], [["11", "1"]], "MONA");
  const books = await until("book", 2);
  expect(books.map(({ market }) => market)).toEqual(["BTC-KRW", "MONA-KRW"]);
  expect(feed.book("BTC-KRW")).toBeUndefined();
  feed.unwatch("MONA-KRW");
  await vi.waitFor(() => expect(server.clients.size).toBe(0));
});
