import type { Database } from "../../database/database.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";
import type { Ports } from "../ports.ts";
import type { RampSettings } from "../settings.ts";

/** What the endpoints of transactions need. Without `ports` there is no bank and no chain, and nothing new can begin. */
export type TransactionContext = {
  db: Database;
  clock: Clock;
  random: Random;
  sealer: Sealer;
  ports: Ports | undefined;
  settings: RampSettings;
};

/** What customers do with transactions. */
export function transactionEndpoints(_context: TransactionContext): Endpoint[] {
  return [];
}
