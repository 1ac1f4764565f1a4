import type { Command } from "commander";
import { addAccountsCommand } from "./accounts.ts";
import { addAuditCommand } from "./audit.ts";
import { addConfigCommand } from "./config.ts";
import { addDirectoryCommand } from "./directory.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addEncryptionCommand } from "./encryption.ts";
import { addKeysCommand } from "./keys.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addReindexCommand } from "./reindex.ts";
import { addStartCommand } from "./start.ts";

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
  addDoctorCommand(program);
}
