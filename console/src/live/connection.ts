import { effect, signal } from "@preact/signals";
import type { StreamMessage, StreamRequest } from "@slipway/sdk";
import { keys, type Role } from "../session/session.ts";

type Listener = (message: StreamMessage) => void;
export type LiveState = "idle" | "connecting" | "live" | "broken";

const firstWaitMs = 500;
const longestWaitMs = 15_000;
/** Two pings of the server. */
const silenceMs = 40_000;

/** One WebSocket for a tab, however many parts of a page listen to however many channels. */
class LiveConnection {
  readonly state = signal<LiveState>("idle");
  readonly #role: Role;
  readonly #listeners = new Map<string, Set<Listener>>();
  #socket: WebSocket | undefined;
  #lastEventId: string | undefined;
  #waitMs = firstWaitMs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(role: Role) {
    this.#role = role;
  }

  /** Listens to a channel. Returns what ends it. */
  listen(channel: string, listener: Listener): () => void {
    const known = this.#listeners.get(channel);
    // A second listener needs the whole book too, so the channel is asked for anew.
    if (known) this.#say({ action: "unsubscribe", channels: [channel] });
    const listeners = known ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
    if (this.#socket) this.#say({ action: "subscribe", channels: [channel] });
    else this.#connect();
    return () => this.#leave(channel, listener);
  }

  /** Asks for a channel from its beginning, for who has lost the thread. */
  renew(channel: string): void {
    this.#say({ action: "unsubscribe", channels: [channel] });
    this.#say({ action: "subscribe", channels: [channel] });
  }

  /** Does not wait any longer for the next attempt, when somebody knows that the service is back. */
  hurry(): void {
    if (this.state.peek() !== "broken" || this.#socket) return;
    clearTimeout(this.#timer);
    this.#waitMs = firstWaitMs;
    this.#connect();
  }

  /** Whoever listens is somebody else now: what was heard before says nothing about where to go on. */
  reconnect(): void {
    this.#lastEventId = undefined;
    this.#socket?.close();
  }

  #leave(channel: string, listener: Listener): void {
    const listeners = this.#listeners.get(channel);
    listeners?.delete(listener);
    if (listeners?.size !== 0) return;
    this.#listeners.delete(channel);
    this.#say({ action: "unsubscribe", channels: [channel] });
  }

  #connect(): void {
    const url = new URL("/v2/ws", location.origin);
    url.protocol = url.protocol.replace("http", "ws");
    // A browser cannot give a WebSocket headers.
    url.searchParams.set("apiKey", keys.peek()[this.#role] ?? "");
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.state.value = "connecting";
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", ({ data }) => this.#heard(String(data)));
    socket.addEventListener("close", () => this.#closed(socket));
  }

  #opened(): void {
    this.state.value = "live";
    this.#waitMs = firstWaitMs;
    this.#expectSound();
    const channels = [...this.#listeners.keys()];
    if (channels.length === 0) return;
    const lastEventId = this.#lastEventId;
    this.#say({ action: "subscribe", channels, ...(lastEventId && { lastEventId }) });
  }

  #heard(text: string): void {
    this.#expectSound();
    const message = JSON.parse(text) as StreamMessage & { id?: string };
    if (message.id !== undefined) this.#lastEventId = message.id;
    const channel = "channel" in message ? message.channel : undefined;
    if (channel === undefined) return;
    for (const listener of this.#listeners.get(channel) ?? []) listener(message);
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    clearTimeout(this.#timer);
    this.#socket = undefined;
    if (this.#listeners.size === 0) {
      this.state.value = "idle";
      return;
    }
    this.state.value = "broken";
    this.#timer = setTimeout(() => this.#connect(), this.#waitMs);
    this.#waitMs = Math.min(longestWaitMs, this.#waitMs * 2);
  }

  /** A connection can be dead without saying so. */
  #expectSound(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket?.close(), silenceMs);
  }

  #say(request: StreamRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }
}

/** The tab's connection. */
export const live = new LiveConnection("account");

let keyBefore: string | undefined;
effect(() => {
  const key = keys.value.account;
  if (keyBefore !== undefined && key !== keyBefore) live.reconnect();
  keyBefore = key;
});
