import type { ListedMarket, Trade } from "../market.ts";
import { compareKeys, placeOf } from "../trade-key.ts";
import { RecentIds } from "./recent-ids.ts";
import type { WrittenMarket } from "./trade-writer.ts";

/** Exchanges whose trade ids rise by one within each market, on the stream as over REST. */
export const sequentialExchanges: ReadonlySet<string> = new Set([
  "kraken",
  "coinbase",
  "coinbaseexchange",
  "binance",
  "binanceus",
]);

/** A market whose trades are being recorded. What is known here is ahead of the tables by what is in the queue. */
export class FollowedMarket {
  readonly market: ListedMarket;
  readonly recent = new RecentIds();
  /** What the tables know of it; nothing until they have been read. */
  written: WrittenMarket | undefined;
  tradesSince: number | null = null;
  /** The newest trade we know: all before it are known too, but for gaps. */
  last: Trade | undefined;
  /**
   * Trades of the stream that wait until it is known what came before them; nothing while they flow. Each part came
   * without an interruption.
   */
  held: Trade[][] | undefined = [[]];
  /** Something may be missing after `last`; the next trade will bring it to light. */
  isInDoubt = false;
  /** Why trades were left out that have to be fetched again. */
  lossReason: string | undefined;
  /** How often trades were left out. */
  losses = 0;
  /** Gaps that were noted since the start. */
  gaps = 0;
  /** There may be gaps to be filled, and gaps without candles. */
  hasGapsToFill = true;
  lacksCandles = true;
  /** Trades that arrived out of order are waited for. */
  isPatient = false;
  isGone = false;
  /** Resolves when the newest trades are in the tables. */
  ready: Promise<void> | undefined;
  /** Resolves when nothing is missing any more. */
  catchingUp: Promise<void> | undefined;
  readonly #isSequential: boolean;

  constructor(market: ListedMarket, isSequential: boolean) {
    this.market = market;
    this.#isSequential = isSequential;
  }

  /** Keeps those that are new, and returns them. */
  remember(trades: readonly Trade[]): Trade[] {
    const news = trades.filter(({ id }) => this.recent.add(id));
    for (const trade of news) {
      if (!this.last || compareKeys(trade, this.last) > 0) this.last = trade;
    }
    return news;
  }

  /** Lets trades wait, together with those that came since the last interruption. */
  hold(trades: readonly Trade[]): void {
    this.held ??= [[]];
    this.held.at(-1)?.push(...trades);
  }

  /** Something may be missing between the trades that wait and those that will. */
  interrupt(): void {
    this.held ??= [[]];
    if (this.held.at(-1)?.length !== 0) this.held.push([]);
  }

  get heldCount(): number {
    return this.held?.reduce((sum, part) => sum + part.length, 0) ?? 0;
  }

  /** The first of the trades that wait. */
  firstHeld(): Trade | undefined {
    while (this.held && this.held.length > 1 && this.held[0]?.length === 0) this.held.shift();
    return this.held?.[0]?.sort(compareKeys)[0];
  }

  /** Takes the trades that wait up to the next hole or interruption; nothing waits any more when there is none. */
  takeContinuous(): Trade[] {
    this.firstHeld();
    const [part = [], ...others] = this.held ?? [];
    const news: Trade[] = [];
    let taken = 0;
    for (const trade of part) {
      if (!this.#mayFollow(trade)) break;
      news.push(...this.remember([trade]));
      taken++;
    }
    const rest = part.slice(taken);
    const left = rest.length > 0 ? [rest, ...others] : others;
    this.held = left.length > 0 ? left : undefined;
    return news;
  }

  /** Whether nothing is between the last trade and this one, as far as ids tell. */
  #mayFollow(trade: Trade): boolean {
    const [last, next] = [placeOf(this.last?.id ?? ""), placeOf(trade.id)];
    return !this.#isSequential || last === 0n || next === 0n || next <= last + 1n;
  }

  /** Whether ids prove that nothing is between the last trade and this one. */
  isProvenNext(trade: Trade): boolean {
    const [last, next] = [placeOf(this.last?.id ?? ""), placeOf(trade.id)];
    return this.#isSequential && last !== 0n && next === last + 1n;
  }
}
