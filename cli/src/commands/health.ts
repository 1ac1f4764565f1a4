import { Slipway, UnreachableError } from "@slipway/sdk";
import { tools } from "@slipway/server/commands";
import type { Command } from "commander";
import { type ServiceOptions, withUrlOption } from "../asked-service.ts";
import { CommandError, howToReach } from "../errors.ts";
import { prettyJson } from "../json-text.ts";
import { paintFor, type Terminal } from "../terminal.ts";

/** Adds the command that asks a service how it is. */
export function addHealthCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("health")
    .description("Ask a running service how it is. Exits with 1 when it is not ready.")
    .option("--json", "print the answer as it came, on a terminal too");
  withUrlOption(command)
    .addHelpText("after", tools.helpEnd(["slipway health"]))
    .action(async ({ url, json }: ServiceOptions & { json?: boolean }) => {
      const health = await new Slipway({ baseUrl: url, retries: 0 }).health().catch((cause) => {
        if (!(cause instanceof UnreachableError)) throw cause;
        throw new CommandError(`Nothing answers at ${url}. ${howToReach}`, { cause });
      });
      const { out } = terminal;
      const text = JSON.stringify(health, null, 2);
      out.write(`${out.isTTY && !json ? prettyJson(text, paintFor(out)) : text}\n`);
      if (health.status === "unavailable") throw new CommandError("The service is not ready.");
    });
}
