import { bySkip, itself, type Listing, listing } from "./listing.ts";
import type {
  BarOptions,
  Block,
  BlockListOptions,
  BlockOptions,
  DexBlockchain,
  DexExchange,
  DexPool,
  DexToken,
  PoolAggregates,
  PoolBar,
  PoolBurn,
  PoolListOptions,
  PoolMint,
  PoolSwap,
  PoolTrades,
  TokenListOptions,
  TradeOptions,
} from "./shapes.ts";
import { type CallOptions, pathOf, type Transport } from "./transport.ts";

/** A trade of any kind, as walking through them gives it. */
export type PoolTrade =
  | ({ kind: "swap" } & PoolSwap)
  | ({ kind: "mint" } & PoolMint)
  | ({ kind: "burn" } & PoolBurn);

/** Decentralized exchanges, and the blocks of their blockchains. */
export type DexClient = {
  exchanges(options?: CallOptions): Promise<DexExchange[]>;
  blockchains(exchange: string, options?: CallOptions): Promise<DexBlockchain[]>;
  tokens(
    exchange: string,
    blockchain: string,
    options?: TokenListOptions & CallOptions,
  ): Listing<DexToken[], DexToken>;
  token(
    exchange: string,
    blockchain: string,
    token: string,
    options?: BlockOptions & CallOptions,
  ): Promise<DexToken>;
  pools(
    exchange: string,
    blockchain: string,
    options?: PoolListOptions & CallOptions,
  ): Listing<DexPool[], DexPool>;
  bars(
    exchange: string,
    blockchain: string,
    pool: string,
    options: BarOptions & CallOptions,
  ): Listing<PoolAggregates, PoolBar>;
  /** Walking through them gives swaps, mints and burns of one page after the other. */
  trades(
    exchange: string,
    blockchain: string,
    pool: string,
    options?: TradeOptions & CallOptions,
  ): Listing<PoolTrades, PoolTrade>;
  blockchainsWithBlocks(options?: CallOptions): Promise<DexBlockchain[]>;
  blocks(blockchain: string, options?: BlockListOptions & CallOptions): Listing<Block[], Block>;
};

/** Makes the client's side of the decentralized exchanges. */
export function dexClient(transport: Transport): DexClient {
  const { get } = transport;
  const dex = (...parts: string[]) => pathOf("v2", "dex", ...parts);
  return {
    exchanges: (options) => get(dex(), options),
    blockchains: (exchange, options) => get(dex(exchange), options),
    tokens: (exchange, blockchain, options) =>
      listing(transport, dex(exchange, blockchain, "tokens"), options, bySkip(itself, idOf)),
    token: (exchange, blockchain, token, options) =>
      get(dex(exchange, blockchain, "token", token), options),
    pools: (exchange, blockchain, options) =>
      listing(transport, dex(exchange, blockchain, "pools"), options, bySkip(itself, idOf)),
    bars: (exchange, blockchain, pool, options) =>
      listing(
        transport,
        dex(exchange, blockchain, "pool", pool, "aggregate"),
        options,
        bySkip(({ poolAggregates }) => poolAggregates, idOf),
      ),
    trades: (exchange, blockchain, pool, options) =>
      listing(
        transport,
        dex(exchange, blockchain, "pool", pool, "trades"),
        options,
        bySkip(tradesOf, idOf, longestOf),
      ),
    blockchainsWithBlocks: (options) => get(pathOf("v2", "blocks"), options),
    blocks: (blockchain, options) =>
      listing(
        transport,
        pathOf("v2", "blocks", blockchain),
        options,
        bySkip(itself, ({ number }) => number),
      ),
  };
}

function idOf({ id }: { id: string }): string {
  return id;
}

function tradesOf({ swaps = [], mints = [], burns = [] }: PoolTrades): PoolTrade[] {
  return [
    ...swaps.map((swap) => ({ kind: "swap" as const, ...swap })),
    ...mints.map((mint) => ({ kind: "mint" as const, ...mint })),
    ...burns.map((burn) => ({ kind: "burn" as const, ...burn })),
  ];
}

/** A page has so many of each kind. */
function longestOf({ swaps = [], mints = [], burns = [] }: PoolTrades): number {
  return Math.max(swaps.length, mints.length, burns.length);
}
