import type { Command } from "commander";
import { sandboxKeys } from "../accounts/api-key.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { didYouMean } from "../lib/suggest.ts";
import { newSecret, signedHeaders } from "../ramp/webhooks/secret.ts";
import { addAccountsCommand } from "./accounts.ts";
import { addAuditCommand } from "./audit.ts";
import { addBackupCommands } from "./backup.ts";
import { addConfigCommand } from "./config.ts";
import { helpEnd } from "./context.ts";
import { addDirectoryCommand } from "./directory.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addEncryptionCommand } from "./encryption.ts";
import { addKeysCommand } from "./keys.ts";
import { addMigrateCommand } from "./migrate.ts";
import { progressBar } from "./progress-bar.ts";
import { addReindexCommand } from "./reindex.ts";
import { addStartCommand } from "./start.ts";

/** What commands that only ask the API borrow from the service. */
export const tools = {
  clock: systemClock,
  random: systemRandom,
  sandboxKeys,
  progressBar,
  helpEnd,
  didYouMean,
  newSecret,
  signedHeaders,
  // Loaded here, so that no other command waits for it.
  exporting: () => import("./export-rows.ts"),
} as const;

export type Tools = typeof tools;

/** Adds the commands that need the database or the service itself. */
export function addServerCommands(program: Command): void {
  addStartCommand(program);
  addKeysCommand(program);
  addAccountsCommand(program);
  addConfigCommand(program);
  addMigrateCommand(program);
  addReindexCommand(program);
  addDirectoryCommand(program);
  addEncryptionCommand(program);
  addAuditCommand(program);
  addBackupCommands(program);
  addDoctorCommand(program);
}
