import { AsyncLocalStorage } from "node:async_hooks";
import { isObject } from "../../../lib/is-object.ts";
import type { CcxtExchange } from "./ccxt-exchange.ts";

/** Which connection carries which markets: ccxt opens them as it likes. */
export type Connections = {
  /** Runs something; the connections that it uses carry the market from then on. */
  use<Value>(market: string, run: () => Promise<Value>): Promise<Value>;
  /** Closes the connections of a market; ccxt subscribes anew on others. */
  drop(market: string): void;
  /** Nobody follows a market any more: connections that carry no other are closed. */
  leave(market: string): void;
};

type Connection = {
  url: string;
  send(message: unknown): Promise<unknown>;
  /** What the exchange is going to say about something. */
  future(about: string): Promise<unknown>;
  close(): unknown;
};

/** Follows the connections of an exchange, and tells which markets are heard on them. */
export function openConnections(
  exchange: CcxtExchange,
  heard: (markets: Iterable<string>) => void,
): Connections {
  const user = new AsyncLocalStorage<string>();
  const markets = new Map<string, Set<string>>();
  const known = new WeakSet<Connection>();
  forgiveFailures(exchange, "watch", "watchMultiple");

  const client = exchange.client.bind(exchange);
  exchange.client = (url) => {
    const connection = client(url);
    if (isConnection(connection)) meet(connection);
    return connection;
  };

  function meet(connection: Connection): void {
    if (!known.has(connection)) {
      known.add(connection);
      forgiveFailures(connection, "send", "future");
    }
    const market = user.getStore();
    if (market === undefined) return;
    const carried = markets.get(connection.url) ?? new Set();
    markets.set(connection.url, carried.add(market));
  }

  const handleMessage = exchange.handleMessage.bind(exchange);
  exchange.handleMessage = (connection, message) => {
    if (isConnection(connection)) heard(markets.get(connection.url) ?? []);
    return handleMessage(connection, message);
  };

  function close(url: string): void {
    const connection = exchange.clients[url];
    // As if the exchange had hung up: whoever waits for something on it is told so.
    if (isConnection(connection)) connection.close();
    markets.delete(url);
  }

  return {
    use: (market, run) => user.run(market, run),
    drop(market) {
      for (const [url, carried] of markets) if (carried.has(market)) close(url);
    },
    leave(market) {
      for (const [url, carried] of markets) {
        carried.delete(market);
        if (carried.size === 0) close(url);
      }
    },
  };
}

/** ccxt does not look after everything that may fail, and a process dies of what nobody looks after. */
function forgiveFailures<Owner extends object>(
  owner: Owner,
  ...names: (keyof Owner & string)[]
): void {
  for (const name of names) {
    const original: unknown = owner[name];
    if (typeof original !== "function") continue;
    Reflect.set(owner, name, (...about: unknown[]) => {
      const outcome: unknown = original.apply(owner, about);
      if (outcome instanceof Promise) outcome.catch(() => {});
      return outcome;
    });
  }
}

function isConnection(value: unknown): value is Connection {
  if (!isObject(value) || typeof value.url !== "string") return false;
  return [value.send, value.future, value.close].every((part) => typeof part === "function");
}
