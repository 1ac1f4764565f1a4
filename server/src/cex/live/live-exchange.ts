import type { CexStatus } from "@slipway/sdk";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Finding } from "../feeds/replies.ts";
import {
  type BookMessage,
  bookMessages,
  type ExchangeStatus,
  type TradeMessage,
  tradeMessages,
  wantedMarkets,
} from "../messages.ts";
import { LiveMarket } from "./live-market.ts";

/** Whatever has not been heard of for so long is not live. */
const freshMs = 5_000;
/** How often those who feed an exchange are told what is asked for. */
const tellEveryMs = 30_000;

/** A market of an exchange as it is heard, and how long ago that was. */
export type HeardMarket = { market: LiveMarket; ageSeconds: number };

/** One exchange as its messages tell of it. */
export class LiveExchange {
  readonly id: string;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #stopListening: (() => void)[];
  readonly #markets = new Map<string, LiveMarket>();
  readonly #wanted = new Set<string>();
  #status: ExchangeStatus | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(id: string, { bus, clock }: { bus: Bus; clock: Clock }) {
    this.id = id;
    this.#bus = bus;
    this.#clock = clock;
    this.#stopListening = [
      bus.subscribe(bookMessages(id), (messages) => this.#hearBooks(messages)),
      bus.subscribe(tradeMessages(id), (messages) => this.#hearTrades(messages)),
    ];
  }

  /** What we know of a market that is live; nothing of others. */
  market(id: string): LiveMarket | undefined {
    return this.#markets.get(id);
  }

  /** Whether whoever feeds the exchange still speaks. A clock may be set back, too. */
  get isHeard(): boolean {
    return Math.abs(this.#clock.now() - this.#heardAt) < freshMs;
  }

  /** Whether what we know of a market is what the exchange says now. */
  isFresh({ status, confirmedAt }: LiveMarket): boolean {
    return status?.state === "live" && this.#clock.now() - confirmedAt < freshMs && this.isHeard;
  }

  /** What the exchange last said of itself. */
  get status(): Finding<CexStatus> | undefined {
    return this.#status && { value: this.#status.status, at: this.#heardAt, source: "rest" };
  }

  /** The last word of whoever feeds the exchange, and how long ago that was. */
  get lastWord(): { status: ExchangeStatus; ageSeconds: number } | undefined {
    const ageSeconds = Math.max(0, this.#clock.now() - this.#heardAt) / 1_000;
    return this.#status && { status: this.#status, ageSeconds };
  }

  get heardMarkets(): HeardMarket[] {
    const now = this.#clock.now();
    return [...this.#markets.values()]
      .filter(({ status }) => status)
      .map((market) => ({ market, ageSeconds: Math.max(0, now - market.confirmedAt) / 1_000 }));
  }

  /** Keeps a market live, by telling whoever feeds it. */
  want(market: string): void {
    if (this.#wanted.has(market)) return;
    this.#wanted.add(market);
    if (this.#wanted.size === 1) void this.#tellWanted();
  }

  async #tellWanted(): Promise<void> {
    const now = this.#clock.now();
    const waitMs = Math.min(tellEveryMs, Math.max(0, this.#toldAt + tellEveryMs - now));
    await this.#clock.sleep(waitMs, this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    this.#toldAt = this.#clock.now();
    this.#bus.publish(wantedMarkets, { exchange: this.id, markets: [...this.#wanted] });
    this.#wanted.clear();
  }

  /** How long ago the exchange was heard is told by the clock of whoever feeds it: ours may differ. */
  hearStatus(status: ExchangeStatus): void {
    const now = this.#clock.now();
    this.#status = status;
    this.#heardAt = now;
    const listed = new Set<string>();
    for (const each of status.markets) {
      listed.add(each.market);
      const market = this.#marketOf(each.market);
      market.status = each;
      const silentMs = Math.max(0, status.at - each.confirmedAt);
      market.confirmedAt = Math.min(now, Math.max(market.confirmedAt, now - silentMs));
      if (each.lastTrade) market.hearTrades([each.lastTrade]);
    }
    for (const id of this.#markets.keys()) if (!listed.has(id)) this.#markets.delete(id);
  }

  #hearBooks(messages: readonly BookMessage[]): void {
    const now = this.#clock.now();
    for (const message of messages) this.#marketOf(message.market).hearBook(message, now);
  }

  #hearTrades(messages: readonly TradeMessage[]): void {
    for (const { market, trades } of messages) this.#marketOf(market).hearTrades(trades);
  }

  #marketOf(id: string): LiveMarket {
    const market = this.#markets.get(id) ?? new LiveMarket(this.id, id);
    this.#markets.set(id, market);
    return market;
  }

  close(): void {
    this.#closing.abort();
    for (const stop of this.#stopListening) stop();
  }
}
