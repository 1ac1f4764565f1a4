import type { DueRunner } from "../../../database/due.ts";
import { type DepositContext, depositWatch } from "./deposit-watch.ts";
import { ownTransactionsWatch } from "./own-transactions.ts";
import { sweeper } from "./sweeps.ts";

/** Everything that has to happen by itself on a chain: what came, what we sent, and what is to be gathered. */
export function evmRunners(context: DepositContext): DueRunner[] {
  return [depositWatch(context), ownTransactionsWatch(context), sweeper(context)];
}
