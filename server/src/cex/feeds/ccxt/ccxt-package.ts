import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";

/** A class that we know nothing of but that it is one. */
export type Constructor = new (settings?: Record<string, unknown>) => object;

// Only by its path can one class be loaded: the package itself brings all of them along, 80 MB.
const sources = join(dirname(createRequire(import.meta.url).resolve("ccxt")), "..", "js", "src");
const streamingSources = join(sources, "pro");

/** The ids of all exchanges that ccxt knows. No class is loaded for it. */
export const ccxtIds: readonly string[] = idsIn(sources);
const streamingIds = new Set(idsIn(streamingSources));

/** The class of an exchange: the one that also streams, where there is one. */
export async function exchangeClass(id: string): Promise<Constructor> {
  const folder = streamingIds.has(id) ? streamingSources : sources;
  const module: unknown = await import(pathToFileURL(join(folder, `${id}.js`)).href);
  const found = isObject(module) ? module.default : undefined;
  assert(isConstructor(found), `ccxt has a class ${id}`);
  return found;
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === "function";
}

function idsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => name.slice(0, -".js".length));
}
