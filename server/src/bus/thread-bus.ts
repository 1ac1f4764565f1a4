import { BroadcastChannel } from "node:worker_threads";
import type { Bus } from "./bus.ts";
import { createSubscribers } from "./subscribers.ts";

/** A bus between the threads of one process. `space` keeps two services in one process apart. */
export function openThreadBus(space: string): Bus {
  const channels = new Map<string, BroadcastChannel>();
  const subscribers = createSubscribers(
    (name) => {
      const channel = channelOf(name);
      channel.onmessage = (event) => subscribers.deliver(name, (event as MessageEvent).data);
    },
    (name) => {
      channels.get(name)?.close();
      channels.delete(name);
    },
  );

  function channelOf(name: string): BroadcastChannel {
    const channel = channels.get(name) ?? new BroadcastChannel(`${space}.${name}`);
    channels.set(name, channel);
    channel.unref();
    return channel;
  }

  return {
    publish({ name }, message) {
      channelOf(name).postMessage(message);
      // A channel does not hear itself. Later, as for everybody else.
      setImmediate(() => subscribers.deliver(name, message));
    },
    subscribe: ({ name }, heard) => subscribers.add(name, heard as (message: unknown) => void),
    async close() {
      for (const channel of channels.values()) channel.close();
      channels.clear();
    },
  };
}
