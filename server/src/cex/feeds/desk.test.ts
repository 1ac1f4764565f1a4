import { afterEach, describe, expect, test } from "vitest";
import { fakeVenue } from "../../../test/fake-venue.ts";
import { listedMarket } from "../../../test/listed-market.ts";
import { silentLog } from "../../../test/silent-log.ts";
import { useDatabase } from "../../../test/test-database.ts";
import { openThreadBus } from "../../bus/thread-bus.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { UnavailableError } from "../../lib/errors.ts";
import {
  type BookMessage,
  bookMessages,
  type ExchangeStatus,
  exchangeStatuses,
  wantedMarkets,
} from "../messages.ts";
import { type Desk, openDesk } from "./desk.ts";

const held = useDatabase();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The real clock, moved on by hand, whose sleeps are short. */
function movableClock(): Clock & { advance(ms: number): void } {
  let aheadMs = 0;
  return {
    now: () => systemClock.now() + aheadMs,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
    advance(ms) {
      aheadMs += ms;
    },
  };
}

let spaces = 0;

function stage({ streams = true, markets = [] as string[], venue = fakeVenue({ streams }) } = {}) {
  const clock = movableClock();
  const bus = openThreadBus(`test-desk-${++spaces}`);
  const messages: BookMessage[] = [];
  const statuses: ExchangeStatus[] = [];
  bus.subscribe(bookMessages("fakex"), (bundle) => messages.push(...bundle));
  bus.subscribe(exchangeStatuses, (status) => statuses.push(status));
  const desk = openDesk({ venue, markets, db: held.db, bus, clock, log: silentLog });
  closing.push(bus.close, desk.close);
  const marketStatus = (id: string) => statuses.at(-1)?.markets.find(({ market }) => market === id);
  return { venue, desk, bus, clock, messages, statuses, marketStatus };
}

const whole = { kind: "whole", bids: [99, 1, 98, 2], asks: [101, 1], nonce: undefined } as const;

/** What was found; fails when it was not. */
function found<Value>(reply: { kind: string; value?: Value }): Value {
  expect(reply.kind).toBe("found");
  return reply.value as Value;
}

async function bookOf(desk: Desk) {
  return found(await desk.book("BTC-USD"));
}

describe("a market that is asked for", () => {
  test("is answered over REST at once, goes live, and is answered from the stream from then on", async () => {
    const { venue, desk, messages } = stage();
    const first = await desk.book("btc-usd");
    expect(first).toMatchObject({ kind: "found", source: "rest", value: { bids: [99, 1] } });
    expect(venue.watched).toEqual(new Set(["BTC-USD"]));
    venue.say("BTC-USD", whole);
    const second = await desk.book("BTC/USD");
    expect(second).toMatchObject({ source: "websocket", value: { bids: [99, 1, 98, 2] } });
    expect(found(second).nonce).toBeGreaterThan(found(first).nonce);
    expect(venue.asked.book).toBe(1);
    await expect.poll(() => messages.at(-1)).toMatchObject({ kind: "whole", market: "BTC-USD" });
  });

  test("is asked for over REST once, however many want it at a time", async () => {
    const { venue, desk } = stage({ streams: false });
    const books = await Promise.all(Array.from({ length: 100 }, () => bookOf(desk)));
    expect(new Set(books.map(({ nonce }) => nonce)).size).toBe(1);
    expect(venue.asked).toMatchObject({ book: 1, markets: 1 });
    // Once to see whether anybody answers, and once for all who ask.
    await desk.status();
    const asked = venue.asked.price ?? 0;
    const prices = await Promise.all(Array.from({ length: 50 }, () => desk.price("BTC-USD")));
    for (const price of prices) expect(found(price).price).toBe(100);
    expect(venue.asked.price).toBe(asked + 1);
  });

  test("stays live for ten minutes after the last word that it is wanted", async () => {
    const { venue, desk, bus, clock, statuses } = stage();
    await desk.book("BTC-USD");
    clock.advance(590_000);
    bus.publish(wantedMarkets, { exchange: "fakex", markets: ["BTC-USD"] });
    bus.publish(wantedMarkets, { exchange: "other", markets: ["BTC-USD"] });
    await expect.poll(() => statuses.length).toBeGreaterThan(3);
    clock.advance(590_000);
    const before = statuses.length;
    await expect.poll(() => statuses.length).toBeGreaterThan(before + 3);
    expect(venue.watched.has("BTC-USD")).toBe(true);
    clock.advance(20_000);
    await expect.poll(() => venue.watched.has("BTC-USD")).toBe(false);
  });

  test("that does not exist is unknown, and one of an exchange that is down is unavailable", async () => {
    const { venue, desk } = stage();
    expect(await desk.book("NO-SUCH")).toEqual({
      kind: "unknown",
      message: "Fake Exchange has no market NO-SUCH.",
    });
    venue.failure = new UnavailableError("Fake Exchange does not answer.");
    expect(await desk.book("BTC-USD")).toMatchObject({
      kind: "unavailable",
      message: "Fake Exchange does not answer.",
      retryAfterSeconds: 2,
    });
  });
});

describe("a book", () => {
  test("that cannot be trusted is asked for over REST until there is another", async () => {
    const { venue, desk, clock, marketStatus } = stage();
    await desk.book("BTC-USD");
    venue.say("BTC-USD", whole);
    venue.say("BTC-USD", { kind: "lost", reason: "its checksum is wrong" });
    venue.sink.fault("BTC-USD", "checksum");
    venue.bookAnswer = { bids: [97, 5], asks: [], nonce: undefined };
    // What was answered a moment ago serves for a second.
    clock.advance(1_000);
    expect(await desk.book("BTC-USD")).toMatchObject({ source: "rest", value: { bids: [97, 5] } });
    await expect
      .poll(() => marketStatus("BTC-USD"))
      .toMatchObject({ state: "syncing", resyncs: 1, faults: { checksum: 1 } });
    venue.say("BTC-USD", whole);
    expect(await desk.book("BTC-USD")).toMatchObject({ source: "websocket" });
    await expect.poll(() => marketStatus("BTC-USD")?.state).toBe("live");
  });

  test("of a connection that has gone silent is asked for over REST, and its numbers never go back", async () => {
    const { venue, desk, clock, messages } = stage();
    await desk.book("BTC-USD");
    venue.say("BTC-USD", whole);
    const live = await bookOf(desk);
    clock.advance(6_000);
    const rest = await desk.book("BTC-USD");
    expect(rest).toMatchObject({ source: "rest" });
    expect(found(rest).nonce).toBeGreaterThan(live.nonce);
    venue.sink.heard(["BTC-USD"]);
    // Whoever only listens gets it under a number above what was answered.
    await expect
      .poll(() => {
        const last = messages.at(-1);
        return last?.kind === "whole" && last.nonce > found(rest).nonce;
      })
      .toBe(true);
    expect((await bookOf(desk)).nonce).toBeGreaterThan(found(rest).nonce);
  });
});

describe("an exchange", () => {
  test("that is down at the start is asked until its configured markets are live", async () => {
    const venue = fakeVenue({ id: "new" });
    venue.marketList = [listedMarket("XRP-EUR")];
    venue.failure = new UnavailableError("down");
    const { clock, desk } = stage({ venue, markets: ["XRP-EUR"] });
    expect(await desk.markets()).toMatchObject({ kind: "unavailable" });
    expect(venue.watched.size).toBe(0);
    venue.failure = undefined;
    await expect
      .poll(() => {
        clock.advance(5_000);
        return venue.watched;
      })
      .toEqual(new Set(["XRP-EUR"]));
  });

  test("whose list of markets cannot be had serves the last one it gave", async () => {
    const { desk, venue } = stage();
    expect(found(await desk.markets()).length).toBe(2);
    await desk.close();
    const again = fakeVenue();
    again.failure = new UnavailableError("down");
    const { desk: later } = stage({ venue: again });
    expect(found(await later.markets())).toEqual(venue.marketList);
  });

  test("tells how it is, or is well when we hear from it, or in trouble when nobody answers", async () => {
    const venue = fakeVenue();
    venue.statusAnswer = { status: "maintenance", updated: 7 };
    const { desk } = stage({ venue });
    expect(found(await desk.status())).toEqual({ status: "maintenance", updated: 7 });

    const silent = stage();
    expect(found(await silent.desk.status()).status).toBe("ok");

    const broken = fakeVenue();
    broken.failure = new UnavailableError("down");
    const { desk: brokenDesk, statuses } = stage({ venue: broken });
    expect(found(await brokenDesk.status()).status).toBe("error");
    await expect.poll(() => statuses.at(-1)?.status.status).toBe("error");
  });
});
