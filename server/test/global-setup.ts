import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Address, parseDatabaseUrl } from "../src/database/address.ts";
import { openDatabase } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded/embedded.ts";
import { migrate, migrationsFolder, readMigrations } from "../src/database/migrate.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { silentLog } from "./silent-log.ts";
import { withAdmin } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    server: Address;
    /** The migrated database in it that is copied. */
    template: string;
  }
}

const context = { clock: systemClock, random: systemRandom, log: silentLog };

/** One PostgreSQL for the whole run, and in it a migrated database that every test file copies. */
export async function setup(project: TestProject) {
  const url = process.env.TEST_DATABASE_URL;
  const { server, template, readyFolder, stop } = url ? await theirs(url) : await ours();
  project.provide("server", server);
  project.provide("template", template);
  project.provide("readyFolder", readyFolder);
  return stop;
}

async function theirs(url: string) {
  const server = firstOf(url);
  const template = "slipway_test_template";
  await withAdmin(server, async (admin) => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.query(`create database ${template}`);
  });
  await migrateAt({ ...server, database: template });
  return { server, template, readyFolder: "", stop: async () => {} };
}

async function ours() {
  const [dataFolder, readyFolder] = [newFolder(), newFolder()];
  const options = { dataFolder, purpose: "service", ...context } as const;
  const first = await startEmbedded(options);
  await migrateAt(first.address);
  await first.stop();
  // With their owner, who may be another user.
  execFileSync("cp", ["-a", first.folder, readyFolder]);
  // What is in it ends with the run: nobody has to wait for a disk.
  const hasty = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n";
  appendFileSync(join(first.folder, "postgresql.conf"), hasty);
  const { address, stop } = await startEmbedded(options);
  return {
    server: { ...address, database: "postgres" },
    template: address.database,
    readyFolder,
    async stop() {
      await stop();
      for (const folder of [dataFolder, readyFolder]) rmSync(folder, { recursive: true });
    },
  };
}

async function migrateAt(address: Address): Promise<void> {
  const db = openDatabase({ addresses: [address], poolSize: 1, ...context });
  await migrate(db, readMigrations(migrationsFolder), systemClock);
  await db.close();
}

/** A folder that the user may enter as whom PostgreSQL runs. */
function newFolder(): string {
  const folder = mkdtempSync("/tmp/slipway-tests-");
  chmodSync(folder, 0o755);
  return folder;
}

function firstOf(url: string): Address {
  const [address] = parseDatabaseUrl(url);
  if (!address) throw new Error("TEST_DATABASE_URL names no server.");
  return address;
}
