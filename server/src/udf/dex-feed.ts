import type { DexPool, PoolBar } from "@slipway/sdk";
import type { Queryable } from "../database/database.ts";
import { addressBytes, addressText } from "../dex/endpoints/address.ts";
import {
  blockchainsOf,
  placeOf,
  type ServedChain,
  servedExchanges,
} from "../dex/endpoints/served.ts";
import { listBars } from "../dex/store/read-bars.ts";
import type { Place } from "../dex/store/read-list.ts";
import { listPools } from "../dex/store/read-pools.ts";
import { CallerError } from "../lib/errors.ts";
import { unknownResolution } from "./cex-feed.ts";
import {
  type Bar,
  type BarQuery,
  type Charted,
  decimalsFor,
  type Feed,
  type FoundSymbol,
  infoOf,
} from "./feed.ts";
import { dexResolutions, dexTimeframe } from "./resolutions.ts";

type Context = { db: Queryable; chains(): readonly ServedChain[] };

type PoolTokens = Pick<DexPool, "token0" | "token1">;
type PoolName = Place & { pool: Buffer };

/** A search looks at the pools with the most locked in them. */
const searchedMost = 1_000;
const volumeDecimals = 2;

/** Pools of decentralized exchanges, such as `UNISWAP-V3:ETHEREUM:0x…`: the price of one token1 in token0. */
export function dexFeed({ db, chains }: Context): Feed {
  const served = () => servedExchanges(chains());

  async function poolsOf(place: Place): Promise<{ place: Place; pool: DexPool }[]> {
    const page = { limit: searchedMost, skip: 0, orderBy: "tvlUSD", direction: "desc" } as const;
    const { found } = await listPools(db, place, {}, page);
    return (JSON.parse(found) as DexPool[]).map((pool) => ({ place, pool }));
  }

  return {
    async exchanges() {
      return served().map(({ id, name }) => ({ value: id.toUpperCase(), name }));
    },
    async find(symbol) {
      const [exchange = "", blockchain = "", address = ""] = symbol.toLowerCase().split(":");
      if (!served().some(({ id }) => id === exchange)) return undefined;
      const place = placeOf(chains(), { exchange, blockchain });
      return chartedPool(db, { ...place, pool: addressBytes("The pool of a symbol", address) });
    },
    async search({ text, exchange, limit }) {
      const places = served()
        .filter(({ id }) => exchange === "" || id === exchange.toLowerCase())
        .flatMap(({ id }) =>
          blockchainsOf(chains(), id).map((chain) => ({ exchange: id, blockchain: chain.id })),
        );
      const wanted = text.toLowerCase().replace(/[^a-z0-9]/g, "");
      return (await Promise.all(places.map(poolsOf)))
        .flat()
        .filter(({ pool }) => isWanted(pool, wanted))
        .slice(0, limit)
        .map(({ place, pool }) => foundPool({ ...place, ...pool, address: pool.id }));
    },
  };
}

function isWanted({ id, token0, token1 }: DexPool, wanted: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const names = [token1.symbol + token0.symbol, token0.symbol + token1.symbol, token0.name];
  return [id, ...names, token1.name].some((name) => letters(name).includes(wanted));
}

type NamedPool = Place & PoolTokens & { address: string };

function foundPool({ exchange, blockchain, address, token0, token1 }: NamedPool): FoundSymbol {
  const place = exchange.toUpperCase();
  const ticker = `${place}:${blockchain.toUpperCase()}:${address}`;
  const symbol = `${token1.symbol}/${token0.symbol}`;
  const description = `${symbol} in the pool ${address} of ${exchange} on ${blockchain}`;
  return { symbol, full_name: ticker, description, exchange: place, ticker, type: "crypto" };
}

async function chartedPool(db: Queryable, name: PoolName): Promise<Charted> {
  const newest = { before: Number.MAX_SAFE_INTEGER, from: 0, count: 1 };
  const { tokens, bars } = await readPool(db, name, { resolution: "60", ...newest });
  const address = addressText(name.pool);
  const found = foundPool({ ...name, ...tokens, address });
  return {
    info: infoOf({
      ...{ name: found.symbol, ticker: found.ticker, description: found.description },
      exchange: found.exchange,
      priceDecimals: decimalsFor(bars[0]?.close),
      sizeDecimals: volumeDecimals,
      resolutions: dexResolutions,
      currency: tokens.token0.symbol,
    }),
    bars: async (query) => (await readPool(db, name, query)).bars,
  };
}

/** A pool's tokens, and bars of it with their volume in dollars. */
async function readPool(
  db: Queryable,
  { exchange, blockchain, pool }: PoolName,
  { resolution, before, from, count }: BarQuery,
): Promise<{ tokens: PoolTokens; bars: Bar[] }> {
  const frame = dexTimeframe(resolution);
  if (!frame) throw unknownResolution(resolution, dexResolutions);
  const { found } = await listBars(
    db,
    { exchange, blockchain },
    {
      pool,
      timeframe: frame.timeframe,
      window: { from, to: Math.min(before - 1, latestTime) },
      page: { limit: count, skip: 0, orderBy: "timestamp", direction: "desc" },
    },
  );
  if (!found) {
    const message = `Pool ${addressText(pool)} was not found on ${exchange} on ${blockchain}.`;
    throw new CallerError("not_found", message);
  }
  const tokens = { token0: JSON.parse(found.token0), token1: JSON.parse(found.token1) };
  const bars = (JSON.parse(found.bars) as PoolBar[]).map(barOf).reverse();
  return { tokens, bars };
}

/** No block is later than what fits into 32 bits many hours from now. */
const latestTime = 4_294_967_295;

function barOf({ timestamp, o, h, l, c, volumeUSD }: PoolBar): Bar {
  return {
    time: timestamp,
    open: Number(o),
    high: Number(h),
    low: Number(l),
    close: Number(c),
    volume: Number(volumeUSD),
  };
}
