import type { Command } from "commander";
import { print, withInstallation } from "./context.ts";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("Bring the database's schema up to date. `start` does this by itself.")
    .action(() =>
      withInstallation(async ({ place }) => print(`The schema is up to date: ${place}`)),
    );
}
