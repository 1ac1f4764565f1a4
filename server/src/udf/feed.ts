/** What a chart is told of a span of time. */
export type Bar = {
  /** When it starts, in Unix seconds. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

/** Which bars: the newest that start before a moment, and not before another. Moments are Unix seconds. */
export type BarQuery = {
  resolution: string;
  before: number;
  from: number;
  count: number;
};

/** What the protocol tells of a symbol. */
export type SymbolInfo = {
  name: string;
  ticker: string;
  description: string;
  type: "crypto";
  exchange: string;
  listed_exchange: string;
  session: "24x7";
  timezone: "Etc/UTC";
  minmov: 1;
  pricescale: number;
  format: "price";
  has_intraday: true;
  has_daily: true;
  has_weekly_and_monthly: false;
  intraday_multipliers: string[];
  supported_resolutions: string[];
  volume_precision: number;
  data_status: "streaming";
  currency_code: string;
};

/** A symbol as a search finds it. */
export type FoundSymbol = {
  symbol: string;
  full_name: string;
  description: string;
  exchange: string;
  ticker: string;
  type: "crypto";
};

/** The last price of a symbol, and how it came about. */
export type Quote = { last: number; bid?: number; ask?: number };

/** Something that can be charted: a market of an exchange, or a pool. */
export type Charted = {
  info: SymbolInfo;
  /** Oldest first. */
  bars(query: BarQuery): Promise<Bar[]>;
  /** Nothing: it is the close of the newest bar. */
  quote?(): Promise<Quote>;
};

/** One of the two sides: centralized exchanges, or decentralized ones. */
export type Feed = {
  /** Which exchanges there are, by the names that symbols begin with. */
  exchanges(): Promise<{ value: string; name: string }[]>;
  /** Finds what a symbol names; nothing when it is a symbol of the other side. */
  find(symbol: string): Promise<Charted | undefined>;
  /** Symbols of an exchange, or of all, that have something to do with a text; at most so many. */
  search(query: { text: string; exchange: string; limit: number }): Promise<FoundSymbol[]>;
};

const common = {
  type: "crypto",
  session: "24x7",
  timezone: "Etc/UTC",
  minmov: 1,
  format: "price",
  has_intraday: true,
  has_daily: true,
  has_weekly_and_monthly: false,
  data_status: "streaming",
} as const;

type Named = {
  name: string;
  ticker: string;
  description: string;
  exchange: string;
  priceDecimals: number;
  sizeDecimals: number;
  resolutions: readonly string[];
  currency: string;
};

/** What is told of a symbol, of which everything else is the same for all. */
export function infoOf(named: Named): SymbolInfo {
  const { name, ticker, description, exchange, priceDecimals, sizeDecimals } = named;
  return {
    ...common,
    name,
    ticker,
    description,
    exchange,
    listed_exchange: exchange,
    pricescale: 10 ** priceDecimals,
    volume_precision: sizeDecimals,
    intraday_multipliers: named.resolutions.filter((resolution) => resolution !== "1D"),
    supported_resolutions: [...named.resolutions],
    currency_code: named.currency,
  };
}

const significantDigits = 6;
const decimalsMost = 16;

/** As many digits after the point as show six that matter. */
export function decimalsFor(price: number | undefined): number {
  if (price === undefined || !(price > 0)) return 2;
  const beforePoint = Math.floor(Math.log10(price)) + 1;
  return Math.min(Math.max(significantDigits - beforePoint, 2), decimalsMost);
}

/** Where the newest bar before a moment starts. */
export async function newestBefore(
  charted: Charted,
  resolution: string,
  before: number,
): Promise<number | undefined> {
  const [bar] = await charted.bars({ resolution, before, from: 0, count: 1 });
  return bar?.time;
}
