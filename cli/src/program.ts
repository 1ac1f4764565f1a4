import { addServerCommands } from "@slipway/server/commands";
import { Command } from "commander";
import { addBackfillCommand } from "./commands/backfill.ts";
import { addExportCommand } from "./commands/export.ts";
import { addGetCommand } from "./commands/get.ts";
import { addHealthCommand } from "./commands/health.ts";
import { addListenCommand } from "./commands/listen.ts";
import { addStreamCommand } from "./commands/stream.ts";
import { addTriggerCommand } from "./commands/trigger.ts";
import { exitCodeFor, messageFor } from "./errors.ts";
import { paintFor, type Terminal } from "./terminal.ts";

/** Runs a command as it was typed. Returns the code to end with. */
export async function runSlipway(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = programFor(terminal);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const message = messageFor(error);
    const paint = paintFor(terminal.errors);
    if (message !== undefined) terminal.errors.write(`${paint("slipway:", "red")} ${message}\n`);
    return exitCodeFor(error);
  }
}

function programFor(terminal: Terminal): Command {
  const program = new Command("slipway")
    .description("Market data and a fiat ramp, run by yourself.")
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.errors.write(text),
    })
    .exitOverride()
    .showHelpAfterError("(slipway --help lists the commands)")
    .showSuggestionAfterError();
  addServerCommands(program);
  addHealthCommand(program, terminal);
  addGetCommand(program, terminal);
  addExportCommand(program, terminal);
  addStreamCommand(program, terminal);
  addListenCommand(program, terminal);
  addTriggerCommand(program, terminal);
  addBackfillCommand(program, terminal);
  return program;
}
