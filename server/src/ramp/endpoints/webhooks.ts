import type { Mode } from "../../accounts/api-key.ts";
import type { Database } from "../../database/database.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Sealer } from "../../lib/seal.ts";

type WebhookContext = { db: Database; clock: Clock; random: Random; sealer: Sealer; mode: Mode };

/** Where customers want their events sent to. */
export function webhookEndpoints(_context: WebhookContext): Endpoint[] {
  return [];
}
