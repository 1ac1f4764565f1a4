import { expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { useFakeExchange } from "../../../../test/fake-http-exchange.ts";
import { impatientClock } from "../../../../test/impatient-clock.ts";
import { silentLog } from "../../../../test/silent-log.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { ListedMarket } from "../../market.ts";
import type { Feed } from "../venue.ts";
import { loadExchange } from "./ccxt-exchange.ts";
import { openCcxtFeed } from "./ccxt-feed.ts";
import { exchangeIds } from "./exchange-ids.ts";

const fake = useFakeExchange();
const nonsense = ['{"nonsense":true}', "no JSON", '[1,2,{"a":[]}]', "null", '""', "[]"];
const market = {
  id: "BTCUSDT",
  symbol: "BTC/USDT",
  base: "BTC",
  quote: "USDT",
  baseId: "BTC",
  quoteId: "USDT",
  type: "spot",
  spot: true,
  contract: false,
  precision: { price: 0.01, amount: 0.001 },
};

const listed: ListedMarket = {
  exchange: "",
  symbol: market.symbol,
  id: "BTC-USDT",
  active: true,
  base: "BTC",
  quote: "USDT",
  percentage: true,
  taker: 0,
  maker: 0,
  type: "spot",
  nativeId: market.id,
  priceDecimals: 2,
  sizeDecimals: 3,
};

// A failure that nobody looks after would end the process, and this test with it.
test("no stream comes to harm when an exchange talks nonsense and hangs up", async () => {
  const server = new WebSocketServer({ server: fake.server });
  server.on("connection", (socket) => {
    socket.on("message", () => {
      for (const frame of nonsense) socket.send(frame);
      socket.close();
    });
  });
  const heard = new Set<string>();
  const told = new Set<string>();

  async function watch(id: string): Promise<Feed | undefined> {
    const exchange = await loadExchange({ id, baseUrl: fake.baseUrl, isSandbox: true });
    exchange.fetchMarkets = async () => [market];
    await exchange.loadMarkets(true);
    const feed = openCcxtFeed({
      exchange,
      sink: {
        book: () => told.add(id),
        trades: () => told.add(id),
        heard: () => heard.add(id),
        tradesBegin() {},
        fault() {},
        snapshot() {},
      },
      clock: impatientClock,
      random: systemRandom,
      log: silentLog,
    });
    feed?.watch({ ...listed, exchange: id });
    return feed;
  }

  const feeds = await Promise.all(exchangeIds().map(watch));
  // Some want a key, or do not stream such a market.
  await vi.waitFor(() => expect(heard.size).toBeGreaterThan(55), { timeout: 20_000 });
  await Promise.all(feeds.map((feed) => feed?.close()));
  expect(told).toEqual(new Set());
  for (const socket of server.clients) socket.terminate();
  server.close();
}, 60_000);
