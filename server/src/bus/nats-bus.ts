import { connect, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import { messageOf, OperatorError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Bus } from "./bus.ts";
import { createSubscribers } from "./subscribers.ts";

/** A bus between machines, over NATS. It reconnects by itself for as long as the service runs. */
export async function openNatsBus(url: string, space: string, log: Log): Promise<Bus> {
  const connection = await connectTo(url);
  void logStatus(connection, log);
  const subscriptions = new Map<string, Subscription>();
  const subscribers = createSubscribers(
    (name) => {
      const callback = (_: unknown, message: { json(): unknown }) =>
        subscribers.deliver(name, message.json());
      subscriptions.set(name, connection.subscribe(`${space}.${name}`, { callback }));
    },
    (name) => {
      subscriptions.get(name)?.unsubscribe();
      subscriptions.delete(name);
    },
  );
  return {
    publish: ({ name }, message) => connection.publish(`${space}.${name}`, JSON.stringify(message)),
    subscribe: ({ name }, heard) => subscribers.add(name, heard as (message: unknown) => void),
    // Draining needs the server; without it there is nothing left to say.
    close: () => connection.drain().catch(() => connection.close()),
  };
}

async function connectTo(url: string): Promise<NatsConnection> {
  try {
    return await connect({
      servers: url.split(","),
      name: "slipway",
      maxReconnectAttempts: -1,
      timeout: 5_000,
    });
  } catch (cause) {
    throw new OperatorError(
      `NATS_URL cannot be reached (${messageOf(cause)}). Check the address, or unset it to run on one machine.`,
      { cause },
    );
  }
}

async function logStatus(connection: NatsConnection, log: Log): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect") log.warn("lost the connection to NATS; reconnecting");
    if (type === "reconnect") log.info("NATS is back");
  }
}
