import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { type Message, saying } from "./message.ts";
import { eventIdOf } from "./position.ts";
import {
  type DurableSource,
  type DurableUpdate,
  gapSaying,
  type Source,
  type StateSource,
  type StateUpdate,
} from "./source.ts";

/** The way to one client. */
export type Outlet = {
  /** Bytes that wait for the client to take them. */
  pending(): number;
  /** Bytes that it has taken, ever. */
  taken(): number;
  send(message: Message, id?: string): void;
  /** Ends after what waits has been sent; the reason is for those who can be told. */
  end(code: EndCode, reason: string): void;
  /** Ends at once. */
  destroy(): void;
};

/** Why a connection ends, as WebSockets say it: we go away, or the client may not stay. */
export type EndCode = 1001 | 1008;

/** One channel of a connection. */
export type Wish = {
  /** As it was spelled. */
  channel: string;
  tag: string;
  source: Source;
  /** Where to go on; nothing: with what is new. */
  position: string | undefined;
  /** Gives the source back. */
  release(): void;
};

type StateSubscription = Wish & { source: StateSource; stop(): void; isBehind: boolean };
type DurableSubscription = Wish & {
  source: DurableSource;
  stop(): void;
  /** Whether it hears what is told live; else it reads, or waits until there is room to. */
  isLive: boolean;
  isReading: boolean;
  /** Whether it is to be said what cannot be had of the part that it missed. */
  needsReport: boolean;
  /** Whether something came out of its order that was not sent, and that reading on does not bring. */
  hasMissedLate: boolean;
};
type Subscription = StateSubscription | DurableSubscription;

const durableBeginning = {
  isLive: false,
  isReading: false,
  needsReport: true,
  hasMissedLate: false,
};

/** More than this is not left waiting for a client. One message more may be. */
const pendingMost = 64 * 1_024;
const retryMs = 1_000;

/**
 * What one client listens to. Nothing is ever queued here: who does not read fast enough skips changes of what has a
 * state, and reads lists from the database again when there is room.
 */
export class Connection {
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closed = new AbortController();
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(outlet: Outlet, { clock, log }: { clock: Clock; log: Log }) {
    this.#outlet = outlet;
    this.#clock = clock;
    this.#log = log;
  }

  get isFull(): boolean {
    return this.#outlet.pending() > pendingMost;
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  get count(): number {
    return this.#subscriptions.size;
  }

  has(channel: string): boolean {
    return this.#subscriptions.has(channel);
  }

  /** Adds channels together, so that the first id that is sent tells the positions of all of them. */
  subscribe(wishes: readonly Wish[]): void {
    const added = wishes.map((wish) => this.#add(wish));
    for (const subscription of added) void this.#begin(subscription);
  }

  #add(wish: Wish): Subscription {
    const { source } = wish;
    const subscription: Subscription =
      source.kind === "state"
        ? { ...wish, source, isBehind: true, stop() {} }
        : { ...wish, ...durableBeginning, source, stop() {} };
    this.#subscriptions.set(wish.channel, subscription);
    return subscription;
  }

  async #begin(subscription: Subscription): Promise<void> {
    const { source, channel, position } = subscription;
    try {
      await source.ready;
    } catch (error) {
      this.#fail(channel, error);
      return;
    }
    if (!this.#isOn(subscription)) return;
    const isResumed = source.kind === "durable" && position !== undefined;
    const subscribed = saying("subscribed", { resumed: isResumed });
    if (isDurable(subscription)) this.#beginDurable(subscription);
    else this.#listenToState(subscription);
    this.send(subscribed.to(channel), { hasId: source.kind === "durable" });
    if (isDurable(subscription)) void this.#catchUp(subscription);
    else this.#tellWhole(subscription);
  }

  #beginDurable(subscription: DurableSubscription): void {
    const { source } = subscription;
    const hear = (update: DurableUpdate) => this.#hearLive(subscription, update);
    source.listeners.add(hear);
    subscription.stop = () => source.listeners.delete(hear);
    if (subscription.position !== undefined) return;
    subscription.position = source.head();
    subscription.needsReport = false;
  }

  #listenToState(subscription: StateSubscription): void {
    const { source } = subscription;
    const hear = (update: StateUpdate) => this.#hearState(subscription, update);
    source.listeners.add(hear);
    subscription.stop = () => source.listeners.delete(hear);
  }

  #hearState(subscription: StateSubscription, { kind, saying }: StateUpdate): void {
    if (this.isFull) {
      if (kind !== "note") subscription.isBehind = true;
      return;
    }
    if (kind === "change" && subscription.isBehind) {
      this.#tellWhole(subscription);
      return;
    }
    if (kind === "whole") subscription.isBehind = false;
    this.send(saying.to(subscription.channel));
  }

  #tellWhole(subscription: StateSubscription): void {
    const whole = subscription.source.whole();
    if (!whole) return;
    subscription.isBehind = false;
    this.send(whole.to(subscription.channel));
  }

  #hearLive(subscription: DurableSubscription, update: DurableUpdate): void {
    const canHear = subscription.isLive && !this.isFull;
    if (update.kind === "move") this.#move(subscription, update, canHear);
    else if (canHear) this.send(update.saying.to(subscription.channel), { hasId: true });
    else if (update.kind === "late") {
      subscription.hasMissedLate = true;
      subscription.isLive = false;
    }
  }

  #move(
    subscription: DurableSubscription,
    { saying, before, position }: DurableUpdate & { kind: "move" },
    canHear: boolean,
  ): void {
    if (!subscription.isLive) return;
    if (!canHear || subscription.position !== before) {
      this.#fallBehind(subscription);
      return;
    }
    subscription.position = position;
    if (saying) this.send(saying.to(subscription.channel), { hasId: true });
  }

  #fallBehind(subscription: DurableSubscription): void {
    subscription.isLive = false;
    subscription.needsReport = true;
    if (!this.isFull) void this.#catchUp(subscription);
  }

  /** Reads on from the channel's position until it has reached what is told live, or there is no room. */
  async #catchUp(subscription: DurableSubscription): Promise<void> {
    if (subscription.isLive || subscription.isReading) return;
    subscription.isReading = true;
    try {
      await this.#report(subscription);
      while (this.#isOn(subscription) && !this.isFull) {
        if (subscription.position === subscription.source.head()) {
          this.#goLive(subscription);
          return;
        }
        await this.#readOn(subscription);
      }
    } catch (error) {
      const reason = messageOf(error);
      this.#log.warn({ reason }, "what a stream missed cannot be read; trying again");
      void this.#clock.sleep(retryMs, this.#closed.signal).then(() => this.#catchUp(subscription));
    } finally {
      subscription.isReading = false;
    }
  }

  #goLive(subscription: DurableSubscription): void {
    const { source, channel, hasMissedLate } = subscription;
    subscription.isLive = true;
    subscription.hasMissedLate = false;
    if (!hasMissedLate) return;
    const reason = "Something came late, out of its order, while the connection was behind.";
    const { refetch } = source.lost();
    this.send(gapSaying({ reason, refetch }).to(channel), { hasId: true });
  }

  async #report(subscription: DurableSubscription): Promise<void> {
    const { source, channel, position, needsReport } = subscription;
    if (!needsReport || position === undefined) return;
    const missed = await source.missedSince(position);
    if (!this.#isOn(subscription)) return;
    subscription.needsReport = false;
    subscription.position = missed.position;
    for (const gap of missed.gaps) this.send(gapSaying(gap).to(channel), { hasId: true });
  }

  async #readOn(subscription: DurableSubscription): Promise<void> {
    const { source, channel, position = "" } = subscription;
    const head = source.head();
    const { sayings } = await source.read(position);
    if (!this.#isOn(subscription)) return;
    for (const { saying, position } of sayings) {
      subscription.position = position;
      this.send(saying.to(channel), { hasId: true });
    }
    if (sayings.length > 0 || source.head() !== head) return;
    if (!source.isBeyond(position)) subscription.position = head;
    else await this.#comeBack(subscription, position);
  }

  /** Another machine may have told what this one has not; else somebody was told what is not there. */
  async #comeBack(subscription: DurableSubscription, position: string): Promise<void> {
    const { source, channel } = subscription;
    await source.advance();
    if (!this.#isOn(subscription) || !source.isBeyond(position)) return;
    subscription.position = source.head();
    this.send(gapSaying(source.lost()).to(channel), { hasId: true });
  }

  #isOn(subscription: Subscription): boolean {
    return !this.isClosed && this.#subscriptions.get(subscription.channel) === subscription;
  }

  /** Says that a channel cannot be listened to after all. */
  #fail(channel: string, error: unknown): void {
    if (this.isClosed) return;
    this.#log.warn({ channel, reason: messageOf(error) }, "a channel of a stream could not begin");
    this.drop(channel);
    this.end(1001, "a channel could not begin; connect again");
  }

  /** Ends one channel; says whether it was there. */
  drop(channel: string): boolean {
    const subscription = this.#subscriptions.get(channel);
    if (!subscription) return false;
    this.#subscriptions.delete(channel);
    subscription.stop();
    subscription.release();
    return true;
  }

  send(message: Message, { hasId = false } = {}): void {
    if (this.isClosed) return;
    this.#outlet.send(message, hasId ? this.#eventId() : undefined);
  }

  #eventId(): string {
    const positions: [string, string][] = [];
    for (const { tag, position } of this.#subscriptions.values()) {
      if (position !== undefined) positions.push([tag, position]);
    }
    return eventIdOf(positions);
  }

  /** There is room again. */
  drained(): void {
    for (const subscription of this.#subscriptions.values()) {
      if (this.isClosed || this.isFull) return;
      if (isDurable(subscription)) void this.#catchUp(subscription);
      else if (subscription.isBehind) this.#tellWhole(subscription);
    }
  }

  end(code: EndCode, reason: string): void {
    if (this.isClosed) return;
    this.closed();
    this.#outlet.end(code, reason);
  }

  destroy(): void {
    this.closed();
    this.#outlet.destroy();
  }

  /** The client is gone, or will be: everything is given back. */
  closed(): void {
    this.#closed.abort();
    for (const channel of [...this.#subscriptions.keys()]) this.drop(channel);
  }
}

function isDurable(subscription: Subscription): subscription is DurableSubscription {
  return subscription.source.kind === "durable";
}
