import { assert, OperatorError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { ConfiguredExchange } from "../../configured.ts";
import { type Constructor, exchangeClass } from "./ccxt-package.ts";
import { canonicalId } from "./exchange-ids.ts";
import { mapTexts, reroute } from "./reroute.ts";

type Query = Record<string, unknown>;

/** What we use of ccxt's exchanges. Whatever comes from an exchange is unknown until it has been looked at. */
export type CcxtExchange = {
  readonly id: string;
  readonly name: string;
  readonly countries: unknown;
  readonly timeframes: unknown;
  readonly features: unknown;
  readonly precisionMode: number;
  readonly rateLimit: number;
  readonly markets: unknown;
  readonly hostname: string | undefined;
  readonly has: Record<string, unknown>;
  readonly urls: Record<string, unknown>;
  /** What figures become: numbers or text. */
  number: (text: string) => unknown;

  loadHttpProxyAgent(): Promise<unknown>;
  loadMarkets(reload?: boolean): Promise<unknown>;
  fetchMarkets(query?: Query): Promise<unknown>;
  market(symbol: string): unknown;
  fetchStatus(): Promise<unknown>;
  fetchTime(): Promise<unknown>;
  fetchTicker(symbol: string): Promise<unknown>;
  fetchTickers(symbols: string[]): Promise<unknown>;
  fetchOrderBook(symbol: string, limit?: number): Promise<unknown>;
  fetchTrades(symbol: string, since?: number, limit?: number, query?: Query): Promise<unknown>;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit?: number): Promise<unknown>;
  parseTrades(trades: unknown, market: unknown): unknown;
  /** Endpoints that some exchanges have. */
  publicGetTrades(query: Query): Promise<unknown>;
  publicGetAggTrades(query: Query): Promise<unknown>;

  watchOrderBook(symbol: string, limit?: number): Promise<unknown>;
  watchTrades(symbol: string): Promise<unknown>;
  unWatchOrderBook(symbol: string): Promise<unknown>;
  unWatchTrades(symbol: string): Promise<unknown>;
  /** What it keeps of the markets that are watched, by symbol, and its connections by URL. */
  readonly orderbooks: Record<string, unknown>;
  readonly trades: Record<string, unknown>;
  readonly clients: Record<string, unknown>;
  handleMessage(connection: unknown, message: unknown): unknown;
  /** Writes to the console, if it may. */
  log: () => void;
  close(): Promise<unknown>;

  /** Waits until the rate limit lets a call pass that weighs so much. */
  throttle(cost: number): Promise<unknown>;
  fetch(url: string, ...rest: unknown[]): Promise<unknown>;
  /** Every answer over HTTP comes through here. */
  handleRestResponse(response: unknown, ...rest: unknown[]): Promise<unknown>;
  getResponseHeaders(response: unknown): Record<string, unknown>;
  safeTrade(...rest: unknown[]): unknown;
  parseOHLCV(...rest: unknown[]): unknown;
  client(url: string): unknown;
  watch(url: string, ...rest: unknown[]): unknown;
  watchMultiple(url: string, ...rest: unknown[]): unknown;
};

const timeoutMs = 10_000;
/** The sandbox is ours: it need not be spared as the real one must be. */
const sandboxRateLimitMs = 20;

/** What single exchanges have to be told. */
const optionsOf: Record<string, Record<string, unknown>> = {
  // Its futures are exchanges of their own, binanceusdm and binancecoinm: here they would only cost time.
  binance: { fetchMarkets: { types: ["spot"] } },
  // Where single trades cannot be asked for, both the stream and the questions speak of bundles of them.
  binanceus: { watchTrades: { name: "aggTrade" } },
  binanceusdm: { watchTrades: { name: "aggTrade" } },
  binancecoinm: { watchTrades: { name: "aggTrade" } },
  // By default it lists single orders instead of prices.
  bitfinex: { fetchOrderBook: { precision: "P0" } },
};

/** Where the id of a trade is that both answers and streams have, when ccxt's differ. */
const idFields: Record<string, string> = { kucoin: "sequence", kucoinfutures: "sequence" };

/** Loads ccxt's class of an exchange, only that, and prepares it. Nothing is asked of the exchange. */
export async function loadExchange({
  id,
  baseUrl,
  isSandbox,
}: Omit<ConfiguredExchange, "markets">): Promise<CcxtExchange> {
  const known = canonicalId(id);
  if (known === undefined) throw new OperatorError(`There is no exchange "${id}" to be had.`);
  const exchange = prepareExchange(await exchangeClass(known), known, isSandbox);
  if (baseUrl !== undefined) {
    rerouteAll(exchange, baseUrl);
    // Without it, ccxt refuses a stream that is not encrypted.
    await exchange.loadHttpProxyAgent();
  }
  return exchange;
}

/** Makes an exchange of its class, in the way we want it. */
function prepareExchange(Exchange: Constructor, id: string, isSandbox: boolean): CcxtExchange {
  const exchange = new Exchange({
    enableRateLimit: true,
    ...(isSandbox && { rateLimit: sandboxRateLimitMs }),
    enableLastHttpResponse: false,
    timeout: timeoutMs,
    options: { ...optionsOf[id], newUpdates: true, tradesLimit: 1_000 },
  });
  assert(isExchange(exchange), `ccxt's ${id} is an exchange`);
  exchange.log = () => {};
  // Nobody here needs currencies, and some exchanges want a key for them.
  exchange.has.fetchCurrencies = false;
  keepDigits(exchange);
  const idField = idFields[id];
  if (idField) unifyIds(exchange, idField);
  // It names the maker's side, as its stream does, and ccxt passes that on.
  if (id === "coinbase") turnSides(exchange);
  forgiveFailures(exchange);
  return exchange;
}

/** Sends every URL of an exchange through `base`, also those that it only tells later. */
function rerouteAll(exchange: CcxtExchange, base: string): void {
  const { urls, hostname } = exchange;
  const through = (url: string) =>
    reroute(hostname ? url.replaceAll("{hostname}", hostname) : url, base);
  urls.api = mapTexts(urls.api, through);
  for (const name of ["fetch", "watch", "watchMultiple", "client"] as const) {
    const original = exchange[name].bind(exchange);
    Reflect.set(exchange, name, (url: string, ...rest: unknown[]) =>
      original(through(url), ...rest),
    );
  }
}

/** The URL at a dotted path of `urls.api`, such as `ws.public`. */
export function urlAt({ urls, hostname }: CcxtExchange, path: string): string {
  let found: unknown = urls.api;
  for (const name of path.split(".")) found = isObject(found) ? found[name] : undefined;
  assert(typeof found === "string", `there is a URL at ${path}`);
  return hostname ? found.replaceAll("{hostname}", hostname) : found;
}

/** Figures of trades and candles stay text, so that no digit is lost; those of books are numbers. */
function keepDigits(exchange: CcxtExchange): void {
  for (const name of ["safeTrade", "parseOHLCV"] as const) {
    const original = exchange[name].bind(exchange);
    exchange[name] = (...rest) => {
      const usual = exchange.number;
      exchange.number = String;
      try {
        return original(...rest);
      } finally {
        exchange.number = usual;
      }
    };
  }
}

/** Trades go by the same name, whether they were asked for or streamed. */
function unifyIds(exchange: CcxtExchange, field: string): void {
  const safeTrade = exchange.safeTrade.bind(exchange);
  exchange.safeTrade = (trade, ...rest) => {
    if (!isObject(trade) || !isObject(trade.info)) return safeTrade(trade, ...rest);
    const id = trade.info[field];
    return safeTrade(id === undefined ? trade : { ...trade, id: String(id) }, ...rest);
  };
}

/** Turns the side of the order that was taken into that of the one who took it. */
function turnSides(exchange: CcxtExchange): void {
  const safeTrade = exchange.safeTrade.bind(exchange);
  exchange.safeTrade = (trade, ...rest) => {
    const side = isObject(trade) ? otherSides.get(trade.side) : undefined;
    return safeTrade(isObject(trade) && side ? { ...trade, side } : trade, ...rest);
  };
}

const otherSides = new Map<unknown, string>([
  ["buy", "sell"],
  ["sell", "buy"],
]);

/** ccxt remembers for ever that markets could not be loaded once; this lets it try again. */
function forgiveFailures(exchange: CcxtExchange): void {
  const loadMarkets = exchange.loadMarkets.bind(exchange);
  exchange.loadMarkets = async (reload) =>
    reload || !exchange.markets ? loadMarkets(true) : exchange.markets;
}

function isExchange(value: object): value is CcxtExchange {
  const functions = ["loadMarkets", "fetchMarkets", "fetchTrades", "fetch", "watch", "client"];
  return functions.every((name) => typeof Reflect.get(value, name) === "function");
}
