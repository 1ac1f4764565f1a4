import { isObject } from "../../../lib/is-object.ts";
import type { Channel, Protocol, Said, Talk } from "./protocol.ts";
import { decimalOf, idOf, integerOf, levelsOf, parseFrame } from "./reading.ts";

const hourMs = 3_600_000;
const streams = { book: "@depth@100ms", trades: "@trade" } as const;

/** Binance's spot markets. Changes of a book are numbered without holes; whole books come over REST. */
export const binance: Protocol = {
  urlName: "ws.spot",
  wholeBooks: "rest",
  restLagMs: 0,
  levelsMost: Number.POSITIVE_INFINITY,
  // Each is two of 1,024 streams.
  marketsPerConnection: 500,
  marketsPerMessage: 50,
  // Of five, since pings count.
  messagesPerSecond: 4,
  // Each costs 250 of 6,000 units a minute, of which others need some.
  wholeBooksPerSecond: 0.3,
  // The exchange closes every connection after a day.
  connectionMostMs: 23 * hourMs,
  // Contracts have other streams, in which the same names mean other markets.
  nameOf: ({ type, nativeId }) => (type === "spot" ? nativeId : undefined),
  openTalk,
};

type Request = { channel: Channel; names: readonly string[] };

function openTalk(): Talk {
  let count = 0;
  /** Answers say the number of the request and nothing else. */
  const requests = new Map<unknown, Request>();

  const request = (method: string, { channel, names }: Request) => {
    const params = names.map((name) => name.toLowerCase() + streams[channel]);
    return JSON.stringify({ method, params, id: ++count });
  };

  function readAnswer(message: Record<string, unknown>): Said[] {
    const answered = requests.get(message.id);
    requests.delete(message.id);
    const { channel, names } = answered ?? { channel: "book", names: [] };
    const error = message.error ?? (message.code === undefined ? undefined : message);
    return names.map((name) =>
      error === undefined
        ? { kind: "subscribed", channel, name }
        : { kind: "refused", name, reason: isObject(error) ? String(error.msg) : String(error) },
    );
  }

  return {
    greeting: [],
    subscribe(channel, names) {
      const text = request("SUBSCRIBE", { channel, names });
      requests.set(count, { channel, names });
      return [text];
    },
    unsubscribe: (channel, names) => [request("UNSUBSCRIBE", { channel, names })],
    read(frame) {
      const message = parseFrame(frame);
      if (!message) return [{ kind: "gap", reason: "a frame is no JSON object" }];
      if (message.e === "depthUpdate") return [readChange(message)];
      if (message.e === "trade") return [readTrade(message)];
      if (message.e === "serverShutdown") return [{ kind: "leave" }];
      return readAnswer(message);
    },
  };
}

function readChange(message: Record<string, unknown>): Said {
  if (typeof message.s !== "string") return nameless;
  const [bids, asks] = [levelsOf(message.b), levelsOf(message.a)];
  const [name, first, nonce] = [message.s, integerOf(message.U), integerOf(message.u)];
  if (!bids || !asks || first === undefined || nonce === undefined)
    return { kind: "garbled", name };
  return { kind: "change", name, bids, asks, first, nonce, checksum: undefined };
}

function readTrade(message: Record<string, unknown>): Said {
  if (typeof message.s !== "string") return nameless;
  const [name, id, time] = [message.s, idOf(message.t), integerOf(message.T)];
  const [price, size] = [decimalOf(message.p), decimalOf(message.q)];
  const isWhole = id && time !== undefined && price && size && typeof message.m === "boolean";
  if (!isWhole) return { kind: "garbled", name };
  // `m` says that the buyer's order was the one in the book.
  const side = message.m ? "sell" : "buy";
  return { kind: "trades", name, trades: [{ id, time, price, size, side }] };
}

const nameless: Said = { kind: "gap", reason: "a message does not say which market it is about" };
