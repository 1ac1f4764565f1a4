import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "../server/src/database/address.ts";
import { type Database, openDatabase } from "../server/src/database/database.ts";
import { startEmbedded } from "../server/src/database/embedded/embedded.ts";
import { migrate, migrationsFolder, readMigrations } from "../server/src/database/migrate.ts";
import { sql, verbatim } from "../server/src/database/sql.ts";
import { systemClock } from "../server/src/lib/clock.ts";
import { systemRandom } from "../server/src/lib/random.ts";
import { silentLog } from "../server/test/silent-log.ts";

const context = { clock: systemClock, random: systemRandom, log: silentLog };

/** A PostgreSQL that only the benchmark uses, with the settings of the embedded one. */
export type Postgres = {
  /** Where files may be put that the server can reach. They go with it. */
  folder: string;
  /** An empty database with our tables. */
  create(name: string): Promise<Address>;
  /** An empty database without any. */
  createPlain(name: string): Promise<Address>;
  /** Writes out what is dirty, so that nobody pays for the work of another. */
  settle(): Promise<void>;
};

/** Runs such a PostgreSQL for as long as `use` takes. */
export async function withPostgres(use: (postgres: Postgres) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), "slipway-bench-"));
  chmodSync(dataFolder, 0o755);
  const { address, stop } = await startEmbedded({ dataFolder, purpose: "service", ...context });
  try {
    await use(postgresAt(address, dataFolder));
  } finally {
    await stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function postgresAt(address: Address, folder: string): Postgres {
  const server = { ...address, database: "postgres" };
  const run = (statement: string) =>
    withDatabase(server, (db) => db.query(sql`${verbatim(statement)}`));

  async function createPlain(name: string): Promise<Address> {
    await run(`drop database if exists ${name} with (force)`);
    await run(`create database ${name}`);
    return { ...server, database: name };
  }

  return {
    folder,
    createPlain,
    async create(name) {
      const created = await createPlain(name);
      await withDatabase(created, (db) =>
        migrate(db, readMigrations(migrationsFolder), systemClock),
      );
      return created;
    },
    async settle() {
      await run("checkpoint");
    },
  };
}

/** Opens a database for as long as `use` takes. */
export async function withDatabase<Result>(
  address: Address,
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ addresses: [address], poolSize: 2, ...context });
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
