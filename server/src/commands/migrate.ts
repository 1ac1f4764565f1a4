import type { Command } from "commander";
import { helpEnd, print, printJson, withInstallation } from "./context.ts";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("Bring the database's schema up to date. `start` does this by itself.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway migrate"]))
    .action(({ json }) =>
      withInstallation(async ({ place }) => {
        if (json) printJson({ ok: true, place });
        else print(`The schema is up to date: ${place}`);
      }),
    );
}
