import { isObject } from "../../../lib/is-object.ts";
import type { Trade } from "../../market.ts";
import type { Channel, Protocol, Said, Talk } from "./protocol.ts";
import {
  decimalOf,
  idOf,
  levelsOf,
  listOf,
  millisecondsOf,
  parseFrame,
  pushLevel,
} from "./reading.ts";

/** Heartbeats come by market: with them a quiet market is not a dead one. */
const channelNames = { book: ["level2_batch"], trades: ["matches", "heartbeat"] } as const;

/**
 * Coinbase Exchange, the part that needs no key. Its books are promised to be complete but are not numbered: a message
 * that goes missing all the same is noticed only when the book crosses.
 */
export const coinbaseExchange: Protocol = {
  urlName: "ws",
  wholeBooks: "stream",
  restLagMs: 0,
  levelsMost: Number.POSITIVE_INFINITY,
  marketsPerConnection: 100,
  marketsPerMessage: 25,
  messagesPerSecond: 5,
  wholeBooksPerSecond: 20,
  connectionMostMs: Number.POSITIVE_INFINITY,
  nameOf: (market) => market.nativeId,
  openTalk,
};

function openTalk(): Talk {
  return {
    greeting: [],
    subscribe: (channel, names) => [request("subscribe", channel, names)],
    unsubscribe: (channel, names) => [request("unsubscribe", channel, names)],
    read,
  };
}

function request(type: string, channel: Channel, names: readonly string[]): string {
  return JSON.stringify({ type, product_ids: names, channels: channelNames[channel] });
}

function read(frame: string): Said[] {
  const message = parseFrame(frame);
  if (!message) return [{ kind: "gap", reason: "a frame is no JSON object" }];
  if (message.type === "subscriptions") return readSubscriptions(message);
  const reader = readers.get(message.type);
  if (!reader) return [];
  if (typeof message.product_id !== "string")
    return [{ kind: "gap", reason: "a message does not say which market it is about" }];
  return [reader(message.product_id, message)];
}

const readers = new Map<unknown, (name: string, message: Record<string, unknown>) => Said>([
  ["l2update", readChange],
  ["snapshot", readWhole],
  ["match", readTrade],
  ["last_match", readTrade],
]);

function readWhole(name: string, message: Record<string, unknown>): Said {
  const [bids, asks] = [levelsOf(message.bids), levelsOf(message.asks)];
  if (!bids || !asks) return { kind: "garbled", name };
  return { kind: "whole", name, bids, asks, checksum: undefined };
}

function readChange(name: string, { changes }: Record<string, unknown>): Said {
  const [bids, asks] = [[] as number[], [] as number[]];
  for (const change of listOf(changes)) {
    const [side, price, size] = listOf(change);
    const levels = side === "buy" ? bids : side === "sell" ? asks : undefined;
    if (!levels || !pushLevel(levels, price, size)) return { kind: "garbled", name };
  }
  const unnumbered = { nonce: undefined, first: undefined, checksum: undefined };
  return { kind: "change", name, bids, asks, ...unnumbered };
}

function readTrade(name: string, message: Record<string, unknown>): Said {
  const [id, time] = [idOf(message.trade_id), millisecondsOf(message.time)];
  const [price, size] = [decimalOf(message.price), decimalOf(message.size)];
  const side = takerSides.get(message.side);
  if (!id || time === undefined || !price || !size || !side) return { kind: "garbled", name };
  return { kind: "trades", name, trades: [{ id, time, price, size, side }] };
}

/** The exchange names the side of the order that was taken. */
const takerSides = new Map<unknown, Trade["side"]>([
  ["buy", "sell"],
  ["sell", "buy"],
]);

/** Each answer lists everything that is subscribed to. */
function readSubscriptions({ channels }: Record<string, unknown>): Said[] {
  const trades = listOf(channels).find((each) => isObject(each) && each.name === "matches");
  return listOf(isObject(trades) && trades.product_ids).map(
    (name): Said => ({ kind: "subscribed", channel: "trades", name: String(name) }),
  );
}
