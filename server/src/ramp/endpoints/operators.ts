import type { Endpoint } from "../../http/endpoint.ts";
import type { TransactionContext } from "./transactions.ts";

/** What operators of the ramp see and decide. */
export function operatorEndpoints(_context: TransactionContext): Endpoint[] {
  return [];
}
