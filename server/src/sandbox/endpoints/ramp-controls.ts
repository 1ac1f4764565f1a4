import type { Database } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { SandboxClock } from "../ramp/clock.ts";

export type SandboxRampContext = {
  db: Database;
  clock: SandboxClock;
  random: Random;
  sealer: Sealer;
  /** All work of the ramp that can be due. */
  runners: readonly DueRunner[];
  log: Log;
};

/** Makes things happen in the sandbox's ramp: money that arrives or comes back, decisions, time that passes. */
export function sandboxRampEndpoints(_: SandboxRampContext): Endpoint[] {
  return [];
}
