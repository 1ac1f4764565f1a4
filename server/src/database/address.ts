import { readFileSync } from "node:fs";
import { OperatorError } from "../lib/errors.ts";

/** One PostgreSQL server, and how to log in to it. */
export type Address = {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
  ssl?: { rejectUnauthorized: boolean; ca?: string };
};

const urlForm =
  /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;

/** Reads a `DATABASE_URL`, which may name several hosts: `postgres://user@a:5432,b:5432/name`. */
export function parseDatabaseUrl(url: string): Address[] {
  const match = urlForm.exec(url);
  if (!match) throw half("must look like postgres://user:password@host:5432/database");
  const [, user = "", password = "", hosts = "", database = "", query = ""] = match;
  const settings = new URLSearchParams(query);
  const socketFolder = settings.get("host");
  if (!user) throw half("names no user");
  if (!database) throw half("names no database");
  if (!hosts && !socketFolder) throw half("names no host");
  const ssl = sslOf(settings);
  return (hosts ? hosts.split(",") : [""]).map((part) => ({
    ...hostAndPort(part, socketFolder),
    user: decode(user),
    database: decode(database),
    ...(password ? { password: decode(password) } : {}),
    ...(ssl ? { ssl } : {}),
  }));
}

/** The address without its password, fit to be shown. */
export function showAddress({ user, host, port, database }: Address): string {
  return `postgres://${user}@${host}:${port}/${database}`;
}

function hostAndPort(part: string, socketFolder: string | null): { host: string; port: number } {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(part) ?? [];
  const host = bracketed ?? (plain || socketFolder);
  const port = Number(portText ?? 5432);
  if (!host || port < 1 || port > 65_535) throw half(`has a host that cannot be read: "${part}"`);
  return { host: decode(host), port };
}

function sslOf(settings: URLSearchParams): Address["ssl"] {
  const mode = settings.get("sslmode") ?? "prefer";
  const ca = settings.get("sslrootcert");
  const caText = ca ? { ca: readFileSync(ca, "utf8") } : {};
  switch (mode) {
    case "disable":
    case "allow":
    case "prefer":
      return undefined;
    case "require":
      return { rejectUnauthorized: ca !== null, ...caText };
    case "verify-ca":
    case "verify-full":
      return { rejectUnauthorized: true, ...caText };
    default:
      throw half("has an sslmode that is not disable, prefer, require, verify-ca or verify-full");
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw half("has a % that is not an escape: write %25 for a percent sign");
  }
}

function half(problem: string): OperatorError {
  return new OperatorError(
    `DATABASE_URL ${problem}. Example: postgres://slipway:secret@db.internal:5432/slipway. Unset it to use the embedded PostgreSQL.`,
  );
}
