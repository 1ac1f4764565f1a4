import { once } from "node:events";
import { WebSocket } from "ws";

type Level = [price: string, size: string];

/** Whoever subscribes to a Kraken stream and believes what it hears, with checksums of its own making. */
export type KrakenClient = {
  /** Every message that came, as it was. */
  frames: string[];
  /** The book of the one market that is subscribed to, best first. */
  bids(): Level[];
  asks(): Level[];
  /** How many books and changes came, and how many of them had a checksum that we do not get to. */
  books: number;
  mismatches: number;
  /** Ids of the trades, in the order in which they came. */
  tradeIds: number[];
  isClosed: boolean;
  send(message: object): void;
  subscribe(channel: string, symbol: string, options?: object): void;
  /** The messages of a kind: `heard("channel", "heartbeat")`. */
  heard(field: string, value: string): Record<string, unknown>[];
  socket: WebSocket;
};

/** Connects to an exchange on a port of this machine. */
export async function connectKraken(port: number): Promise<KrakenClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws.kraken.com/v2`);
  const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
  let depth = 10;
  const sorted = (side: Map<string, string>, sign: number): Level[] =>
    [...side].sort(([one], [other]) => sign * (Number(one) - Number(other)));
  const client: KrakenClient = {
    frames: [],
    bids: () => sorted(sides.bids, -1),
    asks: () => sorted(sides.asks, 1),
    books: 0,
    mismatches: 0,
    tradeIds: [],
    isClosed: false,
    send: (message) => socket.send(JSON.stringify(message)),
    subscribe(channel, symbol, options = {}) {
      if ("depth" in options) depth = Number(options.depth);
      client.send({ method: "subscribe", params: { channel, symbol: [symbol], ...options } });
    },
    heard: (field, value) =>
      client.frames
        .map((frame) => JSON.parse(frame) as Record<string, unknown>)
        .filter((message) => message[field] === value),
    socket,
  };

  function hearSide(frame: string, name: "bids" | "asks"): void {
    const side = sides[name];
    for (const [price, size] of levelsIn(frame, name)) {
      if (Number(size) === 0) side.delete(price);
      else side.set(price, size);
    }
    for (const [price] of client[name]().slice(depth)) side.delete(price);
  }

  function hearBook(frame: string, isSnapshot: boolean): void {
    if (isSnapshot) for (const side of Object.values(sides)) side.clear();
    hearSide(frame, "bids");
    hearSide(frame, "asks");
    client.books++;
    const [, checksum = ""] = /"checksum":(\d+)/.exec(frame) ?? [];
    if (Number(checksum) !== crc32Of(client.asks(), client.bids())) client.mismatches++;
  }

  socket.on("message", (data) => {
    const frame = String(data);
    client.frames.push(frame);
    const message = JSON.parse(frame) as { channel?: string; type?: string; data?: unknown[] };
    if (message.channel === "book") hearBook(frame, message.type === "snapshot");
    if (message.channel === "trade") {
      client.tradeIds.push(...(message.data as { trade_id: number }[]).map((one) => one.trade_id));
    }
  });
  socket.on("close", () => {
    client.isClosed = true;
  });
  socket.on("error", () => {});
  await once(socket, "open");
  return client;
}

/** The levels of one side with the text of their figures, which JSON.parse would shorten. */
function levelsIn(frame: string, side: "bids" | "asks"): Level[] {
  const [, list = ""] = new RegExp(`"${side}":\\[([^\\]]*)\\]`).exec(frame) ?? [];
  const levels = list.matchAll(/"price":([\d.]+),"qty":([\d.]+)/g);
  return [...levels].map(([, price = "", size = ""]) => [price, size]);
}

/** Over the ten best of each side, without points and zeros in front. */
function crc32Of(asks: Level[], bids: Level[]): number {
  const bare = (text: string) => text.replace(".", "").replace(/^0+/, "");
  const text = [...asks.slice(0, 10), ...bids.slice(0, 10)]
    .map(([price, size]) => bare(price) + bare(size))
    .join("");
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
