import { type Config, readConfig } from "../config.ts";
import { type Installation, openInstallation } from "../installation.ts";
import { type Log, openLog } from "../lib/log.ts";
import type { ConfigLine } from "../settings.ts";

/** The one place that reads the process's environment. */
export function ourConfig(): { config: Config; lines: ConfigLine[] } {
  // biome-ignore lint/style/noProcessEnv: everything below is handed values
  return readConfig(process.env);
}

/** Runs a command against the database: the running service's, or our own for as long as it takes. */
export async function withInstallation(
  use: (installation: Installation, config: Config) => Promise<void>,
): Promise<void> {
  const { config } = ourConfig();
  const installation = await openInstallation(config, "command", commandLog(config));
  try {
    await use(installation, config);
  } finally {
    await installation.close();
  }
}

/** What commands log: only what is worth a look, for people. */
export function commandLog({ logLevel }: Pick<Config, "logLevel">): Log {
  const level = logLevel === "info" ? "warn" : logLevel;
  return openLog({ level, pretty: true, write: (line) => void process.stderr.write(line) });
}

/** The end of a command's help: how it is typed, and what else is worth knowing. */
export function helpEnd(lines: readonly string[], ...more: string[]): string {
  const examples = lines.map((line) => `  $ ${line}`).join("\n");
  const rest = more.length > 0 ? `\n\n${more.join("\n")}` : "";
  return `\n${lines.length > 1 ? "Examples" : "Example"}:\n${examples}${rest}`;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Rows in columns as wide as their widest cell. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
