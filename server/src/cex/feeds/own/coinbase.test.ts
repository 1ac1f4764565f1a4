import { afterEach, beforeEach, expect, test } from "vitest";
import { bookStory } from "../../../../test/book-story.ts";
import { type FakeRequest, type FakeStream, openFakeStream } from "../../../../test/fake-stream.ts";
import { type FeedLog, openFeedLog } from "../../../../test/feed-log.ts";
import { listedMarket } from "../../../../test/listed-market.ts";
import { quickClock } from "../../../../test/quick-clock.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { Feed } from "../venue.ts";
import { coinbase } from "./coinbase.ts";
import { openSocketFeed } from "./socket-feed.ts";

const { start } = bookStory({ seed: 4, levels: 20, changes: 1 });
const [dollar, coin] = [listedMarket("BTC/USD"), listedMarket("BTC/USDC")];

let stream: FakeStream;
let log: FeedLog;
let feed: Feed;
/** The number of the next message. */
let number: number;

function frame(channel: string, events: object[]): string {
  return JSON.stringify({ channel, sequence_num: number++, events });
}

/** The same book for everybody. */
function answer({ type, channel, product_ids }: FakeRequest): string[] {
  if (type !== "subscribe" || channel === "heartbeats") return [frame("subscriptions", [])];
  const names = product_ids as string[];
  if (channel === "market_trades")
    return [frame("subscriptions", [{ subscriptions: { market_trades: names } }])];
  const updates = (side: string, levels: number[]) =>
    levels.flatMap((price, at) =>
      at % 2 === 0 ? [{ side, price_level: `${price}`, new_quantity: `${levels[at + 1]}` }] : [],
    );
  const all = [...updates("bid", start.bids), ...updates("offer", start.asks)];
  return names.map((product_id) =>
    frame("l2_data", [{ type: "snapshot", product_id, updates: all }]),
  );
}

beforeEach(async () => {
  number = 0;
  const clock = quickClock(20);
  log = openFeedLog(clock);
  stream = await openFakeStream(answer);
  feed = openSocketFeed(coinbase, {
    urls: () => stream.url,
    snapshot: () => Promise.reject(new Error("no REST here")),
    sink: log.sink,
    clock,
    random: systemRandom,
    log: silentLog,
  });
});

afterEach(async () => {
  await feed.close();
  await stream.close();
});

const lives = (id: string) => expect.poll(() => log.replica(id)).toEqual(start);
const names = () => stream.requests.flatMap(({ product_ids = [] }) => product_ids as string[]);

test("two markets that are one at Coinbase share what is heard, and can be left one by one", async () => {
  feed.watch(dollar);
  await lives(dollar.id);
  feed.watch(coin);
  await lives(coin.id);
  await expect.poll(() => log.of(coin.id).tradesBegan).toBe(1);
  expect(new Set(names())).toEqual(new Set(["BTC-USD"]));
  feed.unwatch(dollar.id);
  const update = { side: "bid", price_level: "1", new_quantity: "5" };
  stream.send(frame("l2_data", [{ type: "update", product_id: "BTC-USD", updates: [update] }]));
  await expect.poll(() => log.replica(coin.id)?.bids.slice(-2)).toEqual([1, 5]);
  expect(log.replica(dollar.id)).toEqual(start);
  expect(stream.opened).toBe(1);
});

test("a number that is missing makes every book start over on a new connection", async () => {
  feed.watch(dollar);
  await lives(dollar.id);
  number++;
  stream.send(frame("heartbeats", []));
  await expect.poll(() => log.of(dollar.id).faults).toEqual(["sequence"]);
  await expect.poll(() => feed.book(dollar.id)).toBeDefined();
  expect(stream.opened).toBe(2);
});
