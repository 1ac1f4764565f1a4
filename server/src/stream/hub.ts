import { Gauge, type Registry } from "@platformatic/prom-client";
import type { Clock } from "../lib/clock.ts";
import { CallerError, messageOf, UnavailableError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { Connection, type Outlet } from "./connection.ts";
import { Message } from "./message.ts";
import type { Source } from "./source.ts";

export type Transport = "sse" | "websocket";

/** Who listens, and how to find out whether it still may. */
type Client = {
  keyId: string;
  transport: Transport;
  mayStay(): boolean | Promise<boolean>;
};

/** All streams there are. */
export type Hub = {
  /** A source that others may be listening to already; it has to be released. */
  take(key: string, open: () => Source): { source: Source; release(): void };
  /** Holds that the key may have another stream, and that we are not closing. */
  expectRoom(keyId: string): void;
  add(client: Client, outlet: Outlet): Opened;
  addMetrics(registry: Registry): void;
  close(): void;
};

/** A connection, and what is to be called when its client has read or is gone. */
type Opened = { connection: Connection; left(): void };

type Member = {
  client: Client;
  outlet: Outlet;
  /** What the client had taken at the last look, and since when it has been no more than that. */
  taken: number;
  stuckAt: number | undefined;
};

const pingMs = 15_000;
/** Who takes nothing for so long is cut off. */
const stuckMs = 60_000;
const streamsMost = 1_000;

/** Opens the place where sources and those who listen to them meet. */
export function openHub({ clock, log }: { clock: Clock; log: Log }): Hub {
  const closing = new AbortController();
  const sources = new Map<string, { source: Source; users: number }>();
  const members = new Map<Connection, Member>();
  const countOf = (isMeant: (client: Client) => boolean) =>
    [...members.values()].filter(({ client }) => isMeant(client)).length;

  function leave(connection: Connection): void {
    members.delete(connection);
    connection.closed();
  }

  function isStuck(member: Member): boolean {
    const taken = member.outlet.taken();
    const isReading = taken > member.taken || member.outlet.pending() === 0;
    member.stuckAt = isReading ? undefined : (member.stuckAt ?? clock.now());
    member.taken = taken;
    return member.stuckAt !== undefined && clock.now() - member.stuckAt >= stuckMs;
  }

  async function look(connection: Connection, member: Member): Promise<void> {
    if (isStuck(member)) {
      log.debug({ keyId: member.client.keyId }, "a stream was cut off: its client does not read");
      leave(connection);
      connection.destroy();
    } else if (!(await member.client.mayStay())) {
      leave(connection);
      member.outlet.end(1008, "the API key is not valid any more");
    }
  }

  function ping(): void {
    const message = new Message(JSON.stringify({ type: "ping", at: clock.now() }));
    for (const [connection, member] of members) {
      if (!connection.isFull) connection.send(message);
      look(connection, member).catch((error) => {
        log.debug({ reason: messageOf(error) }, "whether a stream may go on is asked again");
      });
    }
  }

  let isPinging = false;
  /** While anybody listens: a clock of a test whose sleep takes no time would have us do nothing else. */
  async function run(): Promise<void> {
    if (isPinging) return;
    isPinging = true;
    while (members.size > 0) {
      await clock.sleep(pingMs, closing.signal);
      if (!closing.signal.aborted) ping();
    }
    isPinging = false;
  }

  function release(key: string): void {
    const shared = sources.get(key);
    if (!shared || --shared.users > 0) return;
    sources.delete(key);
    shared.source.close();
  }

  return {
    take(key, open) {
      const shared = sources.get(key) ?? { source: open(), users: 0 };
      sources.set(key, shared);
      shared.users++;
      let isHeld = true;
      return {
        source: shared.source,
        release() {
          if (isHeld) release(key);
          isHeld = false;
        },
      };
    },
    expectRoom(keyId) {
      if (closing.signal.aborted) throw new UnavailableError("The service is stopping.");
      if (countOf((client) => client.keyId === keyId) < streamsMost) return;
      throw new CallerError(
        "too_many_requests",
        `A key may hold ${streamsMost} streams at a time; close one, or listen to several channels on each.`,
      );
    },
    add(client, outlet) {
      const connection = new Connection(outlet, { clock, log });
      members.set(connection, { client, outlet, taken: 0, stuckAt: undefined });
      void run();
      return { connection, left: () => leave(connection) };
    },
    addMetrics(registry) {
      new Gauge({
        name: "slipway_streams",
        help: "Clients that listen, by how they are connected.",
        labelNames: ["transport"],
        registers: [registry],
        collect() {
          for (const transport of ["sse", "websocket"]) {
            this.set(
              { transport },
              countOf((client) => client.transport === transport),
            );
          }
        },
      });
    },
    close() {
      closing.abort();
      for (const connection of [...members.keys()]) {
        members.delete(connection);
        connection.end(1001, "the service is stopping; connect again");
      }
    },
  };
}
