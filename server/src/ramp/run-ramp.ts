import type { DueRunner } from "../database/due.ts";
import type { RampContext } from "./engine.ts";

/** Everything that has to happen by itself. */
export function rampRunners(_context: RampContext): DueRunner[] {
  return [];
}
