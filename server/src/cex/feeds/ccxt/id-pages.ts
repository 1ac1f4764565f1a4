import type { ListedMarket, Trade } from "../../market.ts";
import type { TradePage } from "../venue.ts";
import { readTrades } from "./read-trades.ts";
import type { TradePager } from "./trade-pages.ts";

/** An exchange that numbers the trades of a market, and sends the newest below a number. */
type NumberedTrades = {
  pageSize: number;
  newest(market: ListedMarket): Promise<unknown>;
  /** The newest trades whose numbers are smaller than `id`, a page of them. */
  below(market: ListedMarket, id: string): Promise<unknown>;
};

/** Enough to find one number among 2^63; an exchange that talks nonsense is asked no more often than that. */
const mostRounds = 64;

/** Leafs forward where an exchange only leafs back: the numbers tell where a page begins that lies ahead. */
export function openIdPages({ pageSize, newest, below }: NumberedTrades): TradePager {
  const size = BigInt(pageSize);

  /** Those that follow a number. When there are none, these were the newest. */
  async function after(id: bigint, market: ListedMarket): Promise<TradePage> {
    const page = readTrades(await below(market, String(id + size + 1n)));
    const trades = page.filter((trade) => numberOf(trade) > id);
    return { trades, next: trades.at(-1)?.id };
  }

  async function from(since: number, market: ListedMarket): Promise<TradePage> {
    const page = readTrades(await newest(market));
    const [oldest] = page;
    if (!oldest || oldest.time < since)
      return { trades: page.filter(({ time }) => time >= since), next: undefined };
    const { trades, next } = await after(await find(since, numberOf(oldest), market), market);
    return { trades: trades.filter(({ time }) => time >= since), next };
  }

  /** Finds a trade before a moment, at most a page away from it, by leaping and halving: numbers grow with time. */
  async function find(since: number, from: bigint, market: ListedMarket): Promise<bigint> {
    let [low, high] = [0n, from];
    for (let round = 0; round < mostRounds && high - low > size; round++) {
      const leap = high - size * 2n ** BigInt(round);
      const middle = low > 0n ? (low + high) / 2n : leap > 1n ? leap : 1n;
      const page = readTrades(await below(market, String(middle)));
      const [oldest] = page;
      const last = page.findLast(({ time }) => time < since);
      // What is that old is gone: everything there is comes later.
      if (!oldest) low = middle;
      else if (!last) high = numberOf(oldest);
      else if (last !== page.at(-1)) return numberOf(last);
      else low = numberOf(last);
    }
    return low;
  }

  return async (market, { since, next }) => {
    if (next !== undefined) return after(BigInt(next), market);
    if (since !== undefined) return from(since, market);
    return { trades: readTrades(await newest(market)), next: undefined };
  };
}

/** What has no number sorts before everything, and is left out. */
function numberOf({ id }: Trade): bigint {
  return /^\d+$/.test(id) ? BigInt(id) : 0n;
}
