import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openThreadBus } from "../src/bus/thread-bus.ts";
import { openVenue } from "../src/cex/feeds/ccxt/open-venue.ts";
import { type Desk, openDesk } from "../src/cex/feeds/desk.ts";
import { type ExchangeStatus, exchangeStatuses } from "../src/cex/messages.ts";
import { readGaps } from "../src/cex/store/gaps.ts";
import { readTrades } from "../src/cex/store/read-trades.ts";
import { type Clock, systemClock as clock } from "../src/lib/clock.ts";
import { systemRandom as random } from "../src/lib/random.ts";
import { sandboxSeed } from "../src/sandbox/chain/market/fair-price.ts";
import {
  type ExchangeServer,
  openExchangeServer,
} from "../src/sandbox/exchange/exchange-server.ts";
import type { FaultKind } from "../src/sandbox/exchange/faults.ts";
import { silentLog as log } from "./silent-log.ts";
import { useDatabase } from "./test-database.ts";

/** Faults that concern one market happen to markets of their own, all at the same time. */
const ofMarkets: [FaultKind, string][] = [
  ["dropBookChange", "BTC-USD"],
  ["repeatBookChange", "ETH-USD"],
  ["swapBookChanges", "SOL-USD"],
  ["crossBook", "ETH-BTC"],
  ["crossBookUnchecked", "USDC-USD"],
  ["wrongChecksum", "BTC-EUR"],
  ["dropTrades", "ETH-EUR"],
  ["repeatTrades", "SOL-EUR"],
];
/** Those of the whole exchange, and a market that nobody has asked for, so that REST is needed too. */
const ofExchange: [FaultKind, string][] = [
  ["closeSockets", "ADA-USD"],
  ["refuseConnections", "XRP-USD"],
  ["stall", "DOGE-USD"],
  ["tooManyRequests", "LTC-USD"],
  ["serverError", "DOT-USD"],
  ["maintenance", "LINK-USD"],
];
const markets = ofMarkets.map(([, market]) => market);
const symbolOf = (market: string) => market.replace("-", "/");
const patience = { timeout: 50_000, interval: 20 };

/** The exchange's time began a while ago and passes quicker, so that nobody waits long for something to happen. */
const hurried: Clock = {
  now: () => startedAt - 1_800_000 + (clock.now() - startedAt) * pace,
  sleep: (ms, signal) => clock.sleep(ms / pace, signal),
};
const pace = 6;

const held = useDatabase();
const startedAt = clock.now();
let exchange: ExchangeServer;
let desk: Desk;
let latest: ExchangeStatus | undefined;
let close: () => Promise<void>;

beforeAll(async () => {
  exchange = await openExchangeServer({ clock: hurried, seed: sandboxSeed, port: 0, log });
  const baseUrl = `http://127.0.0.1:${exchange.port}`;
  const configured = { id: "kraken", baseUrl, markets, isSandbox: true };
  const bus = openThreadBus("test-cex-faults");
  bus.subscribe(exchangeStatuses, (status) => {
    latest = status;
  });
  const venue = await openVenue({ exchange: configured, clock, random, log });
  desk = openDesk({ venue, markets, db: held.db, bus, clock, log });
  close = async () => {
    await desk.close();
    await bus.close();
    await exchange.close();
  };
});
afterAll(() => close());

const statusOf = (market: string) => latest?.markets.find((each) => each.market === market);

/** A change that is missing shows in a checksum, or before that in a book that is crossed. */
function holesNoticed(market: string): number {
  const { checksum = 0, crossed = 0 } = statusOf(market)?.faults ?? {};
  return checksum + crossed;
}

/** The exchange's own book, in the form of answers. */
function trueBook(market: string) {
  const { bids = [], asks = [] } = exchange.bookOf(symbolOf(market)) ?? {};
  return { bids: bids.length, asks: asks.length };
}

async function liveBook(market: string) {
  const reply = await desk.book(market);
  return reply.kind === "found" && reply.source === "websocket" ? reply.value : undefined;
}

/** The exchange says what is true over HTTP, as prices and sizes; our book has to be the same at some moment. */
async function hasTrueBook(market: string): Promise<boolean> {
  const url = `http://127.0.0.1:${exchange.port}/sandbox/book?symbol=${symbolOf(market)}`;
  type Sides = { bids: [string, string][]; asks: [string, string][] };
  const truth = (await (await fetch(url)).json()) as Sides;
  const book = await liveBook(market);
  const flat = (levels: [string, string][]) => levels.flat().map(Number).slice(0, 2_000);
  return (
    JSON.stringify([book?.bids, book?.asks]) ===
    JSON.stringify([flat(truth.bids), flat(truth.asks)])
  );
}

/** Everything that is stored, oldest first. */
async function storedTrades(market: string) {
  const page = await readTrades(held.db, { exchange: "kraken", market, limit: 50_000 });
  let text = "";
  for await (const chunk of page.chunks) text += `${text && ","}${chunk}`;
  const trades = JSON.parse(`[${text}]`) as { id: string; price: number; size: number }[];
  return trades.reverse();
}

/** No trade is stored twice or altered, and none is missing between the first and the last. */
async function expectTrueTrades(market: string): Promise<void> {
  const stored = await storedTrades(market);
  const [first, last] = [stored[0], stored.at(-1)];
  const query = `symbol=${symbolOf(market)}&from=${first?.id}&to=${last?.id}`;
  const answer = await fetch(`http://127.0.0.1:${exchange.port}/sandbox/trades?${query}`);
  const truth = (await answer.json()) as { id: number; price: string; size: string }[];
  const asStored = ({ id, price, size }: (typeof truth)[0]) =>
    `${id} ${Number(price)} ${Number(size)}`;
  expect(stored.map(({ id, price, size }) => `${id} ${price} ${size}`)).toEqual(
    truth.map(asStored),
  );
  expect(await readGaps(held.db, { exchange: "kraken", market, limit: 10 })).toBe("[]");
}

function expectBudgetHeld(): void {
  const seconds = (clock.now() - startedAt) / 1_000;
  for (const { market, snapshots } of latest?.markets ?? []) {
    expect(snapshots, market).toBeLessThanOrEqual(seconds);
  }
}

describe("whatever the exchange does, books end right and trades are stored once", () => {
  test("when all is well", async () => {
    for (const market of markets) {
      await expect.poll(() => hasTrueBook(market), patience).toBe(true);
      expect(trueBook(market).bids).toBeGreaterThan(50);
      await expect.poll(() => statusOf(market)?.lastTrade, patience).toBeTruthy();
    }
  });

  test("when each of its markets has a fault of its own", async () => {
    exchange.setFaults(
      ofMarkets.map(([kind, market]) => ({ kind, symbol: symbolOf(market), count: 3 })),
    );
    const happened = () => ofMarkets.every(([kind]) => exchange.faults().happened[kind] >= 3);
    await expect.poll(happened, patience).toBe(true);
    // What has happened is on its way, and what we know of it is told from time to time.
    await expect.poll(() => holesNoticed("BTC-USD"), patience).toBeGreaterThan(0);
    await expect.poll(() => statusOf("ETH-BTC")?.faults.crossed, patience).toBeGreaterThan(0);
    await expect.poll(() => statusOf("BTC-EUR")?.resyncs, patience).toBeGreaterThan(0);
    for (const [kind, market] of ofMarkets) {
      await expect.poll(() => hasTrueBook(market), { ...patience, message: kind }).toBe(true);
      await expect.poll(() => statusOf(market)?.state, { ...patience, message: kind }).toBe("live");
    }
    expectBudgetHeld();
  });

  test.each(ofExchange)("when it has %s", async (kind, cold) => {
    exchange.setFaults([{ kind }]);
    await expect
      .poll(async () => {
        await Promise.all([desk.price(cold), desk.book(cold)]);
        return exchange.faults().happened[kind];
      }, patience)
      .toBeGreaterThan(0);
    if (kind === "stall") {
      await expect.poll(() => statusOf("BTC-USD")?.faults.silent, patience).toBeGreaterThan(0);
    }
    exchange.setFaults([]);
    for (const market of ["BTC-USD", "SOL-EUR"]) {
      await expect.poll(() => hasTrueBook(market), patience).toBe(true);
    }
    expectBudgetHeld();
  });

  test("and afterwards every trade there was is in the tables", async () => {
    for (const market of markets) {
      const before = (await storedTrades(market)).length;
      await expect
        .poll(async () => (await storedTrades(market)).length, patience)
        .toBeGreaterThan(before);
      await expectTrueTrades(market);
    }
    expect(latest?.markets.reduce((sum, { gaps }) => sum + gaps, 0)).toBe(0);
  });
});
