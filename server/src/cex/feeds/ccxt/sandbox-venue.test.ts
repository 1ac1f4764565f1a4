import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { silentLog } from "../../../../test/silent-log.ts";
import { systemClock } from "../../../lib/clock.ts";
import { systemRandom } from "../../../lib/random.ts";
import {
  type ExchangeServer,
  openExchangeServer,
} from "../../../sandbox/exchange/exchange-server.ts";
import type { ListedMarket, Trade } from "../../market.ts";
import type { BookUpdate, Venue } from "../venue.ts";
import { openVenue } from "./open-venue.ts";

let server: ExchangeServer;
let venue: Venue;
let bitcoin: ListedMarket;

beforeAll(async () => {
  server = await openExchangeServer({ clock: systemClock, seed: 1, port: 0, log: silentLog });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const exchange = { id: "kraken", baseUrl, markets: [], isSandbox: true };
  const edge = { clock: systemClock, random: systemRandom, log: silentLog };
  venue = await openVenue({ exchange, ...edge });
  bitcoin = (await venue.markets()).find(({ id }) => id === "BTC-USD") as ListedMarket;
});

afterAll(async () => {
  await venue.close();
  await server.close();
});

describe("the sandbox's exchange, through ccxt", () => {
  test("is known as a sandbox, and well", async () => {
    expect(venue.exchange.name).toBe("Kraken (sandbox)");
    expect(await venue.status()).toMatchObject({ status: "ok" });
    server.setFaults([{ kind: "maintenance" }]);
    expect(await venue.status()).toMatchObject({ status: "maintenance" });
    server.setFaults([]);
  });

  test("has a price between the best of its book", async () => {
    const { bids, asks } = await venue.book(bitcoin);
    const { price } = await venue.price(bitcoin);
    expect(bids.length).toBeGreaterThan(20);
    expect(asks[0]).toBeGreaterThan(bids[0] ?? 0);
    expect(price).toBeGreaterThan(0.9 * (bids[0] ?? 0));
    expect(price).toBeLessThan(1.1 * (asks[0] ?? 0));
  });

  test("has every trade once, in order", async () => {
    const since = systemClock.now() - 3_600_000;
    const all: Trade[] = [];
    let next: string | undefined;
    for (let page = 0; page < 3; page++) {
      const found = await venue.trades(bitcoin, next === undefined ? { since } : { next });
      all.push(...found.trades);
      next = found.next;
      if (next === undefined) break;
    }
    expect(all[0]?.time).toBeGreaterThanOrEqual(since);
    const ids = all.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
  });

  test("has candles that are made of its trades", async () => {
    const minute = 60_000;
    const since = Math.floor(systemClock.now() / minute) * minute - 5 * minute;
    const [candle] = await venue.candles(bitcoin, "1m", since);
    const { trades } = await venue.trades(bitcoin, { since });
    const within = trades.filter(({ time }) => time < since + minute);
    expect(candle?.time).toBe(since);
    expect(Number(candle?.open)).toBe(Number(within[0]?.price));
    expect(Number(candle?.close)).toBe(Number(within.at(-1)?.price));
  });

  test("streams books and trades", async () => {
    const updates: BookUpdate["kind"][] = [];
    const trades: Trade[] = [];
    const feed = venue.openFeed({
      book: (_, { kind }) => void updates.push(kind),
      trades: (_, some) => void trades.push(...some),
      tradesBegin() {},
      heard() {},
      fault() {},
      snapshot() {},
    });
    feed?.watch(bitcoin);
    const enough = () => {
      expect(updates).toContain("change");
      expect(trades).not.toHaveLength(0);
    };
    await vi.waitFor(enough, { timeout: 20_000 });
    expect(updates[0]).toBe("whole");
    expect(feed?.book("BTC-USD")?.isCrossed).toBe(false);
    await feed?.close();
  });
});
