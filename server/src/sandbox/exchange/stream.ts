import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { Channels } from "./channels.ts";
import type { FaultDesk } from "./faults.ts";
import type { Floor } from "./floor.ts";
import type { Market } from "./market.ts";
import { newPace } from "./pace.ts";
import { timeText } from "./stream-messages.ts";
import {
  type Channel,
  readRequest,
  type Subscription,
  type SubscriptionRequest,
} from "./stream-requests.ts";
import type { TapeTrade } from "./tape.ts";

/** The exchange's streams. */
export type Stream = {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
};

type Session = { socket: WebSocket; subscriptions: Map<string, Subscription> };

type StreamOptions = { floor: Floor; faults: FaultDesk; clock: Clock; log: Log };

const tickMs = 50;
const heartbeatMs = 1_000;
const messageBytesMost = 2 ** 20;
/** Who does not read is dropped before it fills the memory. */
const unreadBytesMost = 16 * 2 ** 20;

/** Opens the streams: whoever subscribes to a market makes it live. */
export function openStream({ floor, faults, clock, log }: StreamOptions): Stream {
  const server = new WebSocketServer({
    noServer: true,
    autoPong: false,
    maxPayload: messageBytesMost,
  });
  const sessions = new Set<Session>();
  const channels = new Channels(floor, faults);
  const stopping = new AbortController();
  let connections = 0;

  function send({ socket }: Session, text: string): void {
    if (faults.take("stall")) return;
    if (socket.bufferedAmount > unreadBytesMost) socket.terminate();
    else socket.send(text);
  }

  function subscribers(channel: Channel, market: Market): [Session, Subscription][] {
    const key = keyOf({ channel, market });
    return [...sessions].flatMap((session): [Session, Subscription][] => {
      const subscription = session.subscriptions.get(key);
      return subscription ? [[session, subscription]] : [];
    });
  }

  /** Every channel of a market says what has changed. */
  function publish(market: Market, trades: readonly TapeTrade[]): void {
    const told = new Map<number, string[]>();
    for (const [session, { depth = 0 }] of subscribers("book", market)) {
      const texts = told.get(depth) ?? channels.bookUpdates(market, depth);
      told.set(depth, texts);
      for (const text of texts) send(session, text);
    }
    if (trades.length === 0) return;
    publishTrades(market, trades);
    void publishFigures(market).catch((error: unknown) =>
      log.warn({ err: error }, "the sandbox exchange could not work out a ticker or candle"),
    );
  }

  function publishTrades(market: Market, trades: readonly TapeTrade[]): void {
    const listeners = subscribers("trade", market);
    if (listeners.length === 0) return;
    const texts = channels.tradeUpdates(market, trades);
    for (const [session] of listeners) for (const text of texts) send(session, text);
  }

  async function publishFigures(market: Market): Promise<void> {
    const listeners = [...subscribers("ticker", market), ...subscribers("ohlc", market)];
    for (const [session, subscription] of listeners) {
      send(session, await channels.figureUpdate(subscription));
    }
  }

  async function subscribe(session: Session, wanted: Subscription): Promise<void> {
    floor.watch(wanted.market);
    // Those who are there already hear first what the newcomer will have in its snapshot.
    publish(wanted.market, floor.advance(wanted.market));
    session.subscriptions.set(keyOf(wanted), wanted);
    if (!wanted.snapshot) return;
    const state = channels.snapshot(wanted);
    send(session, typeof state === "string" ? state : await state);
  }

  function unsubscribe(session: Session, { channel, market }: Subscription): void {
    const key = keyOf({ channel, market });
    const had = session.subscriptions.get(key);
    session.subscriptions.delete(key);
    if (!had) return;
    floor.unwatch(market);
    if (had.depth === undefined) return;
    const isHeard = subscribers("book", market).some(([, { depth }]) => depth === had.depth);
    if (!isHeard) channels.forgetBook(market, had.depth);
  }

  const carryOut = { subscribe, unsubscribe };

  async function answer(session: Session, text: string): Promise<void> {
    const timeIn = timeText(floor.now);
    const request = readRequest(text, floor);
    const reply = (body: object) => {
      const stamps = { time_in: timeIn, time_out: timeText(floor.now) };
      send(session, JSON.stringify({ ...body, ...stamps }));
    };
    if (request.kind === "refused") reply(request.body);
    else if (request.kind === "ping") reply({ method: "pong", ...request.body });
    else await answerAll(session, request, reply);
  }

  async function answerAll(
    session: Session,
    { kind, body, subscriptions }: SubscriptionRequest,
    reply: (body: object) => void,
  ): Promise<void> {
    const pace = newPace();
    for (const wanted of subscriptions) {
      await floor.warm(wanted.market);
      if (!sessions.has(session)) return;
      const refusal = refusalOf(session, kind, wanted);
      reply({ method: kind, ...body, ...(refusal ?? acceptance(wanted)) });
      if (refusal) continue;
      await carryOut[kind](session, wanted);
      await pace();
    }
  }

  server.on("connection", (socket) => {
    const session: Session = { socket, subscriptions: new Map() };
    sessions.add(session);
    let before = Promise.resolve();
    socket.on("message", (data) => {
      before = before
        .then(() => answer(session, String(data)))
        .catch((error: unknown) => {
          log.warn({ err: error }, "the sandbox exchange could not answer on a stream");
          socket.terminate();
        });
    });
    socket.on("ping", (data) => {
      if (!faults.take("stall")) socket.pong(data);
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      sessions.delete(session);
      for (const one of [...session.subscriptions.values()]) unsubscribe(session, one);
    });
    connections++;
    const system = faults.isOn("maintenance") ? "maintenance" : "online";
    const status = { api_version: "v2", connection_id: connections, system, version: "2.0.10" };
    send(session, JSON.stringify({ channel: "status", type: "update", data: [status] }));
  });

  async function tick(): Promise<void> {
    if (sessions.size > 0 && faults.take("closeSockets")) {
      for (const { socket } of sessions) socket.terminate();
    }
    const pace = newPace();
    for (const market of floor.watched()) {
      publish(market, floor.advance(market));
      await pace();
    }
  }

  async function run(): Promise<void> {
    let heartbeatAt = clock.now() + heartbeatMs;
    while (!stopping.signal.aborted) {
      await clock.sleep(tickMs, stopping.signal);
      // A clock that does not really wait must not keep the network waiting.
      await setImmediate();
      await tick();
      if (clock.now() < heartbeatAt) continue;
      heartbeatAt = clock.now() + heartbeatMs;
      for (const session of sessions) {
        if (session.subscriptions.size > 0) send(session, `{"channel":"heartbeat"}`);
      }
    }
  }
  const running = run();

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => server.emit("connection", opened));
    },
    async close() {
      stopping.abort();
      for (const { socket } of sessions) socket.terminate();
      await running;
    },
  };
}

/** A socket has one subscription at most for each channel and market. */
function keyOf({ channel, market }: Pick<Subscription, "channel" | "market">): string {
  return `${channel} ${market.symbol}`;
}

function refusalOf(
  session: Session,
  kind: SubscriptionRequest["kind"],
  wanted: Subscription,
): object | undefined {
  const isThere = session.subscriptions.has(keyOf(wanted));
  if (kind === "subscribe" ? !isThere : isThere) return undefined;
  const error = isThere ? "Already subscribed" : "Subscription Not Found";
  return { error, success: false, symbol: wanted.market.symbol };
}

function acceptance({ channel, market, depth, interval, snapshot }: Subscription): object {
  const result = { channel, depth, interval, snapshot, symbol: market.symbol };
  return { result, success: true };
}
