import pg from "pg";
import type { Log } from "../lib/log.ts";
import type { Address } from "./address.ts";
import { isUnavailable } from "./failures.ts";

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 60_000;

/** int8 is an exact number in PostgreSQL, so it is one here. */
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** What `pg` needs to know to reach one address. Nothing is left for it to take from the environment. */
export function clientConfig(address: Address): pg.ClientConfig {
  return {
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    password: address.password ?? "",
    ssl: address.ssl ?? false,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "slipway",
  };
}

export type Pool = {
  /** A connection to the first host that takes writes. Give it back with `release`. */
  connect(): Promise<pg.PoolClient>;
  close(): Promise<void>;
};

/** A pool over one or several hosts, which moves on to the next host when one is gone or only reads. */
export function openPool(options: { addresses: Address[]; poolSize: number; log: Log }): Pool {
  const { addresses, poolSize, log } = options;
  let preferred = 0;

  class Client extends pg.Client {
    constructor() {
      const address = addresses[preferred];
      super({ ...(address && clientConfig(address)), statement_timeout: statementTimeoutMs });
      // A connection that breaks while it is lent out reports here; the query in flight fails by itself.
      this.on("error", (error) => log.debug({ reason: error.message }, "lost a connection"));
    }
  }

  const pool = new pg.Pool({
    Client,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    ...(addresses.length > 1 ? { onConnect: refuseStandby } : {}),
  });
  // An idle connection that breaks is the pool's to replace, not a reason to end the process.
  pool.on("error", () => {});

  /** Many connections may fail at once: only the first of them moves on. */
  const moveOnFrom = (index: number) => {
    if (preferred === index) preferred = (index + 1) % addresses.length;
  };

  async function connect(hostsLeft: number): Promise<pg.PoolClient> {
    const index = preferred;
    try {
      return await pool.connect();
    } catch (error) {
      if (hostsLeft === 0 || !isUnavailable(error)) throw error;
      moveOnFrom(index);
      return connect(hostsLeft - 1);
    }
  }

  return { connect: () => connect(addresses.length - 1), close: () => pool.end() };
}

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>(
    "select pg_is_in_recovery() as standby",
  );
  if (rows[0]?.standby) throw new Error("Connection terminated: this host is a standby");
}
