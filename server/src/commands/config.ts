import type { Command } from "commander";
import { shownSetting } from "../shown-setting.ts";
import { helpEnd, ourConfig, printJson, printTable } from "./context.ts";

/** Longer values are cut in the table. */
const widthMost = 100;

export function addConfigCommand(program: Command): void {
  const config = program.command("config").description("Look at the configuration.");
  config
    .command("print")
    .description("Every setting, its value, and where the value came from. Secrets are masked.")
    .option("--json", "print JSON")
    .addHelpText("after", helpEnd(["slipway config print"]))
    .action(({ json }: { json?: boolean }) => {
      const { lines } = ourConfig();
      const settings = lines.map((line) => {
        const { name, value, origin } = shownSetting(line);
        return { name, value: value ?? "-", origin };
      });
      if (json) printJson(settings);
      else {
        printTable(
          ["setting", "value", "from"],
          settings.map(({ name, value, origin }) => [name, cut(value), origin]),
        );
      }
    });
}

function cut(value: string): string {
  return value.length > widthMost ? `${value.slice(0, widthMost - 1)}…` : value;
}
