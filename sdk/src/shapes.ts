/** Every shape the API promises. The server's schemas are checked against these by the compiler. */

/** `usr-` and digits. */
export type UserId = string;

/** The body of every error except a data endpoint's 401. `code` is the HTTP status. */
export type ErrorBody = { errors: { message: string }[]; code: number };

/** The body of a 401 from a data endpoint, spelled as the specification spells it. */
export type UnauthorizedBody = { Unauthorized: "Invaild API Key" };

/** An account below a master account. */
export type Subaccount = {
  id: UserId;
  email: string;
  name: string;
  /** UTC, with milliseconds and no zone: `2026-11-14T23:51:07.042`. */
  createdAt: string;
  updatedAt: string;
};

export type NewSubaccount = { name: string; email: string };

export type CreatedSubaccount = { newSubAccountId: UserId };

/** Which part of a list, and in which order. Without `orderDirection` the most or newest comes first. */
export type ListOptions<Item> = {
  /** From 1 to 10,000; 100 when left out. */
  limit?: number;
  skip?: number;
  /** A field of the items. Figures are ordered as numbers. */
  orderBy?: keyof Item & string;
  orderDirection?: "asc" | "desc";
};

/** From when to when, both included, in Unix milliseconds (below 10^11: seconds). */
export type TimeOptions = { from?: number; to?: number };

/** As of which block; the newest when left out. */
export type BlockOptions = { block?: number };

/** A decentralized exchange and the blockchains it is indexed on. */
export type DexExchange = { id: string; name: string; blockchains: DexBlockchain[] };

export type DexBlockchain = { id: string; name: string };

/** A token on a decentralized exchange. Figures are exact, as decimal text. */
export type DexToken = {
  /** The contract's address, in lower case. */
  id: string;
  name: string;
  symbol: string;
  decimals: string;
  /** In the token's smallest unit. */
  supply: string;
  /** Over all pools, in tokens. */
  totalValueLocked: string;
  totalValueLockedUSD: string;
  volume: string;
  volumeUSD: string;
  /** Includes pools whose prices are less reliable. */
  untrackedVolumeUSD: string;
  txCount: string;
  /** The price in the chain's native coin. */
  derivedETH: string;
  feesUSD: string;
  totalValueLockedUSDUntracked: string;
  poolCount: string;
  /** Where a picture is; only in lists, and only when it was asked for. */
  logo?: string;
};

export type TokenListOptions = ListOptions<Omit<DexToken, "logo">> & {
  /** Only the token with exactly this symbol, address or name. */
  tokenSymbol?: string;
  tokenId?: string;
  tokenName?: string;
  /** Whether each token says where its picture is. */
  logo?: boolean;
};

/** A token as one of a pool's two. */
export type PoolToken = { name: string; id: string; symbol: string };

export type DexPool = {
  /** The contract's address, in lower case. */
  id: string;
  token0: PoolToken;
  token1: PoolToken;
  /** In hundredths of a basis point: 3000 is 0.3 %. */
  feeTier: string;
  /** In range, now. */
  liquidity: string;
  tvlUSD: string;
  volumeUSD: string;
  txCount: string;
  /** How much token0 one token1 costs. */
  token0Price: string;
  /** How much token1 one token0 costs. */
  token1Price: string;
};

export type PoolListOptions = ListOptions<Omit<DexPool, "token0" | "token1">> & {
  /** Only the pool with this address. */
  pool?: string;
  /** Only pools that hold the token with this address. */
  token?: string;
};

export type Timeframe = "hour" | "day";

/** What happened in a pool in an hour or a day, and how the pool was at its end. */
export type PoolBar = {
  /** The pool's address, `-`, and the bar's number. */
  id: string;
  /** When the bar starts, in Unix seconds. */
  timestamp: number;
  feeGrowthGlobal0X128: string;
  feeGrowthGlobal1X128: string;
  feesUSD: string;
  /** Open, high, low and close of `token0Price`. */
  o: string;
  h: string;
  l: string;
  c: string;
  volumeUSD: string;
  volumeToken0: string;
  volumeToken1: string;
  token0Price: string;
  token1Price: string;
  liquidity: string;
  txCount: string;
  tvlUSD: string;
  sqrtPrice: string;
  /** Null before the pool has a price. */
  tick: string | null;
};

export type PoolAggregates = {
  timeframe: Timeframe;
  token0: PoolToken;
  token1: PoolToken;
  poolAggregates: PoolBar[];
};

export type BarOptions = ListOptions<PoolBar> & TimeOptions & { timeframe: Timeframe };

/** What every kind of trade has. */
type PoolEvent = {
  /** The transaction's hash, `#`, and the position of the event in its block. */
  id: string;
  amount0: string;
  amount1: string;
  amountUSD: string;
  logIndex: string;
  /** Who sent the transaction. */
  origin: string;
  /** Unix seconds. */
  timestamp: string;
};

/** Amounts are what the pool gains: one of them is negative. */
export type PoolSwap = PoolEvent & { sender: string; recipient: string; sqrtPriceX96: string };

export type PoolBurn = PoolEvent & {
  /** Of liquidity. */
  amount: string;
  owner: string;
};

export type PoolMint = PoolBurn & { sender: string };

/** A kind that was not wanted is left out. */
export type PoolTrades = {
  poolAddress: string;
  burns?: PoolBurn[];
  mints?: PoolMint[];
  swaps?: PoolSwap[];
};

export type TradeOptions = ListOptions<PoolSwap & PoolMint> &
  TimeOptions &
  BlockOptions & {
    /** False leaves that kind out. */
    swap?: boolean;
    mint?: boolean;
    burn?: boolean;
  };

/** A block of a blockchain. */
export type Block = {
  number: string;
  /** Unix seconds. */
  timestamp: string;
  size: string;
  gasLimit: string;
  gasUsed: string;
  totalDifficulty: string;
  author: string;
};

export type BlockListOptions = ListOptions<Block> & TimeOptions & BlockOptions;

/** A centralized exchange. */
export type CexExchange = {
  name: string;
  id: string;
  /** Two capital letters each. */
  countries: string[];
  hasTrades: boolean;
  hasAggregates: boolean;
  /** Each timeframe that candles are served in, and its length in seconds. */
  aggregateTimeframes: Record<string, number>;
  url: string;
  fees: string | string[];
  docs: string;
  logo: string;
};

/** How an exchange is doing: `ok` is good. */
export type CexStatus = {
  status: string;
  /** When that was last found out, in Unix milliseconds. */
  updated: number;
};

export type CexMarket = {
  exchange: string;
  /** Such as `BTC/USD`. */
  symbol: string;
  /** The form that paths use, such as `BTC-USD`. */
  id: string;
  active: boolean;
  base: string;
  quote: string;
  /** Whether the two fees are parts of what is traded, or flat amounts. */
  percentage: boolean;
  /** 0.002 means 0.2 %. */
  taker: number;
  maker: number;
  /** `spot`, `swap`, `future` or `option`. */
  type: string;
};

export type CexPrice = {
  exchange: string;
  market: string;
  /** Unix milliseconds. */
  timestamp: string;
  price: number;
};

export type CexTrade = {
  /** As the exchange calls it. */
  id: string;
  /** Unix milliseconds. */
  timestamp: string;
  price: number;
  size: number;
  /** Size times price. */
  cost: number;
  side: "buy" | "sell";
};

export type CexTrades = { exchange: string; market: string; trades: CexTrade[] };

/** A span of time whose trades nobody could get. */
export type CexGap = {
  /** The last trade before it and the first after it, in Unix milliseconds. */
  from: string;
  to: string;
  reason: string;
};

export type CexGaps = { exchange: string; market: string; gaps: CexGap[] };

/** Price and size. */
export type CexLevel = [number, number];

/** An order book, best prices first. */
export type CexOrderBook = {
  exchange: string;
  market: string;
  /** Grows with every change. */
  nonce: number;
  bids: CexLevel[];
  asks: CexLevel[];
};

/** What rests in an order book, in the quote currency. */
export type CexLiquidity = { exchange: string; market: string; nonce: number; liquidity: number };

export type CexCandle = {
  /** When it starts, in Unix milliseconds. */
  timestamp: string;
  o: number;
  h: number;
  l: number;
  c: number;
  /** In the base currency. */
  volume: number;
  /** How many trades; left out where only the exchange could tell. */
  txCount?: number;
  /** False while it still grows. */
  closed: boolean;
};

export type CexAggregates = {
  exchange: string;
  market: string;
  timeframe: string;
  aggregates: CexCandle[];
};

/** Which trades: the newest, those older than one cursor (`after`), or those newer than one (`before`). */
export type CexTradeOptions = {
  /** From 1 to 50,000; 200 when left out. */
  limit?: number;
  /** None that happened before, in Unix milliseconds (below 10^11: seconds). */
  since?: number;
  /** What an earlier answer had in its header `CB-BEFORE` or `CB-AFTER`. */
  before?: string;
  after?: string;
};

export type CexCandleOptions = CexTradeOptions &
  TimeOptions & {
    /** One of the exchange's `aggregateTimeframes`. */
    timeframe: string;
    orderDirection?: "asc" | "desc";
    /** `previous`: times without trades get a candle too, at the price before. */
    fill?: "none" | "previous";
  };

/** How one part of the service is doing. */
export type RoleHealth = {
  state: "running" | "restarting" | "silent";
  /** How often it had to be started again. */
  restarts: number;
  /** Why it last ended, or null. */
  lastError: string | null;
};

/** How far an exchange on a blockchain has been indexed. */
export type DexHealth = {
  state: "ok" | "catching up" | "stalled";
  /** Why it is not ok, or null. */
  reason: string | null;
  /** The newest block of the chain; null until a node has answered. */
  head: number | null;
  /** The block up to which everything is indexed; null before the first. */
  block: number | null;
  lagBlocks: number | null;
  lagSeconds: number | null;
  /** When blocks were last replaced by others, and how many. */
  lastReorg: { depth: number; at: string } | null;
  /** Blocks done and to be done, while it is catching up. */
  progress: { done: number; total: number } | null;
};

/** How the feed of a centralized exchange is doing. Counts are since its start. */
export type CexHealth = {
  state: "ok" | "degraded" | "down";
  /** Why it is not ok, or null. */
  reason: string | null;
  /** What the exchange says of itself; null until it has been asked. */
  status: string | null;
  /** How many markets are live. */
  markets: number;
  resyncs: number;
  gaps: number;
  /** Seconds since the exchange was last heard, on the market where that is longest ago. */
  age: number | null;
};

export type Health = {
  status: "ok" | "degraded" | "unavailable";
  mode: "sandbox" | "live";
  version: string;
  database: { ok: boolean };
  roles: Record<string, RoleHealth>;
  /** By exchange and blockchain: `uniswap-v3/ethereum`. */
  dex?: Record<string, DexHealth>;
  /** By exchange. */
  cex?: Record<string, CexHealth>;
};
