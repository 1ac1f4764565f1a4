import type { Command } from "commander";
import type { ConfigLine } from "../settings.ts";
import { ourConfig, printJson, printTable } from "./context.ts";

/** Longer values are cut in the table. */
const widthMost = 100;

export function addConfigCommand(program: Command): void {
  const config = program.command("config").description("Look at the configuration.");
  config
    .command("print")
    .description("Every setting, its value, and where the value came from. Secrets are masked.")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => {
      const { lines } = ourConfig();
      if (json) {
        printJson(
          lines.map((line) => ({ name: line.name, value: shown(line), origin: line.origin })),
        );
      } else {
        printTable(
          ["setting", "value", "from"],
          lines.map((line) => [line.name, cut(shown(line)), line.origin]),
        );
      }
    });
}

function shown({ value, isSecret }: ConfigLine): string {
  if (value === undefined) return "-";
  if (!isSecret) return text(value);
  return Array.isArray(value) ? value.map(hostOf).join(", ") : masked(value);
}

function cut(value: string): string {
  return value.length > widthMost ? `${value.slice(0, widthMost - 1)}…` : value;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An address is worth seeing, the password in it is not. */
function masked(value: unknown): string {
  const [, scheme, place] = /^(\w+:\/\/)(?:[^@]*@)?([^?#]*)/.exec(text(value)) ?? [];
  return scheme ? `${scheme}***@${place}` : "***";
}

/** Nodes have keys anywhere in their URLs. */
function hostOf(url: unknown): string {
  return URL.canParse(text(url)) ? new URL(text(url)).host : "***";
}
