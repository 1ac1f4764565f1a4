import { readFileSync } from "node:fs";
import type { CexExchange } from "@slipway/sdk";
import { isObject } from "../../../lib/is-object.ts";
import { parseYaml } from "../../../lib/yaml.ts";

/** What is different about each exchange: timeframes are the same for all. */
export type Description = Omit<CexExchange, "aggregateTimeframes">;

/**
 * What ccxt's classes say about their exchanges, written down: loading all of them takes seconds and 110 MB. A test
 * compares, and writes it anew when ccxt is another version (`vitest -u`).
 */
export const knownExchanges: ReadonlyMap<string, Description> = readAll();

function readAll(): Map<string, Description> {
  const file = new URL("../../../../data/exchanges.yaml", import.meta.url);
  const descriptions = [parseYaml(readFileSync(file, "utf8"))].flat().filter(isDescription);
  return new Map(descriptions.map((description) => [description.id, description]));
}

function isDescription(value: unknown): value is Description {
  return isObject(value) && typeof value.id === "string";
}
