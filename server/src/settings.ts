import { type Static, type TSchema, Type } from "typebox";

const proxyForm = "^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]{2,39}(/\\d{1,3})?)$";

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
});

export type Settings = Static<typeof SettingsSchema>;

/** One value in the tree of settings. */
export type Leaf = {
  path: string[];
  schema: TSchema & { env?: string; isSecret?: boolean; default?: unknown; description?: string };
};

export function leavesOf(schema: TSchema, path: string[] = []): Leaf[] {
  if (!("properties" in schema)) return [{ path, schema }];
  return Object.entries(schema.properties as Record<string, TSchema>).flatMap(([name, inner]) =>
    leavesOf(inner, [...path, name]),
  );
}
