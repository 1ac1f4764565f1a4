import type { Database } from "../../database/database.ts";
import type { DueRunner } from "../../database/due.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";

type DeliveryContext = {
  db: Database;
  /** The ramp's, which decides what is due. */
  clock: Clock;
  /** The world's, which receivers compare with theirs. */
  realClock: Clock;
  random: Random;
  sealer: Sealer;
  mode: "sandbox" | "live";
  log: Log;
};

/** Sends what is due to the webhooks of customers. */
export function webhookRunner(_context: DeliveryContext): DueRunner {
  return { name: "webhooks", run: async () => 0 };
}
