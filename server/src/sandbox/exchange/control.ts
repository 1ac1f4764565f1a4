import type { IncomingMessage } from "node:http";
import { CallerError } from "../../lib/errors.ts";
import { viewOf } from "./book-view.ts";
import { digitsOf } from "./digits.ts";
import { type FaultDesk, readFaults } from "./faults.ts";
import type { Floor } from "./floor.ts";
import type { Market } from "./market.ts";

const bodyBytesMost = 2 ** 20;
const tradesMost = 20_000;

/** What is answered under /sandbox/: faults are set there, and tests see what is true. */
export async function controlAnswer(
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  { floor, faults }: { floor: Floor; faults: FaultDesk },
): Promise<unknown> {
  const { method } = request;
  if (path === "/sandbox/book") return bookAnswer(floor, query);
  if (path === "/sandbox/trades") return tradesAnswer(floor, query);
  if (path !== "/sandbox/faults") {
    throw new CallerError(
      "not_found",
      "There are /sandbox/faults, /sandbox/book and /sandbox/trades.",
    );
  }
  if (method === "POST") faults.set(readFaults(await readJson(request)));
  else if (method === "DELETE") faults.set([]);
  else if (method !== "GET") {
    throw new CallerError("bad_request", "The method must be GET, POST or DELETE.");
  }
  return faults.state;
}

async function bookAnswer(floor: Floor, query: URLSearchParams) {
  const market = marketIn(floor, query);
  await floor.warm(market);
  const { bids, asks } = viewOf(floor.live(market).book, Number.POSITIVE_INFINITY);
  const level = ({ price, size }: { price: number; size: number }) => [
    digitsOf(price, market.priceDecimals),
    digitsOf(size, market.sizeDecimals),
  ];
  return { symbol: market.symbol, bids: bids.map(level), asks: asks.map(level) };
}

function tradesAnswer(floor: Floor, query: URLSearchParams) {
  const market = marketIn(floor, query);
  const [from, to] = [idIn(query, "from"), idIn(query, "to")];
  if (to - from >= tradesMost) {
    throw new CallerError("bad_request", `to must be less than ${tradesMost} above from`);
  }
  const trades = floor.history(market).between(from, to, floor.now);
  return trades.map(({ id, time, price, size, side }) => ({
    id,
    time,
    price: digitsOf(price, market.priceDecimals),
    size: digitsOf(size, market.sizeDecimals),
    side,
  }));
}

function marketIn(floor: Floor, query: URLSearchParams): Market {
  const market = floor.find(query.get("symbol") ?? "");
  if (!market) throw new CallerError("bad_request", "symbol must be a market, such as BTC/USD");
  return market;
}

function idIn(query: URLSearchParams, field: string): number {
  const text = query.get(field) ?? "";
  if (!/^\d{1,15}$/.test(text)) {
    throw new CallerError("bad_request", `${field} must be the id of a trade, a whole number`);
  }
  return Number(text);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMost)
      throw new CallerError("bad_request", "The body must be below 1 MiB.");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new CallerError("bad_request", "The request body must be a JSON object.");
  }
}
