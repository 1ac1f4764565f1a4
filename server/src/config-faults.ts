import { Type } from "typebox";
import { Value } from "typebox/value";
import { knownChainIds } from "./dex/known/known-chains.ts";
import { OperatorError } from "./lib/errors.ts";
import { isObject } from "./lib/is-object.ts";
import { didYouMean } from "./lib/suggest.ts";
import {
  type ConfigLine,
  type Environment,
  type Leaf,
  mayBeNamed,
  type SettingSchema,
  type Settings,
  valueAt,
} from "./settings.ts";

/** Variables that are no setting: they say where to find the settings and the data. */
const placeVariables = ["SLIPWAY_DATA", "SLIPWAY_CONFIG"];
/** Those of commands that ask a service; they are nothing to the service itself. */
const askingVariables = ["SLIPWAY_URL", "SLIPWAY_API_KEY"];

/** Stops the service with everything that is wrong, if anything is. */
export function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new OperatorError(
    `The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
  );
}

/** Empty variables, misspelt ones of ours, and half of a database. */
export function environmentFaults(environment: Environment, leaves: readonly Leaf[]): string[] {
  const settings = leaves.flatMap(({ schema }) => schema.env ?? []);
  const known = [...settings, ...placeVariables, ...askingVariables];
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

/** What stands where it does not belong: names that are no setting, and values where settings should be. */
export function misplaced(
  schema: SettingSchema,
  value: unknown,
  path: readonly string[],
): string[] {
  const isRecord = Type.IsRecord(schema);
  if (value === undefined || value === null || !(isRecord || Type.IsObject(schema))) return [];
  // A record that is none is a value like any other, and checked as such.
  if (!isObject(value)) return isRecord ? [] : [`${path.join(".")} must hold settings.`];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name];
    if (isRecord) {
      return mayBeNamed(schema, name)
        ? misplaced(Type.RecordValue(schema), inner, here)
        : [wrongName(schema, here)];
    }
    const known = knownNames(schema.properties);
    const found = known.get(name);
    return found
      ? misplaced(found, inner, here)
      : [`${here.join(".")} is not a setting.${didYouMean(name, [...known.keys()])}`];
  });
}

function knownNames(properties: Readonly<Record<string, SettingSchema>>) {
  const names = new Map(Object.entries(properties));
  for (const { singular } of names.values()) if (singular) names.set(singular, Type.Unknown());
  return names;
}

function wrongName({ names }: SettingSchema, path: readonly string[]): string {
  const [name = ""] = path.slice(-1);
  return `${path.join(".")} cannot be used: the name ${names?.description}.${didYouMean(name, names?.enum ?? [])}`;
}

/** Names the value that breaks its rule, or the item of a list; never what it is, which may be a secret. */
export function wrongValue({ schema }: Leaf, { name, value, origin }: ConfigLine): string[] {
  const items: SettingSchema | undefined = Type.IsArray(schema) ? schema.items : undefined;
  const wrong =
    Array.isArray(value) && items ? value.findIndex((item) => !Value.Check(items, item)) : -1;
  if (wrong >= 0) {
    return [`${name}[${wrong}] (from ${origin}) ${items?.description ?? schema.description}.`];
  }
  // What stands in a record is looked at where it stands.
  const isRight = Type.IsRecord(schema) ? isObject(value) : Value.Check(schema, value);
  return isRight ? [] : [`${name} (from ${origin}) ${schema.description}.`];
}

/** Names what is missing, after saying which blockchains and exchanges bring nothing along. */
export function missingValues(leaves: readonly Leaf[], builtIn: object): string[] {
  const strangers = new Map<string, string>();
  for (const { path } of leaves) {
    const depth = path.findIndex(
      (_, index) => valueAt(builtIn, path.slice(0, index + 1)) === undefined,
    );
    // Only chains and exchanges can be built in.
    if (path[0] === "ramp" || depth < 0 || depth === path.length - 1) continue;
    const name = path.slice(0, depth + 1).join(".");
    strangers.set(name, didYouMean(path[depth] ?? "", depth === 1 ? knownChainIds() : []));
  }
  return [
    ...[...strangers].map(
      ([name, suggestion]) => `${name} is not built in, so it has to say everything.${suggestion}`,
    ),
    ...leaves.map(({ path, schema }) => `${path.join(".")} is missing: it ${schema.description}.`),
  ];
}

/** What the settings forbid together. */
export function contradictions({ mode, databaseUrl, secret, encryptionKeys }: Settings): string[] {
  if (mode !== "live" || !databaseUrl) return [];
  const rule = "is missing: in live mode with DATABASE_URL every machine must be given the same";
  return [
    ...(secret
      ? []
      : [`secret (SLIPWAY_SECRET) ${rule}, for example from \`openssl rand -base64 48\`.`]),
    ...(encryptionKeys
      ? []
      : [
          `encryptionKeys (SLIPWAY_ENCRYPTION_KEYS) ${rule}, for example from \`openssl rand -base64 32\`.`,
        ]),
  ];
}
