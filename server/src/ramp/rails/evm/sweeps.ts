import type { DueRunner } from "../../../database/due.ts";
import type { DepositContext } from "./deposit-watch.ts";

/** Carries what lies at deposit addresses to the hot wallet. */
export function sweeper(_context: DepositContext): DueRunner {
  throw new Error("not there yet");
}
