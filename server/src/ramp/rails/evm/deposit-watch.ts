import type { DueRunner } from "../../../database/due.ts";
import type { Units } from "../../../lib/money.ts";
import type { EvmContext } from "./chain-rail.ts";

/** What watching deposits takes. */
export type DepositContext = EvmContext & {
  /** What units of a currency are worth in cents. Nothing when there is no price. */
  worthCents(currency: string, units: Units): bigint | undefined;
};

/** Looks through a chain's blocks for transfers to our deposit addresses, and tells of them until they are for good. */
export function depositWatch(_context: DepositContext): DueRunner {
  throw new Error("not there yet");
}
