import { messagesIn, SlipwayError } from "./errors.ts";
import type {
  BarOptions,
  Block,
  BlockListOptions,
  BlockOptions,
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

  async #send<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await this.#request(method, path, body);
    const answer: unknown =
      response.status === 204 ? undefined : await response.json().catch(() => undefined);
    if (!response.ok) {
      const requestId = response.headers.get("x-request-id") ?? undefined;
      throw new SlipwayError(response.status, messagesIn(answer), requestId);
    }
    return answer as Result;
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
