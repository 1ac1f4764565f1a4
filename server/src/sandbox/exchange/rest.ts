import type { Asset } from "../chain/market/fair-price.ts";
import { type BookView, type Quote, viewOf } from "./book-view.ts";
import { digitsOf } from "./digits.ts";
import type { Floor } from "./floor.ts";
import { currencyOf, type Market, markets } from "./market.ts";
import type { Summary, TapeTrade } from "./tape.ts";

/** What was wrong with a request, in the exchange's own words. */
export class RestError extends Error {}

type Query = URLSearchParams;
type Answer = (floor: Floor, query: Query) => unknown;

const intervals = [1, 5, 15, 30, 60, 240, 1_440, 10_080, 21_600];
const candlesMost = 720;
const tradesMost = 1_000;
const depthMost = 500;
const daySeconds = 86_400;
const takerFees = [
  [0, 0.26],
  [50_000, 0.24],
  [100_000, 0.22],
  [250_000, 0.2],
  [500_000, 0.18],
];
const makerFees = [
  [0, 0.16],
  [50_000, 0.14],
  [100_000, 0.12],
  [250_000, 0.1],
  [500_000, 0.08],
];

const answers: Record<string, Answer> = {
  Time: (floor) => {
    const date = new Date(floor.now / 1_000);
    return { unixtime: Math.floor(floor.now / 1e6), rfc1123: date.toUTCString() };
  },
  Assets: (_, query) => {
    const wanted = namesIn(query, "asset");
    const known = assetsListed().map((asset) => ({ ...currencyOf(asset), asset }));
    const chosen = wanted?.map((name) => {
      const found = known.find(({ id, altname }) => id === name || altname === name);
      if (!found) throw new RestError("EQuery:Unknown asset");
      return found;
    });
    return Object.fromEntries(
      (chosen ?? known).map(({ id, altname, asset }) => [id, assetAnswer(altname, asset)]),
    );
  },
  AssetPairs: (floor, query) =>
    Object.fromEntries(pairsIn(floor, query).map((market) => [market.id, pairAnswer(market)])),
  Ticker: async (floor, query) => {
    const tickers: Record<string, unknown> = {};
    for (const market of pairsIn(floor, query))
      tickers[market.id] = await tickerAnswer(floor, market);
    return tickers;
  },
  Depth: async (floor, query) => {
    const market = onePair(floor, query);
    const count = wholeIn(query, "count", 100, 1, depthMost);
    await floor.warm(market);
    return { [market.id]: depthAnswer(market, viewOf(floor.live(market).book, count), floor) };
  },
  Trades: (floor, query) => {
    const market = onePair(floor, query);
    const count = wholeIn(query, "count", tradesMost, 1, tradesMost);
    const since = momentIn(query);
    const history = floor.history(market);
    const trades =
      since === undefined
        ? history.latest(floor.now, count)
        : history.after(since, floor.now, count);
    const last = trades.at(-1)?.time ?? since ?? floor.now;
    return { [market.id]: trades.map((trade) => tradeAnswer(market, trade)), last: `${last}000` };
  },
  OHLC: async (floor, query) => {
    const market = onePair(floor, query);
    const interval = wholeIn(query, "interval", 1, 1, 21_600);
    if (!intervals.includes(interval)) throw new RestError("EGeneral:Invalid arguments");
    const since = wholeIn(query, "since", 0, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const seconds = interval * 60;
    // Those between `since` and now, and one before in case that nothing was traded in the first.
    const wanted = Math.ceil((floor.now / 1e6 - since) / seconds) + 2;
    const count = Math.min(candlesMost, Math.max(2, wanted));
    const candles = await floor.history(market).candles(seconds, floor.now, count);
    const answered = candles
      .filter(({ start }) => start > since)
      .map(({ start, ...summary }) => [start, ...candleAnswer(market, summary)]);
    return { [market.id]: answered, last: candles.at(-2)?.start ?? 0 };
  },
};

/** What is answered under /0/public/, by name. */
export const restAnswers: ReadonlyMap<string, Answer> = new Map(Object.entries(answers));

/** How a market's last day looks, in streams and REST answers alike. */
export async function dayOf(floor: Floor, market: Market) {
  const { now } = floor;
  const history = floor.history(market);
  const day = await history.since(now - daySeconds * 1e6, now);
  const today = await history.since(Math.floor(now / 1e6 / daySeconds) * daySeconds * 1e6, now);
  await floor.warm(market);
  const [last] = history.latest(now, 1);
  const { bids, asks } = viewOf(floor.live(market).book, 1);
  return { day, today, last, bid: bids[0], ask: asks[0] };
}

async function tickerAnswer(floor: Floor, market: Market) {
  const { day, today, last, bid, ask } = await dayOf(floor, market);
  const price = (ticks: number | undefined) =>
    digitsOf(Math.round(ticks ?? 0), market.priceDecimals);
  const size = (lots: number | undefined) => digitsOf(lots ?? 0, market.sizeDecimals);
  const both = (text: (summary: Summary) => string | number) => [text(today), text(day)];
  const best = (quote: Quote | undefined) => [price(quote?.price), "1", size(quote?.size)];
  return {
    a: best(ask),
    b: best(bid),
    c: [price(last?.price), size(last?.size)],
    v: both(({ volume }) => size(volume)),
    p: both(({ average }) => price(average)),
    t: both(({ count }) => count),
    l: both(({ low }) => price(low)),
    h: both(({ high }) => price(high)),
    o: price(today.open),
  };
}

function depthAnswer(market: Market, view: BookView, floor: Floor) {
  const time = Math.floor(floor.now / 1e6);
  const level = ({ price, size }: Quote) => [
    digitsOf(price, market.priceDecimals),
    digitsOf(size, market.sizeDecimals),
    time,
  ];
  return { asks: view.asks.map(level), bids: view.bids.map(level) };
}

function tradeAnswer(market: Market, { price, size, time, side, kind, id }: TapeTrade) {
  return [
    digitsOf(price, market.priceDecimals),
    digitsOf(size, market.sizeDecimals),
    time / 1e6,
    side === "buy" ? "b" : "s",
    kind === "market" ? "m" : "l",
    "",
    id,
  ];
}

function candleAnswer(market: Market, summary: Summary) {
  const price = (ticks: number) => digitsOf(Math.round(ticks), market.priceDecimals);
  const { open, high, low, close, average, volume, count } = summary;
  const prices = [open, high, low, close, average].map(price);
  return [...prices, digitsOf(volume, market.sizeDecimals), count];
}

function assetAnswer(altname: string, asset: Asset) {
  const isMoney = asset === "USD" || asset === "EUR";
  const [decimals, shown] = isMoney ? [4, 2] : [10, 5];
  return { aclass: "currency", altname, decimals, display_decimals: shown, status: "enabled" };
}

function pairAnswer(market: Market) {
  return {
    altname: market.altname,
    wsname: market.wsname,
    aclass_base: "currency",
    base: currencyOf(market.base).id,
    aclass_quote: "currency",
    quote: currencyOf(market.quote).id,
    lot: "unit",
    cost_decimals: 5,
    pair_decimals: market.priceDecimals,
    lot_decimals: market.sizeDecimals,
    lot_multiplier: 1,
    leverage_buy: [],
    leverage_sell: [],
    fees: takerFees,
    fees_maker: makerFees,
    fee_volume_currency: "ZUSD",
    margin_call: 80,
    margin_stop: 40,
    ordermin: smallestOrder(market),
    costmin: "0.5",
    tick_size: digitsOf(1, market.priceDecimals),
    status: "online",
  };
}

/** What is worth about half of what is usually traded at once, divided by a hundred. */
function smallestOrder({ lotsPerEpoch, tradesPerEpoch, sizeDecimals }: Market): string {
  const lots = 10 ** Math.floor(Math.log10(lotsPerEpoch / tradesPerEpoch / 100));
  return digitsOf(Math.max(1, lots), sizeDecimals);
}

/** All currencies of all markets. */
function assetsListed(): Asset[] {
  return [...new Set(markets.flatMap(({ base, quote }) => [base, quote]))];
}

function namesIn(query: Query, field: string): string[] | undefined {
  const names = query
    .get(field)
    ?.split(",")
    .map((name) => name.trim());
  return names?.some(Boolean) ? names : undefined;
}

function pairsIn(floor: Floor, query: Query): readonly Market[] {
  return (
    namesIn(query, "pair")?.map((name) => {
      const market = floor.find(name);
      if (!market) throw new RestError("EQuery:Unknown asset pair");
      return market;
    }) ?? markets
  );
}

function onePair(floor: Floor, query: Query): Market {
  if (!namesIn(query, "pair")) throw new RestError("EGeneral:Invalid arguments");
  const [market, another] = pairsIn(floor, query);
  if (!market || another) throw new RestError("EQuery:Unknown asset pair");
  return market;
}

/** A whole number, brought into its range. */
function wholeIn(query: Query, field: string, usual: number, least: number, most: number): number {
  const text = query.get(field);
  if (text === null || text === "") return usual;
  if (!/^-?\d{1,15}$/.test(text)) throw new RestError("EGeneral:Invalid arguments");
  return Math.min(most, Math.max(least, Number(text)));
}

/** A moment in seconds, with or without decimals, or in nanoseconds; as Unix microseconds. */
function momentIn(query: Query): number | undefined {
  const text = query.get("since");
  if (text === null || text === "") return undefined;
  if (!/^\d{1,20}(\.\d{1,9})?$/.test(text)) throw new RestError("EGeneral:Invalid arguments");
  if (/^\d{15,}$/.test(text)) return Number(BigInt(text) / 1_000n);
  return Math.floor(Number(text) * 1e6);
}
