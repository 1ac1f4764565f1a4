import type { Endpoint } from "../../http/endpoint.ts";
import type { TransactionContext } from "./transaction-context.ts";

/** What operators of the ramp see and decide. */
export function operatorEndpoints(_context: TransactionContext): Endpoint[] {
  return [];
}
