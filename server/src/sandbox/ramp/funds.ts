import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";

/** Gives the sandbox's ramp money at its bank and tokens on its chains, once, in both books. */
export async function seedSandboxFunds(_db: Database, _clock: Clock): Promise<void> {}
