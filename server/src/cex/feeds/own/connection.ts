import { WebSocket } from "ws";
import type { Clock } from "../../../lib/clock.ts";
import type { FeedFault } from "../venue.ts";
import type { Channel, Protocol, Said, Talk } from "./protocol.ts";

/** Nothing heard for so long: the exchange is asked whether it is there, and given as long again to answer. */
const silentMs = 5_000;
const answerMs = 10_000;
/** A subscription that was refused is tried again much later than one that got no answer. */
const refusedMs = 60_000;
const handshakeMs = 10_000;
/** The whole book of a large market is some megabytes. */
const frameMostBytes = 64 * 1_024 * 1_024;

type Verb = "subscribe" | "unsubscribe" | "resubscribe";
type Order = { verb: Verb; channel: Channel; name: string };

export type ConnectionEvents = {
  open(): void;
  said(said: Said): void;
};

/** Why a connection ended. */
export type Ending = { fault: FeedFault; reason: string };

/** One WebSocket to an exchange: sends subscriptions at the pace that is allowed, and notices when it is dead. */
export class Connection {
  /** Resolves when it is over. */
  readonly ended: Promise<Ending>;
  readonly #socket: WebSocket;
  readonly #protocol: Protocol;
  readonly #talk: Talk;
  readonly #clock: Clock;
  readonly #events: ConnectionEvents;
  readonly #closing = new AbortController();
  readonly #end: (ending: Ending) => void;
  readonly #openedAt: number;
  #heardAt: number;
  #pingedAt: number | undefined;
  #orders: Order[] = [];
  #isSending = false;
  /** Subscriptions without an answer, and when one was due. */
  readonly #unanswered = new Map<string, Order & { dueAt: number }>();

  constructor(url: string, protocol: Protocol, clock: Clock, events: ConnectionEvents) {
    this.#protocol = protocol;
    this.#clock = clock;
    this.#events = events;
    this.#talk = protocol.openTalk();
    this.#openedAt = clock.now();
    this.#heardAt = this.#openedAt;
    let end: (ending: Ending) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
    this.#socket = this.#connect(url);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && !this.#closing.signal.aborted;
  }

  /** Whether the exchange has confirmed everything that was asked of it. */
  get isSettled(): boolean {
    return this.isOpen && this.#orders.length === 0 && this.#unanswered.size === 0;
  }

  get ageMs(): number {
    return this.#clock.now() - this.#openedAt;
  }

  /** Whether something was heard since then. */
  wasHeardSince(time: number): boolean {
    return this.isOpen && this.#heardAt >= time;
  }

  order(verb: Verb, channel: Channel, name: string): void {
    if (verb === "unsubscribe") this.#withdraw(channel, name);
    this.#orders.push({ verb, channel, name });
    if (!this.#isSending) void this.#sendOrders();
  }

  /** Ends it, if it has not ended by itself. */
  close(ending: Ending): void {
    this.#end(ending);
    this.#closing.abort();
    this.#orders = [];
    this.#unanswered.clear();
    this.#socket.terminate();
  }

  /** To be called about once a second. */
  look(): void {
    if (!this.isOpen) return;
    const now = this.#clock.now();
    for (const [key, { channel, name, dueAt }] of this.#unanswered) {
      if (now < dueAt) continue;
      this.#unanswered.delete(key);
      this.order("resubscribe", channel, name);
    }
    if (this.#pingedAt !== undefined && now - this.#pingedAt > silentMs)
      this.close({ fault: "silent", reason: "nothing was heard, and a ping was not answered" });
    else if (this.#pingedAt === undefined && now - this.#heardAt > silentMs) {
      this.#pingedAt = now;
      this.#socket.ping();
    }
  }

  /** A subscription was refused: it stays unanswered for a while. */
  refuse(name: string): void {
    const dueAt = this.#clock.now() + refusedMs;
    for (const order of this.#unanswered.values()) if (order.name === name) order.dueAt = dueAt;
  }

  #connect(url: string): WebSocket {
    const socket = new WebSocket(url, {
      handshakeTimeout: handshakeMs,
      maxPayload: frameMostBytes,
      perMessageDeflate: false,
    });
    socket.on("open", () => {
      this.#hear();
      for (const text of this.#talk.greeting) socket.send(text);
      this.#events.open();
    });
    socket.on("message", (data: Buffer) => {
      if (this.#closing.signal.aborted) return;
      this.#hear();
      for (const said of this.#talk.read(data.toString())) this.#take(said);
    });
    socket.on("ping", () => this.#hear());
    socket.on("pong", () => this.#hear());
    // An error is always followed by the end, but says more about why.
    socket.on("error", ({ message }) => this.close({ fault: "closed", reason: message }));
    socket.on("close", (code) =>
      this.close({ fault: "closed", reason: `the connection was closed with code ${code}` }),
    );
    return socket;
  }

  #hear(): void {
    this.#heardAt = this.#clock.now();
    this.#pingedAt = undefined;
  }

  #take(said: Said): void {
    if (said.kind === "subscribed") this.#unanswered.delete(keyOf(said.channel, said.name));
    // What follows a gap in the same frame comes too late.
    if (!this.#closing.signal.aborted) this.#events.said(said);
  }

  #withdraw(channel: Channel, name: string): void {
    this.#unanswered.delete(keyOf(channel, name));
    this.#orders = this.#orders.filter((order) => order.name !== name || order.channel !== channel);
  }

  async #sendOrders(): Promise<void> {
    this.#isSending = true;
    // Whatever is ordered in the same breath goes out in the same message.
    await Promise.resolve();
    while (this.#orders.length > 0 && this.isOpen) {
      for (const text of this.#encodeNext()) {
        if (!this.isOpen) break;
        this.#socket.send(text);
        await this.#clock.sleep(1_000 / this.#protocol.messagesPerSecond, this.#closing.signal);
      }
    }
    this.#isSending = false;
  }

  #encodeNext(): string[] {
    const { verb, channel } = this.#orders[0] ?? { verb: "subscribe", channel: "book" };
    const isOther = (order: Order) => order.verb !== verb || order.channel !== channel;
    const others = this.#orders.findIndex(isOther);
    const alike = others === -1 ? this.#orders.length : others;
    const batch = this.#orders.splice(0, Math.min(alike, this.#protocol.marketsPerMessage));
    const names = batch.map(({ name }) => name);
    if (verb !== "unsubscribe" && !this.#isAnsweredByBook(channel)) {
      const dueAt = this.#clock.now() + answerMs;
      for (const order of batch)
        this.#unanswered.set(keyOf(channel, order.name), { ...order, dueAt });
    }
    return [
      ...(verb === "subscribe" ? [] : this.#talk.unsubscribe(channel, names)),
      ...(verb === "unsubscribe" ? [] : this.#talk.subscribe(channel, names)),
    ];
  }

  /** Whoever waits for a whole book asks again by himself, within his budget. */
  #isAnsweredByBook(channel: Channel): boolean {
    return channel === "book" && this.#protocol.wholeBooks === "stream";
  }
}

function keyOf(channel: Channel, name: string): string {
  return `${channel} ${name}`;
}
