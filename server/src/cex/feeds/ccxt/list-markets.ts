import { isObject } from "../../../lib/is-object.ts";
import type { Log } from "../../../lib/log.ts";
import type { ListedMarket } from "../../market.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";
import { decimalsOf, readNumber } from "./figures.ts";

/** Numbers that ccxt gives to the ways in which an exchange tells its precision. */
const decimalPlaces = 2;
const tickSize = 4;

/** A market as ccxt gives it, of which we know that it can be named. */
type Candidate = Record<string, unknown> & {
  id: string;
  symbol: string;
  base: string;
  quote: string;
};

/** Asks an exchange for its markets. Of those that would have the same id, only one is left. */
export async function listMarkets(exchange: CcxtExchange, log: Log): Promise<ListedMarket[]> {
  await exchange.loadMarkets(true);
  const { markets } = exchange;
  const found = Object.values(isObject(markets) ? markets : {}).filter(isCandidate);
  const withoutFees = found.filter(({ taker, maker }) => !areNumbers(taker, maker));
  if (withoutFees.length > 0) {
    const markets = withoutFees.length;
    log.info({ exchange: exchange.id, markets }, "some markets come without fees: we say 0");
  }
  return found.map((market) => toListed(market, exchange));
}

/** Makes an exchange forget all but one of the markets with the same id, before it gives them to anybody. */
export function keepMarketsApart(exchange: CcxtExchange): void {
  const fetchMarkets = exchange.fetchMarkets.bind(exchange);
  exchange.fetchMarkets = async (query) => withoutClashes(await fetchMarkets(query));
}

/** Among markets with the same id the active one stays, then the one whose native id has no suffix. */
function withoutClashes(markets: unknown): Candidate[] {
  const kept = new Map<string, Candidate>();
  for (const market of [markets].flat().filter(isCandidate)) {
    const id = idOf(market);
    const other = kept.get(id);
    if (!other || isBetter(market, other)) kept.set(id, market);
  }
  return [...kept.values()];
}

function isBetter(one: Candidate, other: Candidate): boolean {
  if (isActive(one) !== isActive(other)) return isActive(one);
  if (one.id.includes(".") !== other.id.includes(".")) return other.id.includes(".");
  return one.id.length < other.id.length;
}

/** `BTC-USD`; what tells contracts apart stays: `BTC-USDT:USDT-270326`. */
function idOf({ symbol, base, quote }: Candidate): string {
  const colon = symbol.indexOf(":");
  return `${base}-${quote}${colon < 0 ? "" : symbol.slice(colon)}`.toUpperCase();
}

function toListed(market: Candidate, { id: exchange, precisionMode }: CcxtExchange): ListedMarket {
  const { symbol, base, quote, taker, maker, percentage, type, precision } = market;
  const decimals = (of: "price" | "amount") =>
    isObject(precision) ? readDecimals(precision[of], precisionMode) : null;
  return {
    exchange,
    symbol,
    id: idOf(market),
    active: isActive(market),
    base,
    quote,
    percentage: percentage !== false,
    taker: readNumber(taker) ?? 0,
    maker: readNumber(maker) ?? 0,
    type: typeof type === "string" ? type : "spot",
    nativeId: market.id,
    priceDecimals: decimals("price"),
    sizeDecimals: decimals("amount"),
  };
}

/** Significant digits say nothing about digits after the point. */
function readDecimals(value: unknown, precisionMode: number): number | null {
  const precision = readNumber(value);
  if (precision === undefined) return null;
  if (precisionMode === tickSize) return precision > 0 ? decimalsOf(precision) : null;
  const isCount = precisionMode === decimalPlaces && Number.isInteger(precision) && precision >= 0;
  return isCount ? precision : null;
}

/** Whoever does not say that a market is closed means that it is open. */
function isActive({ active }: Candidate): boolean {
  return active !== false;
}

function areNumbers(...values: unknown[]): boolean {
  return values.every((value) => readNumber(value) !== undefined);
}

function isCandidate(market: unknown): market is Candidate {
  if (!isObject(market)) return false;
  const { id, symbol, base, quote } = market;
  return [id, symbol, base, quote].every((name) => typeof name === "string" && name !== "");
}
