import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { CexSchema, ExchangesSchema } from "./cex/exchange-settings.ts";
import { ChainsSchema } from "./dex/chain-settings.ts";
import { isObject } from "./lib/is-object.ts";
import { RampSchema } from "./ramp/settings.ts";

const proxyForm = "^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]{2,39}(/\\d{1,3})?)$";

const logoUrlForm =
  "^(https?://[^/{}\\s]|/)(?=.*\\{address\\})[^{}\\s]*(\\{(blockchain|address|symbol)\\}[^{}\\s]*)*$";

/** Every setting: its form, its default, the variable that overrides it, and whether it may be shown. */
export const SettingsSchema = Type.Object({
  mode: Type.Union([Type.Literal("sandbox"), Type.Literal("live")], {
    default: "sandbox",
    env: "SLIPWAY_MODE",
    description: 'must be "sandbox" (the sandbox stands in for what is not configured) or "live"',
  }),
  host: Type.String({
    minLength: 1,
    default: "127.0.0.1",
    env: "HOST",
    description: "must be an address to listen on",
  }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    env: "PORT",
    description: "must be a port from 1 to 65535, or 0 for any free one",
  }),
  databaseUrl: Type.Optional(
    Type.String({
      env: "DATABASE_URL",
      isSecret: true,
      description: "must look like postgres://user:password@host:5432/database",
    }),
  ),
  natsUrl: Type.Optional(
    Type.String({
      pattern: "^(nats|tls|ws|wss)://.+",
      env: "NATS_URL",
      isSecret: true,
      description: "must look like nats://host:4222",
    }),
  ),
  secret: Type.Optional(
    Type.String({
      minLength: 32,
      env: "SLIPWAY_SECRET",
      isSecret: true,
      description: "must have at least 32 characters",
    }),
  ),
  encryptionKeys: Type.Optional(
    Type.Array(
      Type.String({
        pattern: "^[A-Za-z0-9+/]{43}=$",
        description: "must be 32 bytes in base64, such as `openssl rand -base64 32` makes",
      }),
      {
        minItems: 1,
        env: "SLIPWAY_ENCRYPTION_KEYS",
        isSecret: true,
        description:
          "must be keys of 32 bytes in base64, newest first: the first encrypts, all of them decrypt",
      },
    ),
  ),
  logLevel: Type.Union(
    [
      Type.Literal("trace"),
      Type.Literal("debug"),
      Type.Literal("info"),
      Type.Literal("warn"),
      Type.Literal("error"),
      Type.Literal("silent"),
    ],
    {
      default: "info",
      env: "LOG_LEVEL",
      description: "must be trace, debug, info, warn, error or silent",
    },
  ),
  trustedProxies: Type.Array(Type.String({ pattern: proxyForm }), {
    default: [],
    env: "TRUSTED_PROXIES",
    description: "must be addresses or ranges of proxies, such as 10.0.0.1 or 10.0.0.0/8",
  }),
  sandbox: Type.Object({
    chain: Type.Boolean({
      default: true,
      env: "SANDBOX_CHAIN",
      description:
        "must be true or false: whether a local Ethereum stands in for one that is not configured",
    }),
    exchange: Type.Boolean({
      default: true,
      env: "SANDBOX_EXCHANGE",
      description:
        "must be true or false: whether a local Kraken stands in for one that is not configured",
    }),
  }),
  limits: Type.Object({
    enabled: Type.Optional(
      Type.Boolean({
        env: "LIMITS_ENABLED",
        description:
          "must be true or false; left out, limits are on except in sandbox mode on loopback",
      }),
    ),
    requests: Type.Integer({
      minimum: 1,
      default: 1_000,
      description: "must be how many requests a key may make per window",
    }),
    windowSeconds: Type.Integer({
      minimum: 1,
      maximum: 3_600,
      default: 10,
      description: "must be from 1 to 3600",
    }),
    badKeysPerMinute: Type.Integer({
      minimum: 1,
      default: 60,
      description: "must be how many bad keys one address may try in a minute",
    }),
  }),
  chains: ChainsSchema,
  exchanges: ExchangesSchema,
  cex: CexSchema,
  ramp: RampSchema,
  logoUrl: Type.String({
    pattern: logoUrlForm,
    default: "/logo/{blockchain}/{address}.svg",
    description:
      "must be a URL or a path with {address} in it; {blockchain} and {symbol} are replaced too",
  }),
});

export type Settings = Static<typeof SettingsSchema>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting, its value, and where that came from: a line of `slipway config print`. */
export type ConfigLine = { name: string; value: unknown; isSecret: boolean; origin: string };

/** A schema, and what we note in it for the reader of the configuration. */
export type SettingSchema = TSchema & {
  env?: string;
  isSecret?: boolean;
  default?: unknown;
  description?: string;
  /** A list of one may stand under this name, without being a list. */
  singular?: string;
  /** Which names may stand in a record. */
  names?: TSchema & { enum?: string[]; description?: string };
};

/** One value in the tree of settings. */
export type Leaf = { path: string[]; schema: SettingSchema; isRequired: boolean };

/** Every value there is room for. A record has room for whatever names the trees use in it. */
export function leavesOf(
  schema: SettingSchema,
  trees: readonly unknown[],
  path: string[] = [],
  isRequired = true,
): Leaf[] {
  const inner = Object.entries(settingsIn(schema, trees));
  if (inner.length === 0) return [{ path, schema, isRequired }];
  const required = Type.IsObject(schema) ? (schema.required ?? []) : Object.keys(inner);
  return inner.flatMap(([name, innerSchema]) => {
    const innerTrees = trees.map((tree) => (isObject(tree) ? tree[name] : undefined));
    const isNamed = required.includes(name) || innerTrees.some((tree) => tree !== undefined);
    // A group that may be left out, and is, has room for nothing.
    if (Type.IsObject(innerSchema) && !isNamed) return [];
    return leavesOf(innerSchema, innerTrees, [...path, name], required.includes(name));
  });
}

/** The settings inside another: those it lists or, in a record, those that one of the trees names. */
function settingsIn(
  schema: SettingSchema,
  trees: readonly unknown[],
): Readonly<Record<string, SettingSchema>> {
  if (Type.IsObject(schema)) return schema.properties;
  if (!Type.IsRecord(schema)) return {};
  const names = new Set(trees.flatMap((tree) => (isObject(tree) ? Object.keys(tree) : [])));
  const inner = Type.RecordValue(schema);
  return Object.fromEntries(
    [...names].filter((name) => mayBeNamed(schema, name)).map((name) => [name, inner]),
  );
}

/** Whether a record may hold something under this name. */
export function mayBeNamed({ names }: SettingSchema, name: string): boolean {
  return !names || Value.Check(names, name);
}

/** What a tree says at a path. Null says nothing. */
export function valueAt(tree: object, path: readonly string[]): unknown {
  const value = path.reduce<unknown>(
    (here, name) => (isObject(here) ? here[name] : undefined),
    tree,
  );
  return value ?? undefined;
}
