import type { Endpoint } from "../../http/endpoint.ts";
import type { BankProfile } from "../rails/bank/bank-profile.ts";
import type { TransactionContext } from "./transaction-context.ts";

/** Files to and from the bank, and what operators do with them. */
export function operatorFileEndpoints(
  _context: TransactionContext & { bank?: BankProfile | undefined },
): Endpoint[] {
  throw new Error("not yet");
}
