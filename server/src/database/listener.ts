import pg from "pg";
import { backoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { Address } from "./address.ts";
import { clientConfig } from "./pool.ts";

type Heard = (payload: string | undefined) => void;

export type Listener = {
  listen(channel: string, heard: Heard): Promise<void>;
  close(): Promise<void>;
};

type ListenerOptions = { addresses: Address[]; clock: Clock; random: Random; log: Log };

/** One connection for NOTIFY. It comes back by itself, and says when something may have been missed. */
export function openListener({ addresses, clock, random, log }: ListenerOptions): Listener {
  const handlers = new Map<string, Heard[]>();
  const stopped = new AbortController();
  let client: pg.Client | undefined;
  let running: Promise<void> | undefined;
  let connected: Promise<pg.Client> | undefined;

  async function connectOnce(attempt: number): Promise<pg.Client> {
    const address = addresses[attempt % addresses.length];
    const fresh = new pg.Client(address && clientConfig(address));
    fresh.on("error", () => {});
    fresh.on("notification", ({ channel, payload }) => {
      for (const heard of handlers.get(channel) ?? []) heard(payload ?? "");
    });
    await fresh.connect();
    for (const channel of handlers.keys()) await fresh.query(`listen "${channel}"`);
    return fresh;
  }

  async function keepConnected(
    first: (client: pg.Client) => void,
    failed: (error: unknown) => void,
  ) {
    for (let attempt = 0; !stopped.signal.aborted; attempt++) {
      try {
        client = await connectOnce(attempt);
      } catch (error) {
        failed(error);
        log.debug({ reason: messageOf(error) }, "cannot listen to the database yet");
        await clock.sleep(
          backoffMs(attempt, { firstMs: 50, mostMs: 2_000 }, random),
          stopped.signal,
        );
        continue;
      }
      attempt = 0;
      first(client);
      for (const heard of [...handlers.values()].flat()) heard(undefined);
      const current = client;
      await new Promise<void>((resolve) => current.once("end", () => resolve()));
    }
  }

  return {
    async listen(channel, heard) {
      handlers.set(channel, [...(handlers.get(channel) ?? []), heard]);
      connected ??= new Promise((resolve, reject) => {
        running = keepConnected(resolve, reject);
      });
      await connected;
      // If this fails the connection is gone, and the next one listens to every channel anyway.
      await client?.query(`listen "${channel}"`).catch(() => {});
    },
    async close() {
      stopped.abort();
      await client?.end().catch(() => {});
      await running;
    },
  };
}
