import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { type WrittenBackup, writeBackup } from "../../database/backup/backup.ts";
import { checkFile } from "../../database/backup/backup-file.ts";
import { type RestoredBackup, readHeader, restoreBackup } from "../../database/backup/restore.ts";
import type { Installation, MigratedDatabase } from "../../installation.ts";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { version } from "../../version.ts";
import { checksOf, placeSecrets, type SecretChecks, type Secrets } from "./secrets.ts";

/** What a backup says of the installation that it was made of. */
type About = {
  version: string;
  mode: Config["mode"];
  createdAt: string;
  checks: SecretChecks;
  secrets: Secrets | null;
};

type Progressed = (done: number, total: number) => void;

type BackupOptions = {
  config: Pick<Config, "mode" | "dataFolder">;
  installation: Pick<Installation, "addresses" | "secret" | "sealing">;
  file: string;
  withSecrets: boolean;
  clock: Clock;
  log: Log;
  progressed: Progressed;
};

/** Writes everything that an installation holds into one file. */
export function backUp(options: BackupOptions): Promise<WrittenBackup> {
  const { config, installation, file, withSecrets, clock, log, progressed } = options;
  if (existsSync(file)) {
    throw new OperatorError(`${file} exists already. Give another name, or move it away.`);
  }
  const secrets: Secrets = {
    secret: installation.secret,
    encryptionKeys: installation.sealing.keys.map((key) => Buffer.from(key).toString("base64")),
  };
  const about: About = {
    version,
    mode: config.mode,
    createdAt: timestamp(new Date(clock.now())),
    checks: checksOf(secrets),
    secrets: withSecrets ? secrets : null,
  };
  const { addresses } = installation;
  return writeBackup({ addresses, log, file, about, files: filesIn(config), progressed });
}

type RestoreOptions = {
  config: Pick<Config, "mode" | "dataFolder" | "secret" | "encryptionKeys">;
  /** Opens the database that is to be filled; called when the file was found good. */
  open(): Promise<Pick<MigratedDatabase, "addresses" | "close">>;
  file: string;
  despiteMissingKeys: boolean;
  log: Log;
  checked: Progressed;
  progressed: Progressed;
};

/** Makes an installation of a backup. Nothing is touched unless the file is whole and fits. */
export async function restore(
  options: RestoreOptions,
): Promise<RestoredBackup & Omit<About, "checks" | "secrets">> {
  const { config, file, despiteMissingKeys, log, checked, progressed } = options;
  await checkFile(file, checked);
  const { about } = await readHeader<About>(file);
  refuseOtherMode(about, config);
  const takeAway = placeSecrets(config, about, { despiteMissingKeys });
  try {
    const { addresses, close } = await options.open();
    try {
      const target = { addresses, log, file, files: filesIn(config), progressed };
      const { version, mode, createdAt } = about;
      return { ...(await restoreBackup(target)), version, mode, createdAt };
    } finally {
      await close();
    }
  } catch (error) {
    takeAway();
    throw error;
  }
}

/** The sandbox's chain is in no database; live mode has no such thing. */
function filesIn({ mode, dataFolder }: Pick<Config, "mode" | "dataFolder">) {
  const name = "sandbox-chain/blocks.jsonl";
  const files: Record<string, string> = {};
  if (mode === "sandbox") files[name] = join(dataFolder, name);
  return files;
}

function refuseOtherMode({ mode }: About, config: Pick<Config, "mode">): void {
  if (mode === config.mode) return;
  throw new OperatorError(
    `The backup is of ${mode} mode, this is ${config.mode} mode. Set SLIPWAY_MODE=${mode}.`,
  );
}
