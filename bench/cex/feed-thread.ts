import { workerData } from "node:worker_threads";
import { built } from "../built.ts";

/**
 * What the thread is told: on which bus, how deep the book is, and how often it changes. So many of its lowest bids
 * have the time of a change as their size, each in its turn.
 */
export type FeedOrders = {
  space: string;
  levels: number;
  changesPerSecond: number;
  stamps?: number;
};

const { answerQuestions } = await built<typeof import("../../server/src/bus/ask.ts")>("bus/ask");
const { openThreadBus } =
  await built<typeof import("../../server/src/bus/thread-bus.ts")>("bus/thread-bus");
const { bookMessages, exchangeStatuses, marketsInquiry, tradeMessages } =
  await built<typeof import("../../server/src/cex/messages.ts")>("cex/messages");

const { space, levels, changesPerSecond, stamps = 0 } = workerData as FeedOrders;
const exchange = "kraken";
const market = "BTC-USD";
const bus = openThreadBus(space);
let nonce = Date.now() * 1_000;

const side = (sign: number) =>
  Array.from({ length: levels }, (_, at) => [
    Number((65_000 + sign * (at + 1) * 0.1).toFixed(1)),
    Number((Math.random() * 3).toFixed(8)),
  ]).flat();
const [bids, asks] = [side(-1), side(1)];
for (let price = stamps; price > 0; price--) bids.push(price, Date.now());

/** The same prices with other sizes, so that the book stays as deep as it is. */
function change(): void {
  const at = 2 * Math.floor(Math.random() * Math.min(levels, 50));
  for (const levelsOf of [bids, asks]) levelsOf[at + 1] = Number((Math.random() * 3).toFixed(8));
  const changed = (levelsOf: number[]) => levelsOf.slice(at, at + 2);
  const after = nonce++;
  const changedBids = [...changed(bids), ...stamp()];
  bus.publish(bookMessages(exchange), [
    { market, kind: "change", after, nonce, bids: changedBids, asks: changed(asks) },
  ]);
  bus.publish(tradeMessages(exchange), [{ market, trades: [lastTrade()] }]);
}

function stamp(): number[] {
  if (stamps === 0) return [];
  const at = 2 * (levels + (nonce % stamps));
  bids[at + 1] = Date.now();
  return bids.slice(at, at + 2);
}

const lastTrade = () => ({
  id: String(nonce),
  time: Date.now(),
  price: String(asks[0]),
  size: "0.01",
  side: "buy" as const,
});

function tell(): void {
  const now = Date.now();
  bus.publish(exchangeStatuses, {
    exchange,
    at: now,
    status: { status: "ok", updated: now },
    markets: [
      {
        market,
        state: "live",
        confirmedAt: now,
        lastTrade: lastTrade(),
        tradesSince: null,
        faults: { checksum: 0, sequence: 0, crossed: 0, silent: 0, closed: 0 },
        resyncs: 0,
        snapshots: 0,
        gaps: 0,
      },
    ],
  });
  // Often enough for whoever missed the first.
  bus.publish(bookMessages(exchange), [{ market, kind: "whole", nonce, bids, asks }]);
}

answerQuestions(marketsInquiry, bus, async () => {
  const names = { exchange, symbol: "BTC/USD", id: market, base: "BTC", quote: "USD" };
  const fees = { percentage: true, taker: 0, maker: 0, priceDecimals: 1, sizeDecimals: 8 };
  const listed = { ...names, ...fees, active: true, type: "spot", nativeId: "XXBTZUSD" };
  return { kind: "found" as const, value: [listed], at: Date.now(), source: "rest" as const };
});
tell();
setInterval(tell, 1_000);
setInterval(change, 1_000 / changesPerSecond);
