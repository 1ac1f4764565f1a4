import { isObject } from "../../../lib/is-object.ts";
import type { Trade } from "../../market.ts";
import { openKrakenCheck } from "./kraken-checksum.ts";
import type { Channel, Protocol, Said, Talk } from "./protocol.ts";
import {
  decimalOf,
  idOf,
  integerOf,
  listOf,
  millisecondsOf,
  parseFrame,
  pushLevel,
} from "./reading.ts";

const depth = 1_000;
const channelNames = { book: "book", trades: "trade" } as const;

/** Kraken's WebSocket v2. Books have no serial numbers; a checksum covers their ten best levels a side. */
export const kraken: Protocol = {
  urlName: "ws.publicV2",
  wholeBooks: "stream",
  restLagMs: 0,
  levelsMost: depth,
  marketsPerConnection: 300,
  marketsPerMessage: 50,
  messagesPerSecond: 5,
  wholeBooksPerSecond: 50,
  connectionMostMs: Number.POSITIVE_INFINITY,
  nameOf: (market) => market.symbol,
  openTalk,
  checkOf: openKrakenCheck,
};

function openTalk(): Talk {
  return {
    greeting: [],
    subscribe: (channel, names) => [request("subscribe", channel, names)],
    unsubscribe: (channel, names) => [request("unsubscribe", channel, names)],
    read,
  };
}

function request(method: string, channel: Channel, names: readonly string[]): string {
  const params = { channel: channelNames[channel], symbol: names };
  return JSON.stringify({ method, params: channel === "book" ? { ...params, depth } : params });
}

function read(frame: string): Said[] {
  const message = parseFrame(frame);
  if (!message) return [{ kind: "gap", reason: "a frame is no JSON object" }];
  if (message.channel === "book") return readBooks(message);
  if (message.channel === "trade") return readTrades(message);
  return message.method === "subscribe" ? readAnswer(message) : [];
}

function readBooks(message: Record<string, unknown>): Said[] {
  return listOf(message.data).map((entry) => readBook(entry, message.type === "snapshot"));
}

function readBook(entry: unknown, isWhole: boolean): Said {
  if (!isObject(entry) || typeof entry.symbol !== "string") return nameless;
  const [bids, asks] = [readLevels(entry.bids), readLevels(entry.asks)];
  const [name, checksum] = [entry.symbol, integerOf(entry.checksum)];
  // Without its checksum nobody could tell whether a book is right.
  if (!bids || !asks || checksum === undefined) return { kind: "garbled", name };
  if (isWhole) return { kind: "whole", name, bids, asks, checksum };
  return { kind: "change", name, bids, asks, checksum, nonce: undefined, first: undefined };
}

function readLevels(levels: unknown): number[] | undefined {
  if (!Array.isArray(levels)) return undefined;
  const row: number[] = [];
  for (const level of levels) {
    if (!isObject(level) || !pushLevel(row, level.price, level.qty)) return undefined;
  }
  return row;
}

/** One message may bring trades of several markets. */
function readTrades(message: Record<string, unknown>): Said[] {
  const trades = new Map<string, Trade[]>();
  const said: Said[] = [];
  for (const entry of listOf(message.data)) {
    if (!isObject(entry) || typeof entry.symbol !== "string") return [nameless];
    const [name, trade] = [entry.symbol, readTrade(entry)];
    if (trade) trades.set(name, [...(trades.get(name) ?? []), trade]);
    else said.push({ kind: "garbled", name });
  }
  for (const [name, each] of trades) said.push({ kind: "trades", name, trades: each.sort(byId) });
  return said;
}

/** Ids are serial numbers: sorted by them, it does not matter which way round a snapshot is. */
function byId(one: Trade, other: Trade): number {
  return Number(one.id) - Number(other.id);
}

function readTrade(entry: Record<string, unknown>): Trade | undefined {
  const [id, time] = [idOf(entry.trade_id), millisecondsOf(entry.timestamp)];
  const [price, size, side] = [decimalOf(entry.price), decimalOf(entry.qty), entry.side];
  if (!id || time === undefined || !price || !size) return undefined;
  return side === "buy" || side === "sell" ? { id, time, price, size, side } : undefined;
}

function readAnswer({ success, result, symbol, error }: Record<string, unknown>): Said[] {
  if (success === false)
    return typeof symbol === "string"
      ? [{ kind: "refused", name: symbol, reason: String(error) }]
      : [];
  if (!isObject(result) || typeof result.symbol !== "string") return [];
  const channel = result.channel === channelNames.book ? "book" : "trades";
  return [{ kind: "subscribed", channel, name: result.symbol }];
}

const nameless: Said = { kind: "gap", reason: "a frame does not say which market it is about" };
