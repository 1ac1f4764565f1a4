import type { Database } from "../../database/database.ts";
import type { Endpoint } from "../../http/endpoint.ts";

/** Reading again what webhooks tell. */
export function eventEndpoints(_context: { db: Database }): Endpoint[] {
  return [];
}
