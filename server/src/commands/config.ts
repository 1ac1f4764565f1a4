import type { Command } from "commander";
import type { ConfigLine } from "../config.ts";
import { ourConfig, printJson, printTable } from "./context.ts";

export function addConfigCommand(program: Command): void {
  const config = program.command("config").description("Look at the configuration.");
  config
    .command("print")
    .description("Every setting, its value, and where the value came from. Secrets are masked.")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => {
      const rows = ourConfig().lines.map(shown);
      if (json) printJson(rows);
      else
        printTable(
          ["setting", "value", "from"],
          rows.map(({ name, value, origin }) => [name, value, origin]),
        );
    });
}

function shown({ name, value, isSecret, origin }: ConfigLine): {
  name: string;
  value: string;
  origin: string;
} {
  return {
    name,
    value: value === undefined ? "-" : isSecret ? masked(value) : text(value),
    origin,
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An address is worth seeing, the password in it is not. */
function masked(value: unknown): string {
  const [, scheme, host] = /^(\w+:\/\/)(?:[^@]*@)?(.*)$/.exec(text(value)) ?? [];
  return scheme ? `${scheme}***@${host}` : "***";
}
