import type { CexCandle, CexPrice } from "@slipway/sdk";
import type { LiveMarkets } from "../cex/live/live-markets.ts";
import type { ListedMarket } from "../cex/market.ts";
import { readCandles } from "../cex/store/read-candles.ts";
import type { Queryable } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { CallerError, UnavailableError } from "../lib/errors.ts";
import type { Bar, BarQuery, Charted, Feed, FoundSymbol, Quote } from "./feed.ts";
import { decimalsFor, infoOf } from "./feed.ts";
import { cexResolutions, cexTimeframe } from "./resolutions.ts";

type Context = { db: Queryable; clock: Clock; live: LiveMarkets };

/** Where markets trade seldom, so many times the usual span is looked through for the bars that are asked for. */
const reaches = [1, 4, 16];
const daySeconds = 86_400;

/** Markets of centralized exchanges, such as `KRAKEN:BTC-USD`. */
export function cexFeed(context: Context): Feed {
  const { live } = context;

  async function exchanges() {
    const value = await orNone(async () => (await live.exchanges()).value);
    return value.map(({ id, name }) => ({ value: id.toUpperCase(), name }));
  }

  const marketsOf = (exchange: string) =>
    orNone(async () => (await live.markets(exchange.toLowerCase())).value);

  return {
    exchanges,
    async find(symbol) {
      const colon = symbol.indexOf(":");
      if (colon < 0) {
        throw new CallerError(
          "not_found",
          "A symbol has an exchange: KRAKEN:BTC-USD, for example.",
        );
      }
      const exchange = symbol.slice(0, colon).toLowerCase();
      const { value } = await live.market(exchange, symbol.slice(colon + 1));
      return chartedMarket(context, value);
    },
    async search({ text, exchange, limit }) {
      const all = exchange ? [exchange] : (await exchanges()).map(({ value }) => value);
      const markets = (await Promise.all(all.map(marketsOf))).flat();
      const wanted = lettersOf(text);
      return markets
        .map((market) => ({ market, rank: rankOf(market, wanted) }))
        .filter(({ rank }) => rank > 0)
        .sort((one, other) => other.rank - one.rank)
        .slice(0, limit)
        .map(({ market }) => foundMarket(market));
    },
  };
}

/** Who does not answer, or is not there, has nothing just now. */
async function orNone<Item>(list: () => Promise<Item[]>): Promise<Item[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof CallerError) return [];
    throw error;
  }
}

function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/** The whole name before its beginning before any part of it; 0 when it has nothing to do with the text. */
function rankOf({ id, base, active }: ListedMarket, wanted: string): number {
  const name = lettersOf(id);
  const closeness =
    name === wanted || base.toUpperCase() === wanted
      ? 3
      : name.startsWith(wanted)
        ? 2
        : name.includes(wanted)
          ? 1
          : 0;
  return closeness === 0 ? 0 : closeness + (active ? 0.5 : 0);
}

function foundMarket({ exchange, id, symbol }: ListedMarket): FoundSymbol {
  const place = exchange.toUpperCase();
  const ticker = `${place}:${id}`;
  const description = `${symbol} on ${exchange}`;
  return { symbol: id, full_name: ticker, description, exchange: place, ticker, type: "crypto" };
}

async function chartedMarket(context: Context, market: ListedMarket): Promise<Charted> {
  const { live } = context;
  const { exchange, id, quote, priceDecimals, sizeDecimals } = market;
  const { symbol, ticker, description, exchange: place } = foundMarket(market);
  const decimals = priceDecimals ?? decimalsFor(await lastClose(context, market));
  return {
    info: infoOf({
      ...{ name: symbol, ticker, description, exchange: place, currency: quote },
      priceDecimals: decimals,
      sizeDecimals: sizeDecimals ?? 8,
      resolutions: cexResolutions,
    }),
    bars: (query) => barsOf(context, market, query),
    async quote(): Promise<Quote> {
      const [price, book] = await Promise.all([live.price(exchange, id), live.book(exchange, id)]);
      const { price: last } = JSON.parse(String(price.value.plain)) as CexPrice;
      const { bids, asks } = book.value.levels;
      return {
        last,
        ...(bids.best === undefined ? {} : { bid: bids.best }),
        ...(asks.best === undefined ? {} : { ask: asks.best }),
      };
    },
  };
}

/** Asks the exchange for what the tables lack, and reads on until there are as many as were asked for, or no more. */
async function barsOf(context: Context, market: ListedMarket, query: BarQuery): Promise<Bar[]> {
  const { live, clock } = context;
  const found = cexTimeframe(query.resolution);
  if (!found) throw unknownResolution(query.resolution, cexResolutions);
  const { timeframe, seconds } = found;
  const end = Math.min(query.before, Math.ceil(clock.now() / 1_000));
  const isOfThePast = query.before * 1_000 < clock.now();
  let bars: Bar[] = [];
  for (const reach of reaches) {
    const from = Math.max(query.from, end - reach * query.count * seconds, 0);
    const candles = { timeframe, from: from * 1_000 };
    await live.history(market.exchange, market.id, { isOfThePast, candles });
    bars = await readBars(context, market, { ...query, seconds });
    if (bars.length >= query.count || from <= query.from) break;
  }
  return bars;
}

async function readBars(
  { db, clock }: Context,
  { exchange, id }: ListedMarket,
  { seconds, before, from, count }: BarQuery & { seconds: number },
): Promise<Bar[]> {
  const page = await readCandles(db, {
    ...{ exchange, market: id, seconds, limit: count, direction: "asc", isFilled: false },
    from: from * 1_000,
    after: before * 1_000,
    now: clock.now(),
  });
  const pieces: string[] = [];
  for await (const piece of page.chunks) pieces.push(piece);
  const candles = JSON.parse(`[${pieces.join(",")}]`) as CexCandle[];
  return candles.map(({ timestamp, o, h, l, c, volume }) => ({
    ...{ time: Number(timestamp) / 1_000, open: o, high: h, low: l, close: c, volume },
  }));
}

async function lastClose(context: Context, market: ListedMarket): Promise<number | undefined> {
  const before = Math.ceil(context.clock.now() / 1_000) + daySeconds;
  const query = { resolution: "1D", before, from: 0, count: 1, seconds: daySeconds };
  return (await readBars(context, market, query))[0]?.close;
}

/** Says which resolutions there are. */
export function unknownResolution(resolution: string, known: readonly string[]): CallerError {
  const rule = `resolution must be one of ${known.join(", ")}`;
  return new CallerError("bad_request", resolution ? rule : `Required field is missing: ${rule}`);
}
