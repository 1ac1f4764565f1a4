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
const mostRounds = 64n;

/** Leafs forward where an exchange only leafs back: the numbers tell where a page begins that lies ahead. */
export function openIdPages({ pageSize, newest, below }: NumberedTrades): TradePager {
  const size = BigInt(pageSize);

  async function after(id: bigint, market: ListedMarket): Promise<TradePage> {
    const page = readTrades(await below(market, String(id + size + 1n)));
    const trades = page.filter((trade) => numberOf(trade) > id);
    return { trades, next: trades.at(-1)?.id ?? (await beyondHole(id, market)) };
  }

  /** Where to go on after numbers that nothing has; nothing when there is nothing later. */
  async function beyondHole(id: bigint, market: ListedMarket): Promise<string | undefined> {
    const later = readTrades(await newest(market)).find((trade) => numberOf(trade) > id);
    if (!later) return undefined;
    const before = numberOf(later) - 1n;
    return String(before < id + size ? before : id + size);
  }

  async function from(since: number, market: ListedMarket): Promise<TradePage> {
    const page = readTrades(await newest(market));
    const [oldest] = page;
    if (!oldest || oldest.time < since)
      return { trades: page.filter(({ time }) => time >= since), next: undefined };
    const { trades, next } = await after(await find(since, numberOf(oldest), market), market);
    return { trades: trades.filter(({ time }) => time >= since), next };
  }

  /** Finds a trade before a moment, at most a page away from it: numbers grow with time. */
  async function find(since: number, high: bigint, market: ListedMarket): Promise<bigint> {
    let bounds: Bounds = { low: unknown, high };
    for (let round = 0n; round < mostRounds && bounds.high - bounds.low > size; round++) {
      const middle = between(bounds, size << round);
      const page = readTrades(await below(market, String(middle)));
      bounds = narrow(bounds, { page, middle, since });
    }
    return bounds.low;
  }

  return async (market, { since, next }) => {
    if (next !== undefined) return after(BigInt(next), market);
    if (since !== undefined) return from(since, market);
    return { trades: readTrades(await newest(market)), next: undefined };
  };
}

/** What has the number `low` or a smaller one is before the moment, what has the number `high` is not. */
type Bounds = { low: bigint; high: bigint };
/** Nothing has a smaller number. */
const unknown = -1n;

/** Where to look next: ever farther back until something is old enough, then in the middle. */
function between({ low, high }: Bounds, leap: bigint): bigint {
  if (low !== unknown) return (low + high) / 2n + 1n;
  return high > leap ? high - leap : 1n;
}

/** What follows from the page of trades below the number `middle`. */
function narrow(
  { low, high }: Bounds,
  { page, middle, since }: { page: Trade[]; middle: bigint; since: number },
): Bounds {
  const last = page.findLast(({ time }) => time < since);
  if (last && last !== page.at(-1)) return { low: numberOf(last), high: numberOf(last) };
  const [oldest] = page;
  // Where all are older, or too old to be kept, nothing is missed by going on from the middle.
  return oldest && !last ? { low, high: numberOf(oldest) } : { low: middle - 1n, high };
}

/** What has no number comes before everything. */
function numberOf({ id }: Trade): bigint {
  return /^\d+$/.test(id) ? BigInt(id) : 0n;
}
