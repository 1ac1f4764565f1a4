import pino, { type Logger } from "pino";
import { scrub } from "./scrub.ts";

export type Log = Logger;
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/** A log whose every line is scrubbed of API keys; short lines for people, JSON for machines. */
export function openLog(options: {
  level: LogLevel;
  pretty: boolean;
  write(line: string): void;
}): Log {
  const toLine = options.pretty ? prettyLine : (json: string) => json;
  return pino(
    { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (json: string) => options.write(toLine(scrub(json))) },
  );
}

function prettyLine(json: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const name = pino.levels.labels[Number(level)] ?? "info";
  const details = Object.entries(rest).map(([key, value]) => `${key}=${shortValue(value)}`);
  const trace = err && typeof err === "object" && "stack" in err ? `\n${String(err.stack)}` : "";
  return `${[String(time).slice(11, 19), name.padEnd(5), msg, ...details].join(" ")}${trace}\n`;
}

function shortValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
