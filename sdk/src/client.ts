import { messagesIn, SlipwayError } from "./errors.ts";
import type {
  BarOptions,
  Block,
  BlockListOptions,
  BlockOptions,
  CexAggregates,
  CexCandleOptions,
  CexExchange,
  CexGaps,
  CexLiquidity,
  CexMarket,
  CexOrderBook,
  CexPrice,
  CexStatus,
  CexTradeOptions,
  CexTrades,
  CreatedSubaccount,
  DexBlockchain,
  DexExchange,
  DexPool,
  DexToken,
  Health,
  NewSubaccount,
  PoolAggregates,
  PoolListOptions,
  PoolTrades,
  Subaccount,
  TokenListOptions,
  TradeOptions,
} from "./shapes.ts";

export type SlipwayOptions = {
  /** Where the service listens, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  apiKey?: string;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Query = Record<string, string | number | boolean | undefined>;

/** A typed client: one method for each endpoint, in groups named like the API's paths. */
export class Slipway {
  readonly dex: {
    exchanges(): Promise<DexExchange[]>;
    blockchains(exchange: string): Promise<DexBlockchain[]>;
    tokens(exchange: string, blockchain: string, options?: TokenListOptions): Promise<DexToken[]>;
    token(
      exchange: string,
      blockchain: string,
      token: string,
      options?: BlockOptions,
    ): Promise<DexToken>;
    pools(exchange: string, blockchain: string, options?: PoolListOptions): Promise<DexPool[]>;
    bars(
      exchange: string,
      blockchain: string,
      pool: string,
      options: BarOptions,
    ): Promise<PoolAggregates>;
    trades(
      exchange: string,
      blockchain: string,
      pool: string,
      options?: TradeOptions,
    ): Promise<PoolTrades>;
    blockchainsWithBlocks(): Promise<DexBlockchain[]>;
    blocks(blockchain: string, options?: BlockListOptions): Promise<Block[]>;
  };

  readonly cex: {
    exchanges(): Promise<CexExchange[]>;
    exchange(exchange: string): Promise<CexExchange>;
    status(exchange: string): Promise<CexStatus>;
    markets(exchange: string): Promise<CexMarket[]>;
    market(exchange: string, market: string): Promise<CexMarket>;
    price(exchange: string, market: string): Promise<CexPrice>;
    /** The newest trades first. */
    trades(exchange: string, market: string, options?: CexTradeOptions): Promise<CexTrades>;
    /** The same, and then page after page of older ones. */
    tradePages(
      exchange: string,
      market: string,
      options?: Omit<CexTradeOptions, "before">,
    ): AsyncGenerator<CexTrades, void>;
    /** `limit` is how many levels of each side: from 1 to 50,000; 200 when left out. */
    book(exchange: string, market: string, options?: { limit?: number }): Promise<CexOrderBook>;
    candles(exchange: string, market: string, options: CexCandleOptions): Promise<CexAggregates>;
    gaps(exchange: string, market: string): Promise<CexGaps>;
  };

  readonly analytics: {
    /** `depth` counts only what is within that part of the middle price: 0.02 is 2 % on each side. */
    liquidity(
      exchange: string,
      market: string,
      options?: { depth?: number },
    ): Promise<CexLiquidity>;
  };

  readonly ramp: {
    blockchains(): Promise<string[]>;
    subaccounts: {
      create(subaccount: NewSubaccount): Promise<CreatedSubaccount>;
      list(): Promise<Subaccount[]>;
      get(id: string): Promise<Subaccount>;
    };
  };

  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;

  constructor(options: SlipwayOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#apiKey = options.apiKey;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    const dex = (...parts: string[]) => pathOf("v2", "dex", ...parts);
    this.dex = {
      exchanges: () => this.#get(dex()),
      blockchains: (exchange) => this.#get(dex(exchange)),
      tokens: (exchange, blockchain, options) =>
        this.#get(dex(exchange, blockchain, "tokens"), options),
      token: (exchange, blockchain, token, options) =>
        this.#get(dex(exchange, blockchain, "token", token), options),
      pools: (exchange, blockchain, options) =>
        this.#get(dex(exchange, blockchain, "pools"), options),
      bars: (exchange, blockchain, pool, options) =>
        this.#get(dex(exchange, blockchain, "pool", pool, "aggregate"), options),
      trades: (exchange, blockchain, pool, options) =>
        this.#get(dex(exchange, blockchain, "pool", pool, "trades"), options),
      blockchainsWithBlocks: () => this.#get("/v1/blocks"),
      blocks: (blockchain, options) => this.#get(pathOf("v1", "blocks", blockchain), options),
    };
    const cex = (...parts: string[]) => pathOf("v2", "cex", ...parts);
    this.cex = {
      exchanges: () => this.#get(cex()),
      exchange: (exchange) => this.#get(cex(exchange)),
      status: (exchange) => this.#get(cex(exchange, "status")),
      markets: (exchange) => this.#get(cex(exchange, "markets")),
      market: (exchange, market) => this.#get(cex(exchange, market)),
      price: (exchange, market) => this.#get(cex(exchange, market, "currentprice")),
      trades: (exchange, market, options) => this.#get(cex(exchange, market, "trades"), options),
      tradePages: (exchange, market, options) =>
        this.#pages(cex(exchange, market, "trades"), options),
      book: (exchange, market, options) => this.#get(cex(exchange, market, "orders"), options),
      candles: (exchange, market, options) =>
        this.#get(cex(exchange, market, "aggregates"), options),
      gaps: (exchange, market) => this.#get(cex(exchange, market, "gaps")),
    };
    this.analytics = {
      liquidity: (exchange, market, options) =>
        this.#get(pathOf("v2", "analytics", "liquidity", exchange, market), options),
    };
    const subaccounts = "/v2/ramp/subaccounts";
    this.ramp = {
      blockchains: () => this.#get("/v2/ramp/blockchains"),
      subaccounts: {
        create: (subaccount) => this.#send("POST", subaccounts, subaccount),
        list: () => this.#get(subaccounts),
        get: (id) => this.#get(pathOf("v2", "ramp", "subaccounts", id)),
      },
    };
  }

  /** How the service is doing. Answers also when it is not ready. */
  async health(): Promise<Health> {
    const response = await this.#request("GET", "/health/ready");
    return (await response.json()) as Health;
  }

  #get<Result>(path: string, query: Query = {}): Promise<Result> {
    return this.#send("GET", path + queryOf(query));
  }

  /** Follows the cursor to what is older until there is nothing more. */
  async *#pages<Page>(path: string, query: Query = {}): AsyncGenerator<Page, void> {
    let after: string | undefined;
    do {
      const rest = after === undefined ? {} : { after };
      const response = await this.#request("GET", path + queryOf({ ...query, ...rest }));
      yield await resultOf<Page>(response);
      after = response.headers.get("cb-after") ?? undefined;
    } while (after !== undefined);
  }

  async #send<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    return resultOf(await this.#request(method, path, body));
  }

  #request(method: string, path: string, body?: unknown): Promise<Response> {
    return this.#fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        ...(this.#apiKey === undefined ? {} : { apiKey: this.#apiKey }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

async function resultOf<Result>(response: Response): Promise<Result> {
  const answer: unknown =
    response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok) {
    const requestId = response.headers.get("x-request-id") ?? undefined;
    throw new SlipwayError(response.status, messagesIn(answer), requestId);
  }
  return answer as Result;
}

function pathOf(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

function queryOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}
