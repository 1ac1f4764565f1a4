import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../../lib/errors.ts";
import { isObject } from "../../lib/is-object.ts";
import { parseYaml } from "../../lib/yaml.ts";

/** `server/data/chains`, seen from `src/` and from `dist/` alike. */
const folder = fileURLToPath(new URL("../../../data/chains/", import.meta.url));

/** What is built in for a blockchain, in the form in which an operator would write it. */
export type KnownChain = Record<string, unknown> & { exchanges: Record<string, unknown> };

/** Ids of the blockchains that are built in. */
export function knownChainIds(): string[] {
  return readdirSync(folder).map((file) => basename(file, ".yaml"));
}

/** The built-in settings of a blockchain, or nothing when we know none. */
export function findKnownChain(id: string): KnownChain | undefined {
  const file = `${folder}${id}.yaml`;
  if (!/^[a-z0-9-]+$/.test(id) || !existsSync(file)) return undefined;
  const chain = parseYaml(readFileSync(file, "utf8"));
  assert(isObject(chain) && isObject(chain.exchanges), `${file} holds no blockchain`);
  return { ...chain, exchanges: chain.exchanges };
}
