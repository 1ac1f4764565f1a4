import type { Database } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Hook } from "../../http/hooks.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Told } from "../told.ts";

/** How Persona is reached, and what it is asked to do. */
export type PersonaSettings = { url: string; key: string; template: string; webhookSecret: string };

export type PersonaContext = {
  db: Database;
  /** The ramp's, which decides what is due. */
  clock: Clock;
  /** The world's, which Persona's messages carry. */
  realClock: Clock;
  told: Told;
  settings: PersonaSettings;
  log: Log;
  fetch?: typeof fetch;
};

/** Asks Persona for an inquiry about each account that wants to be verified. */
export function personaRunner(_: PersonaContext): DueRunner {
  throw new Error("not built");
}

/** Takes what Persona tells about inquiries. */
export function personaHook(_: PersonaContext): Hook {
  throw new Error("not built");
}
