import { binance } from "./binance.ts";
import { bitstamp } from "./bitstamp.ts";
import { coinbase } from "./coinbase.ts";
import { coinbaseExchange } from "./coinbase-exchange.ts";
import type { OpenFeed } from "./feed-context.ts";
import { kraken } from "./kraken.ts";
import type { Protocol } from "./protocol.ts";
import { openSocketFeed } from "./socket-feed.ts";

/** By ccxt's ids. */
const protocols: ReadonlyMap<string, Protocol> = new Map([
  ["binance", binance],
  ["bitstamp", bitstamp],
  ["coinbase", coinbase],
  ["coinbaseexchange", coinbaseExchange],
  ["kraken", kraken],
]);

/** Opens our own stream of an exchange, where we have one: stricter and faster than ccxt's. */
export function ownFeed(id: string): OpenFeed | undefined {
  const protocol = protocols.get(id);
  return protocol && ((options) => openSocketFeed(protocol, options));
}
