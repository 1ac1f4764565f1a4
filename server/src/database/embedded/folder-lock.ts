import pg from "pg";
import type { Address } from "../address.ts";
import { clientConfig } from "../pool.ts";

/** Held while a service or a command owns the data folder; gone the moment its process is gone. */
export type FolderLock = {
  /** Resolves when the connection that holds the lock has ended. */
  lost: Promise<void>;
  /** Makes the database if it is not there. */
  ensureDatabase(name: string): Promise<void>;
  release(): Promise<void>;
};

/** An arbitrary number that only this lock uses. */
const lockNumber = 7_264_510;

/** Tries to become the owner. `unreachable`: the server is starting, stopping or gone. */
export async function claimFolder(address: Address): Promise<FolderLock | "taken" | "unreachable"> {
  const client = new pg.Client({
    ...clientConfig(address),
    application_name: `slipway pid ${process.pid}`,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
    const { rows } = await client.query<{ ours: boolean }>(
      `select pg_try_advisory_lock(${lockNumber}) as ours`,
    );
    if (!rows[0]?.ours) {
      await client.end();
      return "taken";
    }
    return {
      lost,
      ensureDatabase: (name) => ensureDatabase(client, name),
      release: () => client.end().catch(() => {}),
    };
  } catch {
    await client.end().catch(() => {});
    return "unreachable";
  }
}

/** Who holds the lock, in words such as `slipway pid 4711`. */
export async function findOwner(address: Address): Promise<string> {
  const client = new pg.Client(clientConfig(address));
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ owner: string }>(
      `select application_name as owner from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and objid = ${lockNumber} and granted`,
    );
    return rows[0]?.owner ?? "another process";
  } catch {
    return "another process";
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  if (!rowCount) await client.query(`create database "${name}"`);
}
