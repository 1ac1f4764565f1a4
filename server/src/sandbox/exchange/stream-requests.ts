import { isObject } from "../../lib/is-object.ts";
import type { Floor } from "./floor.ts";
import type { Market } from "./market.ts";

const channels = ["book", "trade", "ticker", "ohlc"] as const;

/** What can be heard of a market. */
export type Channel = (typeof channels)[number];

/** What somebody wants to hear of a market. */
export type Subscription = {
  channel: Channel;
  market: Market;
  snapshot: boolean;
  depth?: number;
  interval?: number;
};

/** Who wants to hear or no longer hear of markets. */
export type SubscriptionRequest = {
  kind: "subscribe" | "unsubscribe";
  body: object;
  subscriptions: Subscription[];
};

/** What came over a stream. The body is what the answer repeats of it. */
type Request =
  | SubscriptionRequest
  | { kind: "ping"; body: object }
  | { kind: "refused"; body: object };

const depths = [10, 25, 100, 500, 1_000];
const intervals = [1, 5, 15, 30, 60, 240, 1_440, 10_080, 21_600];

/** Reads a message. What cannot be done is refused in the exchange's own words. */
export function readRequest(text: string, floor: Floor): Request {
  const message = parsed(text);
  if (!isObject(message)) return refused({}, "Malformed request");
  const { method, params, req_id } = message;
  const body = Number.isInteger(req_id) ? { req_id } : {};
  if (method === "ping") return { kind: "ping", body };
  if (method !== "subscribe" && method !== "unsubscribe") {
    return refused({ ...body, method }, "Method not supported");
  }
  const refuse = (error: string, symbol?: string) => refused({ ...body, method, symbol }, error);
  if (!isObject(params)) return refuse("Malformed request");
  const channel = channels.find((name) => name === params.channel);
  if (!channel) return refuse("Channel not supported");
  const options = optionsOf(channel, params);
  if (typeof options === "string") return refuse(options);
  const { symbol: symbols } = params;
  if (!Array.isArray(symbols) || symbols.length === 0)
    return refuse("Symbol field must be an array");
  const found = symbols.map((symbol) =>
    typeof symbol === "string" ? bySymbol(floor, symbol) : undefined,
  );
  const unknown = found.indexOf(undefined);
  if (unknown >= 0) {
    const symbol = String(symbols[unknown]);
    return refuse(`Currency pair not supported ${symbol}`, symbol);
  }
  const snapshot = params.snapshot !== false;
  const subscriptions = found
    .filter((market) => market !== undefined)
    .map((market) => ({ channel, market, snapshot, ...options }));
  return { kind: method, body, subscriptions };
}

/** Streams know markets only by their symbols. */
function bySymbol(floor: Floor, symbol: string): Market | undefined {
  const market = floor.find(symbol);
  return market?.symbol === symbol ? market : undefined;
}

/** The options of a channel, or what is wrong with them. */
function optionsOf(
  channel: Channel,
  { depth = 10, interval = 1 }: Record<string, unknown>,
): { depth?: number; interval?: number } | string {
  if (channel === "book") {
    const known = depths.find((one) => one === depth);
    return known ? { depth: known } : "Subscription depth not supported";
  }
  if (channel === "ohlc") {
    const known = intervals.find((one) => one === interval);
    return known ? { interval: known } : "Subscription ohlc interval not supported";
  }
  return {};
}

function refused(body: object, error: string): Request {
  return { kind: "refused", body: { ...body, error, success: false } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
