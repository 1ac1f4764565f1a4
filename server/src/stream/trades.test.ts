import type { CexTrade } from "@slipway/sdk";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { FakeExchangeFeed } from "../../test/fake-exchange-feed.ts";
import { listen, type StreamClient } from "../../test/stream-client.ts";
import { type StreamService, startStreams } from "../../test/stream-service.ts";
import { useDatabase } from "../../test/test-database.ts";
import type { Trade } from "../cex/market.ts";
import { insertGaps } from "../cex/store/gaps.ts";
import { openMarket, setTradesSince } from "../cex/store/markets.ts";
import { copyTrades } from "../cex/store/write-trades.ts";
import { systemClock } from "../lib/clock.ts";

const held = useDatabase();
const feed = new FakeExchangeFeed(systemClock, "BTC-USD", "ETH-USD", "BIG-USD", "NEW-USD");
const start = Date.UTC(2026, 0, 1);
const key = "usr-1";
let service: StreamService;
let last = 0;

beforeAll(async () => {
  service = await startStreams({ db: held.db, bus: feed.bus });
});

/** Several in each millisecond. */
const tradeOf = (number: number): Trade => ({
  id: String(number),
  time: start + Math.floor(number / 3),
  price: "64000.1230",
  size: "0.00000012",
  side: number % 2 === 0 ? "buy" : "sell",
});

async function store(market: string, trades: Trade[]): Promise<number> {
  const { id } = await openMarket(held.db, { exchange: "kraken", market });
  await setTradesSince(held.db, id, start);
  await held.db.transact((tx) => copyTrades(tx, [{ market: id, trades }]));
  return id;
}

/** What the recorder does: trades are stored, and then told. */
async function trade(market: string, count: number): Promise<void> {
  const trades = Array.from({ length: count }, () => tradeOf(++last));
  await store(market, trades);
  feed.trade(market, ...trades);
}

const tradesOf = (client: StreamClient): CexTrade[] =>
  client.of("trades").flatMap(({ trades }) => trades);
const idsOf = (client: StreamClient) => tradesOf(client).map(({ id }) => Number(id));
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test("trades come as they are stored, as the API has them, and with an id to go on from", async () => {
  await trade("BTC-USD", 2);
  const client = await listen(service.url, ["cex.trades:kraken:XBTCZUSD"], { key });
  await client.untilCount("subscribed", 1);
  expect(client.lastEventId).toMatch(/^1,/);
  const first = last + 1;
  await trade("BTC-USD", 3);
  await client.until(() => idsOf(client).length >= 3);
  expect(client.messages[0]).toEqual({
    type: "subscribed",
    channel: "cex.trades:kraken:XBTCZUSD",
    resumed: false,
  });
  expect(idsOf(client)).toEqual(numbers(first, last));
  expect(tradesOf(client)[0]).toEqual({
    id: String(first),
    timestamp: String(tradeOf(first).time),
    price: 64000.123,
    size: 0.00000012,
    cost: 0.00768001476,
    side: first % 2 === 0 ? "buy" : "sell",
  });
  client.leave();
});

test("a trade that the exchange tells late is told when it comes, once", async () => {
  const client = await listen(service.url, ["cex.trades:kraken:ETH-USD"], { key });
  await client.untilCount("subscribed", 1);
  const late = tradeOf(++last);
  const [early, next] = [tradeOf(last + 10), tradeOf(last + 20)];
  last += 20;
  for (const each of [early, late, next]) {
    await store("ETH-USD", [each]);
    feed.trade("ETH-USD", each);
    feed.trade("ETH-USD", each);
    await client.until(() => idsOf(client).includes(Number(each.id)));
  }
  expect(idsOf(client)).toEqual([early, late, next].map(({ id }) => Number(id)));
  client.leave();
});

const markets = ["BTC-USD", "ETH-USD"];
const channels = markets.map((market) => `cex.trades:kraken:${market}`);

type Action =
  | { kind: "trade"; market: string; count: number }
  | { kind: "leave" }
  | { kind: "restart" }
  | { kind: "wait" };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("trade" as const),
      market: fc.constantFrom(...markets),
      count: fc.integer({ min: 1, max: 700 }),
    }),
  },
  fc.constant({ kind: "leave" as const }),
  fc.constant({ kind: "restart" as const }),
  fc.constant({ kind: "wait" as const }),
);

/** Somebody who listens, goes and comes back. */
class Listener {
  readonly heard = new Map(channels.map((channel) => [channel, [] as number[]]));
  #lastEventId: string | undefined;
  #client: StreamClient | undefined;

  async connect(): Promise<void> {
    const lastEventId = this.#lastEventId;
    this.#client = await listen(service.url, channels, { key, lastEventId });
    if (lastEventId === undefined) await this.#client.untilCount("subscribed", channels.length);
  }

  async leave(): Promise<void> {
    this.#client?.leave();
    await this.#client?.ended;
    for (const { channel, trades } of this.#client?.of("trades") ?? []) {
      this.heard.get(channel)?.push(...trades.map(({ id }) => Number(id)));
    }
    this.#lastEventId = this.#client?.lastEventId ?? this.#lastEventId;
    this.#client = undefined;
  }

  async until(count: number): Promise<void> {
    const before = [...this.heard.values()].flat().length;
    const client = this.#client;
    await client?.until(() => before + idsOf(client).length >= count);
  }

  async untilSomething(): Promise<void> {
    await this.#client?.until((messages) => messages.length > 0);
  }
}

test("whoever comes back misses nothing and hears nothing twice, also after a restart", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 12 }), async (actions) => {
      const expected = new Map(channels.map((channel) => [channel, [] as number[]]));
      const listener = new Listener();
      await listener.connect();
      const perform: { [Kind in Action["kind"]]: (action: Action) => Promise<void> } = {
        async trade(action) {
          if (action.kind !== "trade") return;
          const { market, count } = action;
          expected.get(`cex.trades:kraken:${market}`)?.push(...numbers(last + 1, last + count));
          await trade(market, count);
        },
        wait: () => listener.untilSomething(),
        async leave() {
          await listener.leave();
          await listener.connect();
        },
        async restart() {
          await listener.leave();
          await service.stop();
          service = await startStreams({ db: held.db, bus: feed.bus });
          await listener.connect();
        },
      };
      for (const each of actions) await perform[each.kind](each);
      await listener.until([...expected.values()].flat().length);
      await listener.leave();
      expect(listener.heard).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});

test("what cannot be had again is said, with where to ask for it", async () => {
  const many = Array.from({ length: 12_345 }, (_, at) => tradeOf(at + 1));
  await store("BIG-USD", [...many.slice(0, 1)]);
  const before = await listen(service.url, ["cex.trades:kraken:BIG-USD"], { key });
  await before.untilCount("subscribed", 1);
  before.leave();
  await before.ended;
  const market = await store("BIG-USD", many.slice(1));
  const [from, to] = [start + 100, start + 200];
  const gap = { from, to, reason: "The line was dead.", isOpen: false };
  await insertGaps(held.db, market, [gap], new Date(start));

  const { lastEventId } = before;
  const client = await listen(service.url, ["cex.trades:kraken:BIG-USD"], { key, lastEventId });
  await client.until(() => idsOf(client).length >= 10_000);
  expect(client.messages[0]).toMatchObject({ type: "subscribed", resumed: true });
  const [tooMany, recorded] = client.of("gap");
  expect(tooMany?.reason).toBe(
    "More than 10000 trades were missed; only the newest of them follow.",
  );
  expect(recorded).toMatchObject({
    reason: "The line was dead.",
    refetch: `/v2/cex/kraken/BIG-USD/trades?since=${from}`,
  });
  expect(idsOf(client)).toEqual(numbers(2_346, 12_345));
  expect(tooMany?.refetch).toMatch(
    /^\/v2\/cex\/kraken\/BIG-USD\/trades\?before=[\w-]+&limit=50000$/,
  );
  client.leave();
});

test("a gap that is noted while somebody listens is told at once", async () => {
  await store("NEW-USD", [tradeOf(++last)]);
  const client = await listen(service.url, ["cex.trades:kraken:NEW-USD"], { key });
  await client.untilCount("subscribed", 1);
  await feed.goLive("NEW-USD");
  const { id } = await openMarket(held.db, { exchange: "kraken", market: "NEW-USD" });
  const { time } = tradeOf(last);
  const gap = { from: time, to: time + 50, reason: "It did not answer.", isOpen: true };
  await insertGaps(held.db, id, [gap], new Date(start));
  await feed.goLive("NEW-USD", { gaps: 1 });
  await client.untilCount("gap", 1);
  expect(client.of("gap")[0]).toMatchObject({
    reason: "It did not answer.",
    refetch: `/v2/cex/kraken/NEW-USD/trades?since=${time}`,
  });
  client.leave();
});

test("somebody who was told what is not known here is told so, and goes on with what is new", async () => {
  const client = await listen(service.url, ["cex.trades:kraken:BTC-USD"], { key });
  await client.untilCount("subscribed", 1);
  client.leave();
  const ahead = client.lastEventId?.replace(/:\d+\./, `:${start + 10 ** 9}.`);
  const back = await listen(service.url, ["cex.trades:kraken:BTC-USD"], {
    key,
    lastEventId: ahead,
  });
  await back.untilCount("gap", 1);
  await trade("BTC-USD", 1);
  await back.until(() => idsOf(back).length === 1);
  expect(idsOf(back)).toEqual([last]);
  back.leave();
});
