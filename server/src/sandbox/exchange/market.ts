import { hashOf } from "../chain/market/chance.ts";
import { type Asset, movements } from "../chain/market/fair-price.ts";

/** A pair that is traded on the sandbox exchange. */
export type Market = {
  /** As streams call it: BTC/USD. */
  symbol: string;
  /** As REST answers call it: XXBTZUSD. */
  id: string;
  /** As people call it: XBTUSD. */
  altname: string;
  /** As the first version of the streams called it: XBT/USD. */
  wsname: string;
  base: Asset;
  quote: Asset;
  /** Prices are whole numbers of ticks of 10^-priceDecimals, sizes of lots of 10^-sizeDecimals. */
  priceDecimals: number;
  sizeDecimals: number;
  /** How far the best prices are from the fair one, as a part of it. */
  halfSpread: number;
  tradesPerEpoch: number;
  /** What changes hands in an epoch on average, in lots. */
  lotsPerEpoch: number;
  changesPerSecond: number;
  /** How many prices have orders on each side, about. */
  levels: number;
  /** How many ticks lie between two of them, away from the best price. */
  ticksBetween: number;
  /** What its chance is drawn from, besides the seed. */
  chance: number;
};

/** How lively a market is. */
type Liveliness = {
  tradesPerEpoch: number;
  dollarsPerEpoch: number;
  changesPerSecond: number;
  levels: number;
  halfSpread: number;
};

/** The old currencies have ids with a letter in front: X for a coin, Z for money. */
const idOf: Partial<Record<Asset, { id: string; altname: string }>> = {
  BTC: { id: "XXBT", altname: "XBT" },
  ETH: { id: "XETH", altname: "ETH" },
  XRP: { id: "XXRP", altname: "XRP" },
  LTC: { id: "XLTC", altname: "LTC" },
  ETC: { id: "XETC", altname: "ETC" },
  XLM: { id: "XXLM", altname: "XLM" },
  DOGE: { id: "XXDG", altname: "XDG" },
  USD: { id: "ZUSD", altname: "USD" },
  EUR: { id: "ZEUR", altname: "EUR" },
};

const major: Liveliness = {
  tradesPerEpoch: 540,
  dollarsPerEpoch: 2_500_000,
  changesPerSecond: 8,
  levels: 360,
  halfSpread: 0.000_02,
};
const minor: Liveliness = {
  tradesPerEpoch: 120,
  dollarsPerEpoch: 60_000,
  changesPerSecond: 6,
  levels: 150,
  halfSpread: 0.000_3,
};
/** Some of its minutes pass without a trade. */
const quiet: Liveliness = {
  tradesPerEpoch: 18,
  dollarsPerEpoch: 1_500,
  changesPerSecond: 6,
  levels: 60,
  halfSpread: 0.002,
};

const majors = new Set(["BTC/USD", "ETH/USD", "ETH/BTC", "SOL/USD", "USDC/USD"]);
const quietAssets = new Set<Asset>(["KELP", "BARNACLE"]);

/** Where the real exchange has fewer digits than a price of that height has elsewhere. */
const knownPriceDecimals: Record<string, number> = {
  "BTC/USD": 1,
  "BTC/EUR": 1,
  "BTC/USDC": 1,
  "BTC/USDT": 1,
  "SOL/USD": 2,
  "SOL/EUR": 2,
  "ETH/BTC": 5,
  "USDC/USD": 4,
  "USDT/USD": 4,
  "DAI/USD": 4,
  "EUR/USD": 5,
};

const listed: [quote: Asset, bases: Asset[]][] = [
  ["USD", ["BTC", "ETH", "SOL", "USDC"]],
  ["BTC", ["ETH", "SOL", "XRP", "ADA", "LTC", "LINK", "DOT", "BCH"]],
  ["USD", ["XRP", "ADA", "DOGE", "LTC", "BCH", "ETC", "XLM", "DOT", "AVAX", "ATOM", "LINK"]],
  ["USD", ["UNI", "AAVE", "ALGO", "FIL", "NEAR", "MKR", "USDT", "DAI", "EUR"]],
  ["USD", ["KELP", "BARNACLE"]],
  ["EUR", ["BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "LTC", "BCH", "XLM", "DOT", "AVAX", "ATOM"]],
  ["EUR", ["LINK", "UNI", "AAVE", "USDC", "USDT"]],
  ["USDC", ["BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "LINK", "AVAX"]],
  ["USDT", ["BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "LTC", "DOT", "USDC"]],
  ["ETH", ["SOL", "LINK", "UNI", "AAVE"]],
];

/** Every market of the sandbox exchange, the most traded first. */
export const markets: readonly Market[] = listed
  .flatMap(([quote, bases]) => bases.map((base) => marketOf(base, quote)))
  .sort((one, other) => Number(majors.has(other.symbol)) - Number(majors.has(one.symbol)));

/** What REST answers call a currency, and what people do. */
export function currencyOf(asset: Asset): { id: string; altname: string } {
  return idOf[asset] ?? { id: asset, altname: asset };
}

function marketOf(base: Asset, quote: Asset): Market {
  const symbol = `${base}/${quote}`;
  const price = movements[base].usd / movements[quote].usd;
  const life = livelinessOf(symbol, base);
  const priceDecimals = knownPriceDecimals[symbol] ?? 5 - Math.floor(Math.log10(price));
  // What costs little is traded in such numbers that a week's volume would not fit with more digits.
  const sizeDecimals = movements[base].usd < 1.5 ? 5 : 8;
  const tick = 10 ** -priceDecimals;
  return {
    symbol,
    ...namesOf(base, quote),
    base,
    quote,
    priceDecimals,
    sizeDecimals,
    halfSpread: Math.max(life.halfSpread, (0.5 * tick) / price),
    tradesPerEpoch: life.tradesPerEpoch,
    lotsPerEpoch: (life.dollarsPerEpoch / movements[base].usd) * 10 ** sizeDecimals,
    changesPerSecond: life.changesPerSecond,
    levels: life.levels,
    ticksBetween: Math.max(1, Math.round((price * 0.000_1) / tick)),
    chance: hashOf(...Buffer.from(symbol)),
  };
}

function livelinessOf(symbol: string, base: Asset): Liveliness {
  if (majors.has(symbol)) return major;
  return quietAssets.has(base) ? quiet : minor;
}

function namesOf(base: Asset, quote: Asset): Pick<Market, "id" | "altname" | "wsname"> {
  const [left, right] = [currencyOf(base), currencyOf(quote)];
  const altname = `${left.altname}${right.altname}`;
  const areOld = idOf[base] && idOf[quote] && base !== "DOGE" && base !== "EUR";
  return {
    id: areOld ? `${left.id}${right.id}` : altname,
    altname,
    wsname: `${left.altname}/${right.altname}`,
  };
}
