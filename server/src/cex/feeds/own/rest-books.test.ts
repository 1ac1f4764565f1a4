import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bitstampTime, tellBinance, tellBitstamp } from "../../../../test/book-frames.ts";
import { bookStory, type Sides } from "../../../../test/book-story.ts";
import { type FakeStream, openFakeStream } from "../../../../test/fake-stream.ts";
import { type FeedLog, openFeedLog } from "../../../../test/feed-log.ts";
import { quickClock } from "../../../../test/quick-clock.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { BookSnapshot, Feed } from "../venue.ts";
import { binance } from "./binance.ts";
import { bitstamp } from "./bitstamp.ts";
import type { Protocol } from "./protocol.ts";
import { openSocketFeed } from "./socket-feed.ts";

const story = bookStory({ seed: 9, levels: 40, changes: 60 });
const { market } = story;
const truth = story.books.at(-1);
const frames = { binance: tellBinance(story).changes, bitstamp: tellBitstamp(story).changes };

let stream: FakeStream;
let clock: Clock;
let log: FeedLog;
let feed: Feed;
/** What REST answers, one after the other; the last one for ever. */
let answers: (() => BookSnapshot)[];
let asked: number;

const empty: Sides = { bids: [], asks: [] };
const afterChange = (at: number, nonce: number) => () => ({ ...(story.books[at] ?? empty), nonce });
const binanceBook = (at: number) => afterChange(at, 3 * at + 3);
const bitstampBook = (at: number) => afterChange(at, bitstampTime(at));
const refusal = () => {
  throw new Error("the exchange is busy");
};

function open(protocol: Protocol): void {
  feed = openSocketFeed(protocol, {
    urls: () => stream.url,
    snapshot: async () => (answers[Math.min(asked++, answers.length - 1)] ?? refusal)(),
    sink: log.sink,
    clock,
    random: systemRandom,
    log: silentLog,
  });
  feed.watch(market);
}

function send(all: string[], from: number, to: number): void {
  for (const frame of all.slice(from, to)) stream.send(frame);
}

const subscribed = () =>
  expect.poll(() => stream.requests.length, { interval: 5 }).toBeGreaterThanOrEqual(2);
const follows = () => expect.poll(() => log.replica(market.id)).toEqual(truth);

beforeEach(async () => {
  asked = 0;
  clock = quickClock(20);
  log = openFeedLog(clock);
  stream = await openFakeStream(({ id, data }) => [
    id === undefined
      ? JSON.stringify({ event: "bts:subscription_succeeded", ...(data as object) })
      : JSON.stringify({ result: null, id }),
  ]);
});

afterEach(async () => {
  await feed.close();
  await stream.close();
});

describe("a book whose whole comes over REST", () => {
  test("is put together from the snapshot and the changes around it", async () => {
    answers = [binanceBook(20)];
    const all = frames.binance;
    open({ ...binance, restLagMs: 2_000 });
    await subscribed();
    send(all, 10, 40);
    await expect.poll(() => feed.book(market.id)).toBeDefined();
    send(all, 40, 60);
    await follows();
    expect(log.of(market.id)).toMatchObject({ faults: [], tradesBegan: 1 });
    expect(asked).toBe(1);
  });

  test("is asked for again when the snapshot is older than the first change", async () => {
    answers = [binanceBook(5), binanceBook(30)];
    open({ ...binance, restLagMs: 2_000 });
    await subscribed();
    send(frames.binance, 10, 60);
    await follows();
    expect([asked, log.of(market.id).faults]).toEqual([2, []]);
  });

  test("is asked for again when the exchange does not answer, ever less often", async () => {
    answers = [refusal, refusal, refusal, binanceBook(59)];
    open(binance);
    await subscribed();
    send(frames.binance, 0, 60);
    await follows();
    const { snapshots } = log.of(market.id);
    expect(snapshots).toHaveLength(4);
    for (const [at, time] of snapshots.entries())
      expect(time - (snapshots[at - 1] ?? 0)).toBeGreaterThanOrEqual(0.6 * 500 * 2 ** at);
  });

  test("starts over when a change is missing, on the same connection", async () => {
    answers = [binanceBook(0), binanceBook(59)];
    open(binance);
    await subscribed();
    send(frames.binance, 0, 1);
    await expect.poll(() => feed.book(market.id)).toBeDefined();
    send(frames.binance, 2, 60);
    await follows();
    expect(log.of(market.id).faults).toEqual(["sequence"]);
    expect([asked, stream.opened]).toEqual([2, 1]);
  });

  test("of Bitstamp is asked for when the stream has run for a while", async () => {
    answers = [bitstampBook(30)];
    const began = clock.now();
    open(bitstamp);
    await expect.poll(() => stream.requests.length).toBe(2);
    send(frames.bitstamp, 10, 60);
    await follows();
    expect((log.of(market.id).snapshots[0] ?? 0) - began).toBeGreaterThan(4_000);
    expect(log.of(market.id).faults).toEqual([]);
  });

  test("of Bitstamp lives on over a new connection when the exchange asks for one", async () => {
    answers = [bitstampBook(59)];
    open(bitstamp);
    await expect.poll(() => feed.book(market.id)).toBeDefined();
    stream.send(JSON.stringify({ event: "bts:request_reconnect", channel: "", data: "" }));
    await expect.poll(() => log.of(market.id).updates).toEqual(["whole", "lost", "whole"]);
    expect(stream.opened).toBe(2);
    await follows();
  });
});

describe("a connection that must not get old", () => {
  const short = { ...binance, connectionMostMs: 10_000 };

  test("is replaced by another that runs beside it, and nobody notices", async () => {
    answers = [binanceBook(0)];
    open(short);
    await subscribed();
    send(frames.binance, 0, 1);
    await expect.poll(() => feed.book(market.id)).toBeDefined();
    await expect.poll(() => stream.opened).toBe(2);
    // Both tell everything while there are two.
    send(frames.binance, 1, 30);
    await expect.poll(() => stream.open).toBe(1);
    send(frames.binance, 30, 60);
    await follows();
    expect(log.of(market.id)).toMatchObject({ faults: [], tradesBegan: 1 });
    expect(asked).toBe(1);
  });

  test("is replaced early when the exchange says that it goes away", async () => {
    answers = [binanceBook(59)];
    open(binance);
    await expect.poll(() => feed.book(market.id)).toBeDefined();
    stream.send(JSON.stringify({ e: "serverShutdown", E: 1 }));
    await expect.poll(() => stream.opened).toBe(2);
    await expect.poll(() => stream.open).toBe(1);
    expect(log.of(market.id)).toMatchObject({ faults: [], updates: ["whole"] });
  });

  test("is missed when it ends before the other is ready", async () => {
    answers = [binanceBook(59)];
    open(short);
    await expect.poll(() => feed.book(market.id)).toBeDefined();
    await expect.poll(() => stream.opened).toBe(2);
    stream.cut();
    await expect.poll(() => log.of(market.id).updates).toEqual(["whole", "lost", "whole"]);
    await follows();
  });
});
