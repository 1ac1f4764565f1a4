import type { Endpoint } from "../../http/endpoint.ts";
import type { Log } from "../../lib/log.ts";
import type { BankProfile } from "../rails/bank/bank-profile.ts";
import type { ReconciliationContext } from "../reconciliation/reconcile.ts";
import { operatorAdjustmentEndpoints } from "./operator-adjustments.ts";
import { operatorFileEndpoints } from "./operator-files.ts";
import { operatorIncomingEndpoints } from "./operator-incoming.ts";
import { operatorLedgerEndpoints } from "./operator-ledger.ts";
import { operatorPayoutEndpoints } from "./operator-payouts.ts";
import { operatorReconciliationEndpoints } from "./operator-reconciliations.ts";
import { operatorTransactionEndpoints } from "./operator-transactions.ts";
import type { TransactionContext } from "./transaction-context.ts";

/** What operators of the ramp see and decide. */
export function operatorEndpoints(
  context: TransactionContext & {
    bank: BankProfile | undefined;
    reconciliation: ReconciliationContext | undefined;
    log: Log;
  },
): Endpoint[] {
  return [
    ...operatorTransactionEndpoints(context),
    ...operatorIncomingEndpoints(context),
    ...operatorLedgerEndpoints(context),
    ...operatorAdjustmentEndpoints(context),
    ...operatorPayoutEndpoints(context),
    ...operatorFileEndpoints(context),
    ...operatorReconciliationEndpoints(context),
  ];
}
