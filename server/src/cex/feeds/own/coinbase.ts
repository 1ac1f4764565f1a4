import { isObject } from "../../../lib/is-object.ts";
import type { Trade } from "../../market.ts";
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

const channelNames = { book: "level2", trades: "market_trades" } as const;
/** All other markets against USDC are the ones against USD, and the stream calls them so. */
const ownUsdcMarkets = new Set(["USDT-USDC", "EURC-USDC"]);

/** Coinbase's Advanced Trade. All messages of a connection are numbered: none can go missing unnoticed. */
export const coinbase: Protocol = {
  urlName: "ws",
  wholeBooks: "stream",
  restLagMs: 0,
  levelsMost: Number.POSITIVE_INFINITY,
  marketsPerConnection: 100,
  marketsPerMessage: 25,
  messagesPerSecond: 5,
  wholeBooksPerSecond: 20,
  connectionMostMs: Number.POSITIVE_INFINITY,
  nameOf: ({ nativeId }) =>
    nativeId.endsWith("-USDC") && !ownUsdcMarkets.has(nativeId) ? nativeId.slice(0, -1) : nativeId,
  openTalk,
};

function openTalk(): Talk {
  let latest: number | undefined;

  /** What is wrong with the number of a message, if anything; "old" when it was heard before. */
  function count(message: Record<string, unknown>): "old" | "gap" | undefined {
    const number = integerOf(message.sequence_num);
    if (number === undefined) return "gap";
    if (latest !== undefined && number <= latest) return "old";
    if (latest !== undefined && number > latest + 1) return "gap";
    latest = number;
    return undefined;
  }

  return {
    greeting: [JSON.stringify({ type: "subscribe", channel: "heartbeats" })],
    subscribe: (channel, names) => [request("subscribe", channel, names)],
    unsubscribe: (channel, names) => [request("unsubscribe", channel, names)],
    read(frame) {
      const message = parseFrame(frame);
      if (!message) return [{ kind: "gap", reason: "a frame is no JSON object" }];
      // Errors are not numbered.
      if (typeof message.channel !== "string") return [];
      const wrong = count(message);
      if (wrong === "old") return [];
      if (wrong === "gap") return [{ kind: "gap", reason: "messages are missing" }];
      return listOf(message.events).flatMap((event) => readEvent(message.channel, event));
    },
  };
}

function request(type: string, channel: Channel, names: readonly string[]): string {
  return JSON.stringify({ type, product_ids: names, channel: channelNames[channel] });
}

function readEvent(channel: unknown, event: unknown): Said[] {
  if (!isObject(event)) return [nameless];
  if (channel === "l2_data") return [readBook(event)];
  if (channel === "market_trades") return readTrades(event);
  return channel === "subscriptions" ? readSubscriptions(event) : [];
}

function readBook({ type, product_id: name, updates }: Record<string, unknown>): Said {
  if (typeof name !== "string") return nameless;
  const levels: Record<"bids" | "asks", number[]> = { bids: [], asks: [] };
  for (const update of listOf(updates)) {
    const side = isObject(update) ? bookSides.get(update.side) : undefined;
    if (!isObject(update) || !side) return { kind: "garbled", name };
    if (!pushLevel(levels[side], update.price_level, update.new_quantity))
      return { kind: "garbled", name };
  }
  if (type === "snapshot") return { kind: "whole", name, ...levels, checksum: undefined };
  return { kind: "change", name, ...levels, ...unnumbered };
}

/** Trades come newest first. */
function readTrades({ trades }: Record<string, unknown>): Said[] {
  const byMarket = new Map<string, Trade[]>();
  const said: Said[] = [];
  for (const entry of listOf(trades).reverse()) {
    if (!isObject(entry) || typeof entry.product_id !== "string") return [nameless];
    const [name, trade] = [entry.product_id, readTrade(entry)];
    if (trade) byMarket.set(name, [...(byMarket.get(name) ?? []), trade]);
    else said.push({ kind: "garbled", name });
  }
  for (const [name, each] of byMarket) said.push({ kind: "trades", name, trades: each });
  return said;
}

function readTrade(entry: Record<string, unknown>): Trade | undefined {
  const [id, time] = [idOf(entry.trade_id), millisecondsOf(entry.time)];
  const [price, size] = [decimalOf(entry.price), decimalOf(entry.size)];
  const side = takerSides.get(entry.side);
  return id && time !== undefined && price && size && side
    ? { id, time, price, size, side }
    : undefined;
}

const bookSides = new Map<unknown, "bids" | "asks">([
  ["bid", "bids"],
  ["offer", "asks"],
]);

/** The exchange names the side of the order that was taken. */
const takerSides = new Map<unknown, Trade["side"]>([
  ["BUY", "sell"],
  ["SELL", "buy"],
]);

/** Each answer lists everything that is subscribed to. */
function readSubscriptions({ subscriptions }: Record<string, unknown>): Said[] {
  if (!isObject(subscriptions)) return [];
  const inChannel = (channel: Channel) =>
    listOf(subscriptions[channelNames[channel]]).map(
      (name): Said => ({ kind: "subscribed", channel, name: String(name) }),
    );
  return [...inChannel("book"), ...inChannel("trades")];
}

const unnumbered = { nonce: undefined, first: undefined, checksum: undefined };
const nameless: Said = { kind: "gap", reason: "a message does not say which market it is about" };
