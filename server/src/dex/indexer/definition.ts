import { isDeepStrictEqual } from "node:util";
import type { Deployment } from "../deployment.ts";

/** Raise it when the reducer gives other figures than before: everything is then derived anew. */
const logic = 1;

/** What a deployment's tables depend on: `logs` decides what is fetched, `figures` what is made of it. */
export type Definition = { logs: object; figures: object };

export function definitionOf(deployment: Deployment): Definition {
  const { factory, startBlock, pools, skipPools, tokenOverrides, preexistingPools } = deployment;
  const { wrappedNative, stablePool, stablecoins, whitelist, minimumNativeLocked } = deployment;
  return {
    logs: { factory, startBlock, pools, skipPools, tokenOverrides, preexistingPools },
    figures: { wrappedNative, stablePool, stablecoins, whitelist, minimumNativeLocked, logic },
  };
}

/** What has to be done again when a stored definition differs from ours. */
export function outdated(stored: unknown, ours: Definition): "nothing" | "figures" | "logs" {
  const known = stored as Partial<Definition>;
  if (!isDeepStrictEqual(known.logs, ours.logs)) return "logs";
  return isDeepStrictEqual(known.figures, ours.figures) ? "nothing" : "figures";
}
