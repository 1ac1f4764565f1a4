import { isObject } from "../../../lib/is-object.ts";
import type { Trade } from "../../market.ts";
import type { Channel, Protocol, Said, Talk } from "./protocol.ts";
import { decimalOf, idOf, integerOf, levelsOf, parseFrame } from "./reading.ts";

const prefixes = { book: "diff_order_book_", trades: "live_trades_" } as const;

/**
 * Bitstamp. Changes of a book carry their time, by which old ones and such that come in the wrong order are told; one
 * that goes missing is noticed only when the book crosses. Whole books come over REST, and some seconds late.
 */
export const bitstamp: Protocol = {
  urlName: "ws",
  wholeBooks: "rest",
  restLagMs: 5_000,
  levelsMost: Number.POSITIVE_INFINITY,
  marketsPerConnection: 100,
  marketsPerMessage: 1,
  messagesPerSecond: 20,
  wholeBooksPerSecond: 5,
  connectionMostMs: Number.POSITIVE_INFINITY,
  nameOf: (market) => market.nativeId,
  openTalk,
};

function openTalk(): Talk {
  return {
    greeting: [],
    subscribe: (channel, names) => names.map((name) => request("bts:subscribe", channel, name)),
    unsubscribe: (channel, names) => names.map((name) => request("bts:unsubscribe", channel, name)),
    read,
  };
}

function request(event: string, channel: Channel, name: string): string {
  return JSON.stringify({ event, data: { channel: prefixes[channel] + name } });
}

function read(frame: string): Said[] {
  const message = parseFrame(frame);
  if (!message) return [{ kind: "gap", reason: "a frame is no JSON object" }];
  if (message.event === "bts:request_reconnect") return [{ kind: "leave" }];
  const topic = topicOf(message.channel);
  if (!topic) return [];
  const said = readAbout(topic, message);
  return said ? [said] : [];
}

type Topic = { channel: Channel; name: string };

function topicOf(text: unknown): Topic | undefined {
  for (const channel of ["book", "trades"] as const) {
    const prefix = prefixes[channel];
    if (typeof text === "string" && text.startsWith(prefix))
      return { channel, name: text.slice(prefix.length) };
  }
  return undefined;
}

function readAbout({ channel, name }: Topic, { event, data }: Record<string, unknown>) {
  switch (event) {
    case "data":
      return channel === "book" ? readChange(name, data) : undefined;
    case "trade":
      return readTrade(name, data);
    case "bts:subscription_succeeded":
      return { kind: "subscribed", channel, name } satisfies Said;
    case "bts:error": {
      const reason = isObject(data) ? String(data.message) : "the exchange does not say why";
      return { kind: "refused", name, reason } satisfies Said;
    }
  }
  return undefined;
}

function readChange(name: string, data: unknown): Said {
  if (!isObject(data)) return { kind: "garbled", name };
  const [bids, asks, nonce] = [
    levelsOf(data.bids),
    levelsOf(data.asks),
    integerOf(data.microtimestamp),
  ];
  if (!bids || !asks || nonce === undefined) return { kind: "garbled", name };
  return { kind: "change", name, bids, asks, nonce, first: undefined, checksum: undefined };
}

function readTrade(name: string, data: unknown): Said {
  const trade = isObject(data) ? tradeOf(data) : undefined;
  return trade ? { kind: "trades", name, trades: [trade] } : { kind: "garbled", name };
}

function tradeOf(data: Record<string, unknown>): Trade | undefined {
  const [id, microseconds] = [idOf(data.id), integerOf(data.microtimestamp)];
  const [price, size] = [decimalOf(data.price_str), decimalOf(data.amount_str)];
  const side = sides.get(data.type);
  if (!id || microseconds === undefined || !price || !size || !side) return undefined;
  return { id, time: Math.floor(microseconds / 1_000), price, size, side };
}

const sides = new Map<unknown, Trade["side"]>([
  [0, "buy"],
  [1, "sell"],
]);
