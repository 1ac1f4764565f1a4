import type { Database } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Ports } from "../../ramp/ports.ts";

/** The world outside as the sandbox has it. It keeps what it knows in tables of its own. */
export function openSandboxPorts(_: { db: Database; clock: Clock; random: Random }): Ports {
  throw new Error("not there yet");
}

/** What happens at the sandbox's bank and on its chains when its time has come. */
export function sandboxRunners(_: { db: Database; clock: Clock; log: Log }): DueRunner[] {
  return [];
}
