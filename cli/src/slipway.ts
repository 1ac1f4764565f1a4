import { addServerCommands } from "@slipway/server/commands";
import { Command } from "commander";
import { addHealthCommand } from "./commands/health.ts";

const program = new Command("slipway")
  .description("Market data and a fiat ramp, run by yourself.")
  .showHelpAfterError("(slipway --help lists the commands)")
  .showSuggestionAfterError();
addServerCommands(program);
addHealthCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const isExpected =
    error instanceof Error && ["OperatorError", "SlipwayError"].includes(error.name);
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`slipway: ${text}\n`);
  process.exit(1);
}
