import { get, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { obey } from "../process.ts";
import { percentile } from "../usage.ts";

/** Who listens to what: so many who read, and some who stop to. */
export type ClientOrders = {
  url: string;
  transport: "sse" | "websocket";
  readers: number;
  stopped: number;
  seconds: number;
};

/** How far behind readers were, in milliseconds, by the oldest change in each message. */
export type ClientAnswer = {
  p50: number;
  p99: number;
  most: number;
  messages: number;
  bytes: number;
};

const apiKey = "slp_sandbox_master";
/** Prices that no order has: their sizes are times. */
const stampMost = 1_000;

obey(async ({ url, transport, readers, stopped, seconds }: ClientOrders): Promise<ClientAnswer> => {
  const lags: number[] = [];
  let [bytes, isMeasuring] = [0, false];
  const hear = (text: string) => {
    if (!isMeasuring) return;
    const lag = lagOf(text);
    if (lag === undefined) return;
    lags.push(lag);
    bytes += text.length;
  };
  const open = (isStopped: boolean) =>
    transport === "sse" ? openEvents(url, hear, isStopped) : openSocket(url, hear);
  for (let count = 0; count < readers + stopped; count++) await open(count >= readers);
  isMeasuring = true;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const [p50, p99] = [percentile(lags, 50), percentile(lags, 99)];
  const most = lags.reduce((one, other) => Math.max(one, other), 0);
  return { p50, p99, most, messages: lags.length, bytes };
});

async function openEvents(
  url: string,
  hear: (text: string) => void,
  isStopped: boolean,
): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { apiKey }, agent: false }, resolve).on("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}.`);
  if (isStopped) return void response.pause();
  let rest = "";
  response.setEncoding("utf8").on("data", (text: string) => {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) hear(event.slice(event.indexOf("data: ") + 6));
  });
}

async function openSocket(url: string, hear: (text: string) => void): Promise<void> {
  const socket = new WebSocket(url.replace("http", "ws"), { headers: { apiKey } });
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  socket.on("message", (data) => hear(data.toString()));
}

function lagOf(text: string): number | undefined {
  if (!text.includes('"bookChange"')) return undefined;
  const { bids } = JSON.parse(text) as { bids: [price: number, size: number][] };
  const stamps = bids.filter(([price]) => price <= stampMost).map(([, time]) => time);
  return stamps.length > 0 ? Date.now() - Math.min(...stamps) : undefined;
}
