import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import type { ConfiguredExchange } from "./cex/configured.ts";
import { configuredExchanges } from "./cex/exchange-settings.ts";
import {
  contradictions,
  environmentFaults,
  misplaced,
  missingValues,
  refuse,
  wrongValue,
} from "./config-faults.ts";
import { builtInChains, type ConfiguredChain, configuredChains } from "./dex/configured.ts";
import { messageOf, OperatorError } from "./lib/errors.ts";
import { isObject } from "./lib/is-object.ts";
import { parseYaml } from "./lib/yaml.ts";
import {
  type ConfigLine,
  type Environment,
  type Leaf,
  leavesOf,
  type SettingSchema,
  type Settings,
  SettingsSchema,
  valueAt,
} from "./settings.ts";

/** Everything the service is told from outside, checked. */
export type Config = Omit<Settings, "chains" | "exchanges"> & {
  /** Absolute. */
  dataFolder: string;
  /** The file's blockchains, completed by what is built in for them. */
  chains: ConfiguredChain[];
  exchanges: ConfiguredExchange[];
  limits: { enabled: boolean };
  /** Nobody chose the port, so another will do when it is taken. */
  portIsDefault: boolean;
};

/** A tree of settings, and what to call it. */
type Source = { tree: Record<string, unknown>; origin: string };

/** `.slipway` in the checkout: `src/` and `dist/` lie equally deep. */
const defaultDataFolder = fileURLToPath(new URL("../../.slipway", import.meta.url));
const fileNames = ["slipway.yaml", "slipway.yml", "slipway.json"];

/** Reads file and environment once. Anything wrong stops the service at the door, all of it in one message. */
export function readConfig(environment: Environment): { config: Config; lines: ConfigLine[] } {
  const dataFolder = resolve(environment.SLIPWAY_DATA || defaultDataFolder);
  const file = findFile(environment, dataFolder);
  const fromFile = file ? readFile(file) : {};
  const builtIn = { chains: builtInChains(fromFile.chains) };
  const sources: Source[] = [
    { tree: fromFile, origin: file ?? "" },
    { tree: builtIn, origin: "built in" },
  ];
  const leaves = leavesOf(
    SettingsSchema,
    sources.map(({ tree }) => tree),
  );
  const faults = [
    ...environmentFaults(environment, leaves),
    ...misplaced(SettingsSchema, fromFile, []),
  ];
  const missing: Leaf[] = [];

  const values: Record<string, unknown> = {};
  const dataOrigin = environment.SLIPWAY_DATA ? "SLIPWAY_DATA" : "default";
  const lines: ConfigLine[] = [
    { name: "data", value: dataFolder, isSecret: false, origin: dataOrigin },
  ];
  for (const leaf of leaves) {
    const line = choose(leaf, environment, sources);
    lines.push(line);
    if (line.value !== undefined) {
      put(values, leaf.path, line.value);
      faults.push(...wrongValue(leaf, line));
    } else if (leaf.isRequired) missing.push(leaf);
  }
  refuse([...faults, ...missingValues(missing, builtIn)]);
  const settings = values as Settings;
  refuse(contradictions(settings));

  const { mode, host, limits, chains, exchanges } = settings;
  const enabled = limits.enabled ?? !(mode === "sandbox" && isLoopback(host));
  const portIsDefault = lines.some(({ name, origin }) => name === "port" && origin === "default");
  return {
    config: {
      ...settings,
      dataFolder,
      limits: { ...limits, enabled },
      chains: configuredChains(chains),
      exchanges: configuredExchanges(exchanges),
      portIsDefault,
    },
    lines,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** The environment wins over the file, the file over what is built in, and that over the default. */
function choose(
  { path, schema }: Leaf,
  environment: Environment,
  sources: readonly Source[],
): ConfigLine {
  const line = { name: path.join("."), isSecret: schema.isSecret === true };
  const text = schema.env ? environment[schema.env] : undefined;
  if (text && schema.env) return { ...line, value: fromText(text, schema), origin: schema.env };
  for (const { tree, origin } of sources) {
    const value = written(tree, path, schema);
    if (value !== undefined) return { ...line, value, origin };
  }
  return {
    ...line,
    value: schema.default,
    origin: schema.default === undefined ? "not set" : "default",
  };
}

/** What a tree says at a path, if anything. */
function written(tree: object, path: readonly string[], schema: SettingSchema): unknown {
  const value = valueAt(tree, path);
  const read = typeof value === "string" ? fromText(value, schema) : value;
  const single = schema.singular && valueAt(tree, [...path.slice(0, -1), schema.singular]);
  return single === undefined ? read : [single, read ?? []].flat();
}

/** Text that does not fit is left as it is, for the check to complain about. */
function fromText(text: string, schema: TSchema): unknown {
  if (Type.IsUnion(schema)) {
    const readings = schema.anyOf.map((choice) => fromText(text, choice));
    return readings.find((reading) => Value.Check(schema, reading)) ?? text;
  }
  if (Type.IsInteger(schema) && /^\d(_?\d){0,14}$/.test(text)) {
    return Number(text.replaceAll("_", ""));
  }
  if (Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === "true";
  if (Type.IsArray(schema)) return text.split(",").map((item) => item.trim());
  return text;
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
