import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { krakenChecksum, krakenFrame, tellKraken } from "../../../../test/book-frames.ts";
import { bookStory, sidesOf } from "../../../../test/book-story.ts";
import { type FakeRequest, type FakeStream, openFakeStream } from "../../../../test/fake-stream.ts";
import { type FeedLog, openFeedLog } from "../../../../test/feed-log.ts";
import { listedMarket } from "../../../../test/listed-market.ts";
import { quickClock } from "../../../../test/quick-clock.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { Feed } from "../venue.ts";
import { kraken } from "./kraken.ts";
import { openSocketFeed } from "./socket-feed.ts";

const story = bookStory({ seed: 3, levels: 30, changes: 40 });
const told = tellKraken(story);
const { market } = story;
const [first, last] = [told.changes.slice(0, 20), told.changes.slice(20)];
const other = listedMarket("ETH/USD");

let stream: FakeStream;
let clock: Clock;
let log: FeedLog;
let feed: Feed;
/** How many sleep just now. */
let sleepers: number;

/** A quick clock that counts who sleeps by it. */
function countingClock(speed: number): Clock {
  const quick = quickClock(speed);
  return {
    now: quick.now,
    sleep(ms, signal) {
      sleepers++;
      return quick.sleep(ms, signal).finally(() => sleepers--);
    },
  };
}

/** What was asked for in a request to the fake Kraken. */
function wishOf(request: FakeRequest) {
  const { channel, symbol } = request.params as { channel: string; symbol: string[] };
  return { method: String(request.method), channel, symbols: symbol };
}

/** Says yes to everything, and tells the same whole book of every market. */
function answer(request: FakeRequest): string[] {
  const { method, channel, symbols } = wishOf(request);
  return symbols.flatMap((symbol) => {
    const result = { channel, symbol };
    const yes = JSON.stringify({ method, success: true, result });
    return method === "subscribe" && channel === "book"
      ? [yes, krakenFrame("snapshot", symbol, story.start, krakenChecksum(story.start))]
      : [yes];
  });
}

function open(url = stream.url): void {
  log = openFeedLog(clock);
  feed = openSocketFeed(kraken, {
    urls: () => url,
    snapshot: () => Promise.reject(new Error("no REST here")),
    sink: log.sink,
    clock,
    random: systemRandom,
    log: silentLog,
  });
}

const lives = (id = market.id) => expect.poll(() => feed.book(id)).toBeDefined();
/** Waits until a market was lost, and is there again. */
async function startsOver(id = market.id): Promise<void> {
  await expect.poll(() => log.of(id).updates).toContain("lost");
  await lives(id);
}
const isUntouched = (id: string) => !log.of(id).updates.includes("lost");
const wished = (method: string, channel: string) =>
  stream.requests
    .map(wishOf)
    .filter((wish) => wish.method === method && wish.channel === channel)
    .map(({ symbols }) => symbols);

beforeEach(async () => {
  sleepers = 0;
  clock = countingClock(20);
  stream = await openFakeStream(answer);
  open();
});

afterEach(async () => {
  await feed.close();
  await stream.close();
});

describe("a feed", () => {
  test("follows a book from the whole through every change, and so does who listens", async () => {
    feed.watch(market);
    await lives();
    for (const frame of told.changes) stream.send(frame);
    await expect.poll(() => log.replica(market.id)).toEqual(story.books.at(-1));
    const book = feed.book(market.id);
    expect(book && sidesOf(book)).toEqual(story.books.at(-1));
    expect(log.of(market.id).updates.length).toBe(1 + told.changes.length);
    expect(log.of(market.id).snapshots).toHaveLength(1);
    expect(log.of(market.id).faults).toEqual([]);
  });

  test("hands on trades after saying that they begin", async () => {
    feed.watch(market);
    await expect.poll(() => log.of(market.id).tradesBegan).toBe(1);
    const trade = { symbol: market.symbol, side: "buy", price: 60_000.5, qty: 1e-8 };
    const timestamp = "2026-01-01T00:00:01.234567Z";
    const data = [{ ...trade, trade_id: 7, timestamp }];
    stream.send(JSON.stringify({ channel: "trade", type: "update", data }));
    await expect.poll(() => log.of(market.id).trades).toHaveLength(1);
    const time = Date.UTC(2026, 0, 1, 0, 0, 1, 234);
    expect(log.of(market.id).trades).toEqual([
      { id: "7", time, price: "60000.5", size: "0.00000001", side: "buy" },
    ]);
  });

  test("says that quiet markets are alive", async () => {
    feed.watch(market);
    await lives();
    const { heard } = log.of(market.id);
    stream.send('{"channel":"heartbeat"}');
    await expect.poll(() => log.of(market.id).heard).toBeGreaterThan(heard);
  });

  test("starts one market over when its checksum is wrong, and leaves the others alone", async () => {
    feed.watch(market);
    feed.watch(other);
    await lives();
    await lives(other.id);
    stream.send(krakenFrame("update", market.symbol, { bids: [1, 1], asks: [] }, 1));
    await startsOver();
    expect(log.of(market.id).faults).toEqual(["checksum"]);
    expect(isUntouched(other.id)).toBe(true);
    expect(stream.opened).toBe(1);
  });

  test("starts a market over when its book crosses although the checksum is right", async () => {
    feed.watch(market);
    await lives();
    const bids = [story.start.asks[0] ?? 0, 1, ...story.start.bids];
    const crossed = krakenChecksum({ bids, asks: story.start.asks });
    stream.send(
      krakenFrame("update", market.symbol, { bids: bids.slice(0, 2), asks: [] }, crossed),
    );
    await startsOver();
    expect(log.of(market.id).faults).toEqual(["crossed"]);
  });

  test("starts a market over, trades and all, when a message about it makes no sense", async () => {
    feed.watch(market);
    feed.watch(other);
    await lives();
    await lives(other.id);
    const data = [{ symbol: market.symbol, bids: [{ price: "x", qty: 1 }], asks: [], checksum: 1 }];
    stream.send(JSON.stringify({ channel: "book", type: "update", data }));
    await startsOver();
    await expect.poll(() => log.of(market.id).tradesBegan).toBe(2);
    expect([isUntouched(other.id), stream.opened]).toEqual([true, 1]);
  });

  test("connects again when the connection is cut, and says what it could not see", async () => {
    feed.watch(market);
    await lives();
    for (const frame of first) stream.send(frame);
    stream.cut();
    await startsOver();
    for (const frame of told.changes) stream.send(frame);
    await expect.poll(() => log.replica(market.id)).toEqual(story.books.at(-1));
    expect(log.of(market.id)).toMatchObject({ faults: ["closed"], tradesBegan: 2 });
  });

  test("replaces a connection on which nothing is heard, and keeps one that answers", async () => {
    feed.watch(market);
    await lives();
    // Without any frame, pings keep it: four times the silence that is borne.
    await clock.sleep(20_000);
    expect([stream.opened, log.of(market.id).faults]).toEqual([1, []]);
    stream.stall();
    await expect.poll(() => log.of(market.id).faults).toEqual(["silent"]);
    await startsOver();
    expect(stream.opened).toBe(2);
  });

  test.each(["{", "[]", "null", '"x"', "\u0000", '{"channel":"book","data":[{}]}'])(
    "does not trust a connection that says %j",
    async (garbage) => {
      feed.watch(market);
      await lives();
      stream.send(garbage);
      await startsOver();
      expect([log.of(market.id).faults, stream.opened]).toEqual([["sequence"], 2]);
    },
  );

  test("waits for an exchange that is not there yet", async () => {
    const { url } = stream;
    await stream.close();
    feed.watch(market);
    await clock.sleep(5_000);
    expect(feed.book(market.id)).toBeUndefined();
    stream = await openFakeStream(answer, Number(new URL(url).port));
    await lives();
  });

  test("asks again for a book that does not come", async () => {
    await feed.close();
    await stream.close();
    let asked = 0;
    stream = await openFakeStream((request) =>
      wishOf(request).channel === "book" && asked++ < 2 ? [] : answer(request),
    );
    open();
    feed.watch(market);
    await lives();
    expect(log.of(market.id).snapshots.length).toBeGreaterThan(1);
  });

  test("asks again for trades when nobody says that they come", async () => {
    await feed.close();
    await stream.close();
    let asked = 0;
    stream = await openFakeStream((request) =>
      wishOf(request).channel === "trade" && asked++ === 0 ? [] : answer(request),
    );
    open();
    feed.watch(market);
    await expect.poll(() => log.of(market.id).tradesBegan).toBe(1);
  });

  test("asks for the whole book at most once a second, and ever less when it never is right", async () => {
    await feed.close();
    await stream.close();
    stream = await openFakeStream((request) =>
      answer(request).map((frame) => frame.replace(/"checksum":\d+/, '"checksum":1')),
    );
    open();
    feed.watch(market);
    await expect.poll(() => log.of(market.id).snapshots.length).toBeGreaterThan(4);
    const { snapshots } = log.of(market.id);
    const pauses = snapshots.slice(1).map((time, at) => time - (snapshots[at] ?? 0));
    for (const [at, pause] of pauses.entries())
      expect(pause).toBeGreaterThanOrEqual(0.7 * 1_000 * 2 ** at);
    expect(feed.book(market.id)).toBeUndefined();
    expect(log.of(market.id).updates).toEqual([]);
  });

  test("asks for the books of many markets at the pace that is allowed for all of them", async () => {
    await feed.close();
    clock = countingClock(5);
    open();
    const markets = Array.from({ length: 300 }, (_, at) => listedMarket(`COIN${at}/USD`));
    const began = clock.now();
    for (const each of markets) feed.watch(each);
    const times = () => markets.flatMap(({ id }) => log.of(id).snapshots).sort((a, b) => a - b);
    await expect.poll(() => times().length).toBeGreaterThanOrEqual(300);
    // 50 a second, and two seconds' worth at once.
    for (const [at, time] of times().entries())
      expect(time - began).toBeGreaterThanOrEqual((at - 101) * 19.9);
  });

  test("subscribes in batches, to so many markets on each connection", async () => {
    await feed.close();
    // Slow enough that a busy machine is not taken for a silent exchange.
    clock = countingClock(3);
    open();
    const markets = Array.from({ length: 320 }, (_, at) => listedMarket(`COIN${at}/USD`));
    for (const each of markets) feed.watch(each);
    for (const each of markets) await lives(each.id);
    expect(stream.opened).toBe(2);
    const batches = wished("subscribe", "trade");
    expect(batches.flat().sort()).toEqual(markets.map(({ symbol }) => symbol).sort());
    expect(Math.max(...batches.map(({ length }) => length))).toBe(50);
    expect(batches.length).toBeLessThan(10);
  });

  test("says nothing more of a market that is not watched any more", async () => {
    feed.watch(market);
    feed.watch(other);
    await lives();
    await lives(other.id);
    feed.unwatch(market.id);
    expect(feed.book(market.id)).toBeUndefined();
    const before = structuredClone(log.of(market.id).updates);
    for (const frame of last) stream.send(frame);
    await expect.poll(() => wished("unsubscribe", "book")).toContainEqual([market.symbol]);
    await expect.poll(() => wished("unsubscribe", "trade")).toContainEqual([market.symbol]);
    expect(log.of(market.id).updates).toEqual(before);
    expect(feed.book(other.id)).toBeDefined();
  });

  test("closes the connection when its last market is gone, and opens another for the next", async () => {
    feed.watch(market);
    await lives();
    feed.unwatch(market.id);
    await expect.poll(() => stream.open).toBe(0);
    feed.watch(market);
    await lives();
    expect(stream.opened).toBe(2);
  });

  test("goes on without a market that the exchange refuses", async () => {
    await feed.close();
    await stream.close();
    stream = await openFakeStream((request) => {
      const { method, symbols } = wishOf(request);
      const refused = symbols.filter((symbol) => symbol === other.symbol);
      const kept = symbols.filter((symbol) => symbol !== other.symbol);
      const error = "Currency pair not supported";
      return [
        ...refused.map((symbol) => JSON.stringify({ method, success: false, symbol, error })),
        ...answer({ ...request, params: { ...(request.params as object), symbol: kept } }),
      ];
    });
    open();
    feed.watch(other);
    feed.watch(market);
    await lives();
    expect(feed.book(other.id)).toBeUndefined();
    expect(stream.opened).toBe(1);
  });

  test("leaves nothing running when it is closed, whatever was under way", async () => {
    feed.watch(market);
    await lives();
    stream.send(krakenFrame("update", market.symbol, { bids: [1, 1], asks: [] }, 1));
    await expect.poll(() => log.of(market.id).updates).toContain("lost");
    await feed.close();
    await vi.waitFor(() => expect([sleepers, stream.open]).toEqual([0, 0]));
    const updates = log.of(market.id).updates.length;
    feed.watch(market);
    await systemClock.sleep(50);
    expect([stream.open, log.of(market.id).updates.length]).toEqual([0, updates]);
  });
});
