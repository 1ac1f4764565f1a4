import type { CexOrderBook, StreamMessage } from "@slipway/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useCexApp } from "../../test/cex-app.ts";
import { FakeExchangeFeed } from "../../test/fake-exchange-feed.ts";
import { silentLog } from "../../test/silent-log.ts";
import { steppingClock } from "../../test/stepping-clock.ts";
import { listen, type StreamClient } from "../../test/stream-client.ts";
import { startStreams } from "../../test/stream-service.ts";
import { useDatabase } from "../../test/test-database.ts";
import { openLiveMarkets } from "../cex/live/live-markets.ts";
import { flatLevels, OrderBook } from "../cex/order-book.ts";
import { systemRandom } from "../lib/random.ts";
import { Connection } from "./connection.ts";
import { openBookSource } from "./sources/book-source.ts";

const { app, clock, feed } = useCexApp("BTC-USD", "ETH-USD");
const held = useDatabase();

/** A book as somebody has it who heeds the messages. */
class HeardBook {
  readonly levels = new OrderBook();
  nonce: number | undefined;
  wholes = 0;

  hear(message: StreamMessage): void {
    if (message.type !== "book" && message.type !== "bookChange") return;
    const [bids, asks] = [message.bids.flat(), message.asks.flat()];
    if (message.type === "book") {
      this.levels.reset(bids, asks);
      this.wholes++;
    } else {
      expect(message.after).toBe(this.nonce);
      this.levels.apply(bids, asks);
    }
    this.nonce = message.nonce;
  }

  get book() {
    const { bids, asks } = this.levels;
    return { nonce: this.nonce, bids: flatLevels(bids), asks: flatLevels(asks) };
  }
}

function bookOf(client: StreamClient): HeardBook {
  const book = new HeardBook();
  for (const message of client.messages) book.hear(message);
  return book;
}

test("a book comes as a whole and then as changes, and is the one that the API answers with", async () => {
  feed.setBook("BTC-USD", [100, 1, 99, 2], [101, 3, 102, 4]);
  await feed.goLive("BTC-USD");
  const channel = "cex.book:kraken:btc/usd";
  const client = await listen(app.url, [channel]);
  await client.untilCount("book", 1);
  const { nonce } = feed.book("BTC-USD");
  const [bids, asks] = [
    [
      [100, 1],
      [99, 2],
    ],
    [
      [101, 3],
      [102, 4],
    ],
  ];
  expect(client.messages).toEqual([
    { type: "subscribed", channel, resumed: false },
    { type: "book", channel, nonce, bids, asks },
  ]);
  clock.advance(1_000);
  await feed.tellStatus();
  feed.change("BTC-USD", [100, 0, 98, 5], [101, 1]);
  await client.untilCount("bookChange", 1);
  feed.change("BTC-USD", [98, 6], []);
  feed.change("BTC-USD", [97, 7], [101, 0]);
  await feed.settle();
  clock.advance(100);
  await client.untilCount("bookChange", 2);
  expect(client.of("bookChange")).toEqual([
    {
      ...{ type: "bookChange", channel, after: nonce, nonce: nonce + 1 },
      ...{
        bids: [
          [100, 0],
          [98, 5],
        ],
        asks: [[101, 1]],
      },
    },
    {
      ...{ type: "bookChange", channel, after: nonce + 1, nonce: nonce + 3 },
      ...{
        bids: [
          [98, 6],
          [97, 7],
        ],
        asks: [[101, 0]],
      },
    },
  ]);
  const response = await app.ask("/v2/cex/kraken/BTC-USD/orders");
  const answer = (await response.json()) as CexOrderBook;
  expect(bookOf(client).book).toEqual({
    nonce: answer.nonce,
    bids: answer.bids.flat(),
    asks: answer.asks.flat(),
  });
  client.leave();
});

test("a book that is not live comes from the exchange's answers, and one that falls silent is stale", async () => {
  feed.setBook("ETH-USD", [10, 1], [11, 1]);
  const client = await listen(app.url, ["cex.book:kraken:ETH-USD"]);
  await client.untilCount("book", 1);
  expect(bookOf(client).book).toEqual(feed.book("ETH-USD"));
  await feed.goLive("ETH-USD");
  clock.advance(1_000);
  for (let second = 0; second < 12; second++) {
    clock.advance(1_000);
    await feed.settle();
  }
  await client.untilCount("stale", 1);
  expect(client.of("stale")[0]?.reason).toBe("nothing reliable is heard from kraken about ETH-USD");
  client.leave();
});

describe("whatever is skipped", () => {
  type Event =
    | { kind: "change"; bids: number[]; asks: number[] }
    | { kind: "lose" | "whole" | "tick" | "block" | "drain" };
  const levels = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 3 })), {
      maxLength: 3,
    })
    .map((pairs) => pairs.flat());
  const event: fc.Arbitrary<Event> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("change" as const),
        bids: levels,
        asks: levels.map((flat) => flat.map((each, at) => (at % 2 === 0 ? each + 10 : each))),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom("lose", "whole", "tick", "tick", "tick", "block", "drain"),
      }),
    },
  );

  test("the messages that come lead to the same book", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const clock = steppingClock();
        const feed = new FakeExchangeFeed(clock, "BTC-USD");
        const { bus } = feed;
        const kraken = { id: "kraken", baseUrl: undefined, markets: [], isSandbox: false };
        const { db } = held;
        const outside = { db, bus, clock, random: systemRandom };
        const live = openLiveMarkets({ ...outside, exchanges: [kraken], otherExchanges: false });
        const name = { exchange: "kraken", market: "BTC-USD" };
        feed.setBook("BTC-USD", [5, 1], [15, 1]);
        await feed.goLive("BTC-USD");
        const source = openBookSource(name, { db, bus, live, clock, log: silentLog });
        const book = new HeardBook();
        let pending = 0;
        const connection = new Connection(
          {
            pending: () => pending,
            taken: () => 0,
            send: (message) => book.hear(JSON.parse(message.json) as StreamMessage),
            end() {},
            destroy() {},
          },
          { clock, log: silentLog },
        );
        const release = () => source.close();
        connection.subscribe([{ channel: "book", tag: "", source, position: undefined, release }]);
        const tick = async () => {
          await feed.settle();
          clock.advance(100);
          await feed.settle();
        };
        const drain = () => {
          pending = 0;
          connection.drained();
        };
        const perform: Record<Event["kind"], (event: Event) => unknown> = {
          change: (event) =>
            event.kind === "change" && feed.change("BTC-USD", event.bids, event.asks),
          lose: () => feed.lose("BTC-USD", "a test says so"),
          whole: () => feed.goLive("BTC-USD"),
          tick,
          block() {
            pending = 10 ** 6;
          },
          drain,
        };
        for (const each of events) await perform[each.kind](each);
        await feed.goLive("BTC-USD");
        await tick();
        await tick();
        drain();
        expect(book.book).toEqual(feed.book("BTC-USD"));
        connection.closed();
        live.close();
        await bus.close();
      }),
      { numRuns: 60 },
    );
  });

  test("a client that stops reading is given a whole book when it reads on, and little waits for it", async () => {
    const clock = steppingClock();
    const feed = new FakeExchangeFeed(clock, "BTC-USD");
    const levels = 2_000;
    /** Long figures, so that the buffers of the network are soon full. */
    const side = (from: number, size: number) =>
      Array.from({ length: levels }, (_, at) => [
        from + at * 0.123456789012,
        size + 0.123456789,
      ]).flat();
    feed.setBook("BTC-USD", side(1, 1), side(5_000, 1));
    await feed.goLive("BTC-USD");
    const service = await startStreams({ db: held.db, bus: feed.bus, clock });
    const client = await listen(service.url, ["cex.book:kraken:BTC-USD"], { key: "usr-1" });
    await client.untilCount("book", 1);
    client.response.pause();
    const socket = service.sockets.at(-1);
    let most = 0;
    let size = 1;
    for (let full = 0; full < 20; full += socket && socket.writableLength > 64 * 1_024 ? 1 : 0) {
      feed.change("BTC-USD", side(1, ++size), side(5_000, size));
      await feed.settle();
      clock.advance(100);
      await feed.settle();
      most = Math.max(most, socket?.writableLength ?? 0);
    }
    const bytesOfOne = Buffer.byteLength(JSON.stringify(client.of("book")[0]));
    expect(most).toBeLessThan(64 * 1_024 + 2 * bytesOfOne);
    const { nonce } = feed.book("BTC-USD");
    client.response.resume();
    await client.until((messages) => {
      const last = messages.at(-1);
      return last !== undefined && "nonce" in last && last.nonce === nonce;
    });
    const { book, wholes } = bookOf(client);
    expect(book).toEqual(feed.book("BTC-USD"));
    expect(wholes).toBeGreaterThan(1);
    client.leave();
    await client.ended;
  });
});
