import type { DueAction } from "../step.ts";
import type { Ramp } from "../transaction.ts";

/** What has to be done with a transaction when it falls due; null when nothing more happens by itself. */
export function dueActionOf(_ramp: Ramp): DueAction | null {
  return null;
}
