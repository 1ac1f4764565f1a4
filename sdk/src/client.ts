import { type OperatorClient, operatorClient } from "./operator-client.ts";
import { type RampClient, rampClient } from "./ramp-client.ts";
import { type SandboxClient, sandboxClient } from "./sandbox-client.ts";
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
  DexBlockchain,
  DexExchange,
  DexPool,
  DexToken,
  Health,
  PoolAggregates,
  PoolListOptions,
  PoolTrades,
  TokenListOptions,
  TradeOptions,
} from "./shapes.ts";
import { openTransport, pathOf, type SlipwayOptions, type Transport } from "./transport.ts";

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

  readonly ramp: RampClient;
  /** What operators see and decide; the key needs the scope `operator`. */
  readonly operator: OperatorClient;
  /** What there is in sandbox mode only. */
  readonly sandbox: SandboxClient;

  readonly #transport: Transport;

  constructor(options: SlipwayOptions) {
    const transport = openTransport(options);
    const { get, pages } = transport;
    this.#transport = transport;
    const dex = (...parts: string[]) => pathOf("v2", "dex", ...parts);
    this.dex = {
      exchanges: () => get(dex()),
      blockchains: (exchange) => get(dex(exchange)),
      tokens: (exchange, blockchain, options) => get(dex(exchange, blockchain, "tokens"), options),
      token: (exchange, blockchain, token, options) =>
        get(dex(exchange, blockchain, "token", token), options),
      pools: (exchange, blockchain, options) => get(dex(exchange, blockchain, "pools"), options),
      bars: (exchange, blockchain, pool, options) =>
        get(dex(exchange, blockchain, "pool", pool, "aggregate"), options),
      trades: (exchange, blockchain, pool, options) =>
        get(dex(exchange, blockchain, "pool", pool, "trades"), options),
      blockchainsWithBlocks: () => get("/v1/blocks"),
      blocks: (blockchain, options) => get(pathOf("v1", "blocks", blockchain), options),
    };
    const cex = (...parts: string[]) => pathOf("v2", "cex", ...parts);
    this.cex = {
      exchanges: () => get(cex()),
      exchange: (exchange) => get(cex(exchange)),
      status: (exchange) => get(cex(exchange, "status")),
      markets: (exchange) => get(cex(exchange, "markets")),
      market: (exchange, market) => get(cex(exchange, market)),
      price: (exchange, market) => get(cex(exchange, market, "currentprice")),
      trades: (exchange, market, options) => get(cex(exchange, market, "trades"), options),
      tradePages: (exchange, market, options) => pages(cex(exchange, market, "trades"), options),
      book: (exchange, market, options) => get(cex(exchange, market, "orders"), options),
      candles: (exchange, market, options) => get(cex(exchange, market, "aggregates"), options),
      gaps: (exchange, market) => get(cex(exchange, market, "gaps")),
    };
    this.analytics = {
      liquidity: (exchange, market, options) =>
        get(pathOf("v2", "analytics", "liquidity", exchange, market), options),
    };
    this.ramp = rampClient(transport);
    this.operator = operatorClient(transport);
    this.sandbox = sandboxClient(transport);
  }

  /** How the service is doing. Answers also when it is not ready. */
  async health(): Promise<Health> {
    const response = await this.#transport.request("GET", "/health/ready");
    return (await response.json()) as Health;
  }
}
