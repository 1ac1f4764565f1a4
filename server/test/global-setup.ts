import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { type Address, parseDatabaseUrl } from "../src/database/address.ts";
import { openDatabase } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded/embedded.ts";
import { migrate, migrationsFolder, readMigrations } from "../src/database/migrate.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { silentLog } from "./silent-log.ts";
import { templateName, withAdmin } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    server: Address;
  }
}

const context = { clock: systemClock, random: systemRandom, log: silentLog };

/** One PostgreSQL for the whole run, and in it a migrated database that every test file copies. */
export async function setup(project: TestProject) {
  const { server, stop } = process.env.TEST_DATABASE_URL
    ? { server: firstOf(process.env.TEST_DATABASE_URL), stop: async () => {} }
    : await embedded();
  await withAdmin(server, async (admin) => {
    await admin.query(`drop database if exists ${templateName} with (force)`);
    await admin.query(`create database ${templateName}`);
  });
  const db = openDatabase({
    addresses: [{ ...server, database: templateName }],
    poolSize: 1,
    ...context,
  });
  await migrate(db, readMigrations(migrationsFolder), systemClock);
  await db.close();
  project.provide("server", server);
  return stop;
}

async function embedded(): Promise<{ server: Address; stop(): Promise<void> }> {
  const dataFolder = mkdtempSync("/tmp/slipway-tests-");
  chmodSync(dataFolder, 0o755);
  const { address, stop } = await startEmbedded({ dataFolder, purpose: "service", ...context });
  return {
    server: { ...address, database: "postgres" },
    async stop() {
      await stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function firstOf(url: string): Address {
  const [address] = parseDatabaseUrl(url);
  if (!address) throw new Error("TEST_DATABASE_URL names no server.");
  return address;
}
