import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import type { Address } from "../src/database/address.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { clientConfig } from "../src/database/pool.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { silentLog } from "./silent-log.ts";

/** Runs statements as the server's administrator, outside any test database. */
export async function withAdmin<Result>(
  server: Address,
  use: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client(clientConfig(server));
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}

/** Makes a database of this test file's own, a copy of the migrated template. */
export async function createTestDatabase(): Promise<{ address: Address; drop(): Promise<void> }> {
  const server = inject("server");
  const name = `slipway_test_${randomBytes(6).toString("hex")}`;
  await withAdmin(server, (admin) =>
    admin.query(`create database ${name} template ${inject("template")}`),
  );
  return {
    address: { ...server, database: name },
    drop: () =>
      withAdmin(server, async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** A private, migrated database for the test file that calls this. */
export function useDatabase(poolSize = 8): { db: Database; address: Address } {
  const held = {} as { db: Database; address: Address };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await createTestDatabase();
    drop = created.drop;
    held.address = created.address;
    held.db = openDatabase({
      addresses: [created.address],
      poolSize,
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
    });
  });
  afterAll(async () => {
    await held.db.close();
    await drop();
  });
  return held;
}
