import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkInstallation } from "./accounts/keys.ts";
import type { Config } from "./config.ts";
import { type Address, parseDatabaseUrl, showAddress } from "./database/address.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { startEmbedded } from "./database/embedded/embedded.ts";
import { migrate, migrationsFolder, readMigrations } from "./database/migrate.ts";
import { readEncryptionKeys } from "./encryption-keys.ts";
import { systemClock } from "./lib/clock.ts";
import { messageOf, OperatorError } from "./lib/errors.ts";
import type { Log } from "./lib/log.ts";
import { systemRandom } from "./lib/random.ts";
import { openSealer, type Sealer } from "./lib/seal.ts";

const clock = systemClock;
const random = systemRandom;
const poolSize = 10;
/** PostgreSQL before this lacks something that we use. */
export const oldestVersion = 15;

/** A database that is ready to be used, and the secret that belongs to it. */
export type Installation = {
  db: Database;
  addresses: Address[];
  secret: string;
  sealing: Sealing;
  /** Where the data is, in words. */
  place: string;
  /** Resolves when we must stop because somebody else took the data over. */
  lost: Promise<Error>;
  close(): Promise<void>;
};

/** What sensitive fields are sealed with; plain values, so that a thread can be handed them. */
export type Sealing = { keys: readonly Uint8Array[]; digestKey: Uint8Array };

/** A database with the schema of this build, whatever it holds. */
export type MigratedDatabase = Pick<Installation, "db" | "addresses" | "place" | "lost" | "close">;

/** Opens the configured database or the embedded one, and brings its schema up to date. */
export async function openInstallation(
  config: Config,
  purpose: "service" | "command",
  log: Log,
): Promise<Installation> {
  const database = await openMigrated(config, purpose, log);
  try {
    const { db } = database;
    const secret = config.secret ?? ownSecret(config.dataFolder);
    await checkInstallation({ db, mode: config.mode, secret, clock, random });
    const sealing = {
      keys: readEncryptionKeys(config, random),
      digestKey: createHmac("sha256", secret).update("digests").digest(),
    };
    return { ...database, secret, sealing };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The same without asking whose database it is. */
export async function openMigrated(
  config: Config,
  purpose: "service" | "command",
  log: Log,
): Promise<MigratedDatabase> {
  const { addresses, place, lost, stop } = config.databaseUrl
    ? configuredServer(config.databaseUrl)
    : await embeddedServer(config, purpose, log);
  const db = openDatabase({ addresses, poolSize, clock, random, log });
  const close = async () => {
    await db.close();
    await stop();
  };
  try {
    await checkServer(db, place);
    for (const { number, name } of await migrate(db, readMigrations(migrationsFolder), clock)) {
      log.info(`migrated the database: ${number} ${name}`);
    }
    return { db, addresses, place, lost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Seals and opens sensitive fields. */
export function sealerOf({ keys, digestKey }: Sealing): Sealer {
  return openSealer({
    keys: keys.map((key) => Buffer.from(key)),
    digestKey: Buffer.from(digestKey),
    random,
  });
}

type RunningServer = {
  addresses: Address[];
  place: string;
  lost: Promise<Error>;
  stop(): Promise<void>;
};

function configuredServer(url: string): RunningServer {
  const addresses = parseDatabaseUrl(url);
  return {
    addresses,
    place: addresses.map(showAddress).join(", "),
    lost: new Promise(() => {}),
    stop: () => Promise.resolve(),
  };
}

async function embeddedServer(
  config: Config,
  purpose: "service" | "command",
  log: Log,
): Promise<RunningServer> {
  const { address, folder, lost, stop } = await startEmbedded({
    dataFolder: config.dataFolder,
    purpose,
    clock,
    random,
    log,
  });
  return { addresses: [address], place: `${folder} (embedded PostgreSQL)`, lost, stop };
}

async function checkServer(db: Database, place: string): Promise<void> {
  const version = await db.ping().catch((error) => {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    throw new OperatorError(
      `The database at ${place} cannot be used: ${messageOf(cause)}. ` +
        "Check DATABASE_URL and that the server runs, or unset it to use the embedded PostgreSQL.",
      { cause },
    );
  });
  if (version >= oldestVersion) return;
  throw new OperatorError(
    `The database at ${place} is PostgreSQL ${version}; Slipway needs ${oldestVersion} or newer.`,
  );
}

/** Without a configured secret the data folder keeps one, made at the first start. */
function ownSecret(dataFolder: string): string {
  const file = join(dataFolder, "secret");
  if (!existsSync(file)) {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, random.bytes(48).toString("base64"), { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8");
}
