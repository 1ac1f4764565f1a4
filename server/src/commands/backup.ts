import { resolve } from "node:path";
import type { Command } from "commander";
import { openMigrated } from "../installation.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { backUp, restore } from "./backup/backup-installation.ts";
import { commandLog, helpEnd, ourConfig, print, printJson, withInstallation } from "./context.ts";
import { progressBar } from "./progress-bar.ts";

/** Adds the commands that write an installation into a file, and make one of it. */
export function addBackupCommands(program: Command): void {
  program
    .command("backup <file>")
    .description("Write everything that is in the database into one file, while the service runs.")
    .option(
      "--with-secrets",
      "put the secret and the encryption keys into the file too: whoever has it can read everything",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      helpEnd(
        ["slipway backup slipway-2026-11-15.backup"],
        "The file holds all rows as they were at one moment, compressed and with a checksum. In sandbox mode the local",
        "chain is in it too. The secret and the encryption keys are not, unless you ask for it: keep the files `secret`",
        "and `encryption-keys` of the data folder, or SLIPWAY_SECRET and SLIPWAY_ENCRYPTION_KEYS, in another safe place.",
      ),
    )
    .action((name: string, { withSecrets = false, json }) =>
      withInstallation(async (installation, config) => {
        const file = resolve(name);
        const bar = progressBar("backup", process.stderr, clock);
        const { progressed, log } = { progressed: bar.show, log: commandLog(config) };
        const told = { config, installation, file, withSecrets, clock, log, progressed };
        const written = await backUp(told);
        bar.end();
        if (json) printJson({ file, ...written, withSecrets });
        else print(backupInWords(file, written, withSecrets, config.dataFolder));
      }),
    );
  program
    .command("restore <file>")
    .description("Fill an empty database with a backup: all of it, or nothing.")
    .option("--despite-missing-keys", "go on although nobody can read what is encrypted")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      helpEnd(
        ["SLIPWAY_DATA=/srv/slipway-new slipway restore slipway-2026-11-15.backup"],
        "The file is checked before anything is touched. The database has to be new, and the version of Slipway has to",
        "have the schema of the backup. The secret and the encryption keys have to be there, unless they are in the file.",
      ),
    )
    .action(async (name: string, { despiteMissingKeys = false, json }) => {
      const { config } = ourConfig();
      const log = commandLog(config);
      const file = resolve(name);
      let bar = progressBar("checking", process.stderr, clock);
      const restored = await restore({
        ...{ config, file, despiteMissingKeys, log },
        open: async () => {
          bar.end();
          const database = await openMigrated(config, "command", log);
          bar = progressBar("restoring", process.stderr, clock);
          return database;
        },
        checked: (done, total) => bar.show(done, total),
        progressed: (done, total) => bar.show(done, total),
      });
      bar.end();
      if (json) printJson({ file, ...restored });
      else {
        print(
          `${counted(restored)} of ${restored.createdAt} are restored. \`slipway doctor\` looks whether all is well.`,
        );
      }
    });
}

type Counts = { tables: number; rows: number };

function backupInWords(
  file: string,
  written: Counts & { bytes: number },
  withSecrets: boolean,
  dataFolder: string,
): string {
  const what = `${file}: ${counted(written)}, ${written.bytes.toLocaleString("en")} bytes.`;
  const rest = withSecrets
    ? "The secret and the encryption keys are in it: keep it like a password."
    : `Not in it, and needed with it: the secret and the encryption keys (SLIPWAY_SECRET and SLIPWAY_ENCRYPTION_KEYS, ` +
      `or the files \`secret\` and \`encryption-keys\` in ${dataFolder}).`;
  return `${what}\n${rest}`;
}

function counted({ rows, tables }: Counts): string {
  return `${rows.toLocaleString("en")} rows of ${tables} tables`;
}
