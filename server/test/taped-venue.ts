import type { TradePage, TradeQuery, Venue } from "../src/cex/feeds/venue.ts";
import type { Candle, ListedMarket, Trade } from "../src/cex/market.ts";
import { compareKeys } from "../src/cex/trade-key.ts";
import { UnavailableError } from "../src/lib/errors.ts";

/** An exchange in memory whose REST API can lag, forget and fail. */
export class TapedVenue implements Venue {
  readonly exchange: Venue["exchange"];
  readonly nativeTimeframes: Map<string, number>;
  /** What was traded, oldest first; REST answers from here. */
  tape: Trade[] = [];
  candlesOf: (label: string, since: number) => Candle[] = () => [];
  pageSize = 10;
  /** How many of the newest trades REST does not have yet, and how many it has at all. */
  lag = 0;
  reach = Number.POSITIVE_INFINITY;
  /** How many of the next calls fail. */
  failures = 0;
  calls = 0;
  /** REST dates trades later than the stream by so much. */
  skewMs = 0;

  constructor(id = "fake", nativeTimeframes: [string, number][] = []) {
    this.nativeTimeframes = new Map(nativeTimeframes);
    this.exchange = {
      name: id,
      id,
      countries: [],
      hasTrades: true,
      hasAggregates: true,
      aggregateTimeframes: {},
      url: "",
      fees: "",
      docs: "",
      logo: "",
    };
  }

  async trades(_: ListedMarket, { since, next }: TradeQuery): Promise<TradePage> {
    this.#call();
    const end = Math.max(0, this.tape.length - this.lag);
    const served = this.tape
      .slice(Math.max(0, end - this.reach), end)
      .map((trade) => ({ ...trade, time: trade.time + this.skewMs }));
    if (since === undefined && next === undefined) {
      return { trades: served.slice(-this.pageSize), next: undefined };
    }
    const after = next === undefined ? undefined : keyOf(next);
    if (after && !served.some((trade) => compareKeys(trade, after) === 0)) {
      throw new UnavailableError("It has forgotten where the last page ended.");
    }
    const from = served.findIndex((trade) =>
      after ? compareKeys(trade, after) > 0 : trade.time >= (since ?? 0),
    );
    const rest = from < 0 ? [] : served.slice(from);
    const trades = rest.slice(0, this.pageSize);
    const last = trades.at(-1);
    return {
      trades,
      next: rest.length > trades.length && last ? `${last.time}:${last.id}` : undefined,
    };
  }

  async candles(_: ListedMarket, label: string, since: number): Promise<Candle[]> {
    this.#call();
    return this.candlesOf(label, since);
  }

  #call(): void {
    this.calls++;
    if (this.failures > 0) {
      this.failures--;
      throw new UnavailableError("It is down for a while.");
    }
  }

  markets = () => Promise.resolve([]);
  status = () => Promise.resolve(undefined);
  price = () => Promise.resolve({ price: 1, time: undefined });
  book = () => Promise.resolve({ bids: [], asks: [], nonce: undefined });
  openFeed = () => undefined;
  close = () => Promise.resolve();
}

function keyOf(next: string): { time: number; id: string } {
  const [time = "", ...id] = next.split(":");
  return { time: Number(time), id: id.join(":") };
}
