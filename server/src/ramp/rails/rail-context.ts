import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";

/** What every rail works with. The clock is the ramp's. */
export type RailContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  log: Log;
};
