import type { Clock } from "../../lib/clock.ts";
import { type MarketHistory, openMarketHistory } from "./history.ts";
import { LiveMarket } from "./live-market.ts";
import { type Market, markets } from "./market.ts";
import { newPace } from "./pace.ts";
import { epochAt, epochMicros, type TapeTrade } from "./tape.ts";

type Open = { live: LiveMarket; usedAt: number; watchers: number };

const idleMs = 60_000;
const warmingStepMs = 20_000;

/** Where all markets of the exchange are. Only those that somebody asks for cost anything. */
export class Floor {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #names = new Map<string, Market>();
  readonly #open = new Map<string, Open>();
  readonly #histories = new Map<string, MarketHistory>();

  constructor(seed: number, clock: Clock) {
    this.#seed = seed;
    this.#clock = clock;
    for (const market of markets) {
      for (const name of [market.symbol, market.wsname, market.altname, market.id]) {
        this.#names.set(name, market);
      }
    }
  }

  /** Unix microseconds. */
  get now(): number {
    return this.#clock.now() * 1_000;
  }

  /** A market by any of its names. */
  find(name: string): Market | undefined {
    return this.#names.get(name.toUpperCase());
  }

  /** What is known of a market's past. */
  history(market: Market): MarketHistory {
    const known = this.#histories.get(market.symbol) ?? openMarketHistory(this.#seed, market);
    this.#histories.set(market.symbol, known);
    return known;
  }

  /** Opens a market little by little: a whole epoch at once would keep others waiting. */
  async warm(market: Market): Promise<void> {
    if (this.#open.has(market.symbol)) return;
    const pace = newPace();
    let time = (epochAt(this.now) * epochMicros) / 1_000;
    const live = new LiveMarket(this.#seed, market, time);
    for (; time < this.#clock.now(); time += warmingStepMs) {
      live.advance(time);
      await pace();
    }
    if (this.#open.has(market.symbol)) return;
    this.#open.set(market.symbol, { live, usedAt: this.#clock.now(), watchers: 0 });
  }

  /** A market as it is now; one that is watched, as its watchers have last seen it. */
  live(market: Market): LiveMarket {
    const open = this.#enter(market);
    if (open.watchers === 0) open.live.advance(this.#clock.now());
    return open.live;
  }

  watch(market: Market): void {
    this.live(market);
    this.#enter(market).watchers++;
  }

  unwatch(market: Market): void {
    this.#enter(market).watchers--;
  }

  /** Lets time pass in a market that is watched. */
  advance(market: Market): TapeTrade[] {
    return this.#enter(market).live.advance(this.#clock.now());
  }

  /** Markets that somebody watches. Those that nobody has asked for lately are closed. */
  watched(): Market[] {
    const now = this.#clock.now();
    for (const [symbol, { watchers, usedAt }] of this.#open) {
      if (watchers === 0 && now - usedAt > idleMs) this.#open.delete(symbol);
    }
    return [...this.#open.values()]
      .filter((open) => open.watchers > 0)
      .map(({ live }) => live.market);
  }

  #enter(market: Market): Open {
    const now = this.#clock.now();
    const open = this.#open.get(market.symbol) ?? {
      live: new LiveMarket(this.#seed, market, now),
      usedAt: now,
      watchers: 0,
    };
    open.usedAt = now;
    this.#open.set(market.symbol, open);
    return open;
  }
}
