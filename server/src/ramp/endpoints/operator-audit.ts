import { recordAudit } from "../../accounts/audit.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";

/** Who decides: a key, and from where. */
export type Operator = { caller: Caller; address: string };

/** Writes down what an operator did, in the transaction in which it is done. */
export function audit(
  tx: Transaction,
  { clock }: { clock: Clock },
  { caller, address }: Operator,
  deed: { action: string; target: string; detail: Record<string, unknown> },
): Promise<void> {
  return recordAudit(tx, {
    keyId: caller.keyId,
    userId: caller.userId,
    ip: address,
    ...deed,
    at: new Date(clock.now()),
  });
}
