import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { parse as parseYaml } from "yaml";
import { messageOf, OperatorError } from "./lib/errors.ts";
import { isObject } from "./lib/is-object.ts";
import { didYouMean } from "./lib/suggest.ts";
import { type Leaf, leavesOf, type Settings, SettingsSchema } from "./settings.ts";

/** Everything the service is told from outside, checked. */
export type Config = Settings & {
  /** Absolute. */
  dataFolder: string;
  limits: { enabled: boolean };
  /** Nobody chose the port, so another will do when it is taken. */
  portIsDefault: boolean;
};

/** One line of `slipway config print`. */
export type ConfigLine = { name: string; value: unknown; isSecret: boolean; origin: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** `.slipway` in the checkout: `src/` and `dist/` lie equally deep. */
const defaultDataFolder = fileURLToPath(new URL("../../.slipway", import.meta.url));
const fileNames = ["slipway.yaml", "slipway.yml", "slipway.json"];

/** Variables that are no setting: they say where to find the settings and the data. */
const placeVariables = ["SLIPWAY_DATA", "SLIPWAY_CONFIG"];

/** Reads file and environment once. Anything wrong stops the service at the door, all of it in one message. */
export function readConfig(environment: Environment): { config: Config; lines: ConfigLine[] } {
  const leaves = leavesOf(SettingsSchema);
  const faults = environmentFaults(environment, leaves);
  const dataFolder = resolve(environment.SLIPWAY_DATA || defaultDataFolder);
  const file = findFile(environment, dataFolder);
  const fromFile = file ? readFile(file) : {};
  faults.push(...unknownKeys(SettingsSchema, fromFile, []));

  const values: Record<string, unknown> = {};
  const dataOrigin = environment.SLIPWAY_DATA ? "SLIPWAY_DATA" : "default";
  const lines: ConfigLine[] = [
    { name: "data", value: dataFolder, isSecret: false, origin: dataOrigin },
  ];
  for (const leaf of leaves) {
    const line = choose(leaf, fromFile, environment, file);
    lines.push(line);
    if (line.value === undefined) continue;
    put(values, leaf.path, line.value);
    if (!Value.Check(leaf.schema, line.value)) {
      faults.push(`${line.name} (from ${line.origin}) ${leaf.schema.description}.`);
    }
  }
  refuse(faults);
  const settings = values as Settings;
  refuse(contradictions(settings));

  const { mode, host, limits } = settings;
  const enabled = limits.enabled ?? !(mode === "sandbox" && isLoopback(host));
  const portIsDefault = lines.some(({ name, origin }) => name === "port" && origin === "default");
  return {
    config: { ...settings, dataFolder, limits: { ...limits, enabled }, portIsDefault },
    lines,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new OperatorError(
    `The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
  );
}

/** The environment wins over the file, the file over the default. */
function choose(
  { path, schema }: Leaf,
  fromFile: object,
  environment: Environment,
  file = "",
): ConfigLine {
  const line = { name: path.join("."), isSecret: schema.isSecret === true };
  const text = schema.env ? environment[schema.env] : undefined;
  if (text && schema.env) return { ...line, value: fromText(text, schema), origin: schema.env };
  const inFile = path.reduce<unknown>(
    (here, name) => (isObject(here) ? here[name] : undefined),
    fromFile,
  );
  if (inFile !== undefined && inFile !== null) return { ...line, value: inFile, origin: file };
  return {
    ...line,
    value: schema.default,
    origin: schema.default === undefined ? "not set" : "default",
  };
}

/** Text that does not fit is left as it is, for the check to complain about. */
function fromText(text: string, schema: TSchema): unknown {
  const type = "type" in schema ? schema.type : undefined;
  if (type === "integer" && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  if (type === "array") return text.split(",").map((item) => item.trim());
  return text;
}

/** Empty variables, misspelt ones of ours, and half of a database. */
function environmentFaults(environment: Environment, leaves: readonly Leaf[]): string[] {
  const known = [...leaves.flatMap(({ schema }) => schema.env ?? []), ...placeVariables];
  const faults: string[] = [];
  for (const name of Object.keys(environment)) {
    if (known.includes(name)) {
      if (environment[name] === "")
        faults.push(`${name} is set but empty. Give it a value or unset it.`);
    } else if (name.startsWith("SLIPWAY_")) {
      faults.push(`${name} is not a variable of Slipway's.${didYouMean(name, known)}`);
    }
  }
  const half = ["PGHOST", "PGDATABASE", "PGSERVICE"].filter((name) => environment[name]);
  if (half.length > 0 && !environment.DATABASE_URL) {
    faults.push(
      `${half.join(" and ")} is set but DATABASE_URL is not. ` +
        "Set DATABASE_URL to use that server, or unset the other to use the embedded PostgreSQL.",
    );
  }
  return faults;
}

/** What the settings forbid together. */
function contradictions({ mode, databaseUrl, secret }: Settings): string[] {
  if (mode !== "live" || !databaseUrl || secret) return [];
  return [
    "secret (SLIPWAY_SECRET) is missing: in live mode with DATABASE_URL every machine must be given the same one, " +
      "for example from `openssl rand -base64 48`.",
  ];
}

function findFile(environment: Environment, dataFolder: string): string | undefined {
  const named = environment.SLIPWAY_CONFIG;
  if (named && !existsSync(named))
    throw new OperatorError(`SLIPWAY_CONFIG names ${named}, which does not exist.`);
  return named ?? fileNames.map((name) => join(dataFolder, name)).find((path) => existsSync(path));
}

function readFile(file: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = parseYaml(readFileSync(file, "utf8")) ?? {};
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (isObject(content)) return content;
  throw new OperatorError(`${file} must hold settings such as \`mode: sandbox\`.`);
}

function unknownKeys(schema: TSchema, value: unknown, path: string[]): string[] {
  if (!("properties" in schema) || !isObject(value)) return [];
  const properties = schema.properties as Record<string, TSchema>;
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = properties[name];
    if (known) return unknownKeys(known, inner, [...path, name]);
    return [
      `${[...path, name].join(".")} is not a setting.${didYouMean(name, Object.keys(properties))}`,
    ];
  });
}

function put(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = isObject(tree[name]) ? tree[name] : {};
  tree[name] = inner;
  put(inner, rest, value);
}
